package dev.pawl.checks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many bad nights: nothing lost, nothing silently repeated, nobody stuck. */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("pawl.seeds", 150);
    private static final int CLOCK_SEEDS = 12;
    private static final long FIRST = Long.getLong("pawl.seed", 1);

    @Test
    void no_seed_breaks_a_promise() throws IOException, InterruptedException {
        var outcome = Seeds.run(FIRST, SEEDS);
        var failed = outcome.failed();
        assertThat(failed)
                .as(() -> failed == null
                        ? ""
                        : "seed " + failed.seed() + " breaks " + failed.violations() + "; made smaller it is\n"
                                + failed.tail() + "\nrun it whole with ./verify sim " + failed.seed() + " 1")
                .isNull();
        System.out.println(outcome.coverage());
        if (SEEDS >= Seeds.ENOUGH_FOR_ALL) {
            assertThat(outcome.coverage().missing())
                    .as("each kind of step in the midst of each fault")
                    .isEmpty();
        }
        if (SEEDS >= 150) {
            assertThat(outcome.coverage().succeeded())
                    .as("a run with few successes proves little")
                    .isGreaterThan(30);
            assertThat(outcome.coverage().disturbed())
                    .as("a run without faults proves little")
                    .isGreaterThan(45);
        }
    }

    @ParameterizedTest
    @EnumSource(Clock.class)
    void no_clock_makes_anybody_early(Clock clock) {
        var coverage = new Coverage();
        for (var seed = FIRST; seed < FIRST + CLOCK_SEEDS; seed++) {
            var report = Simulation.run(seed, clock);
            assertThat(report.violations())
                    .as("seed " + seed + " with " + clock + "\n" + report.tail())
                    .isEmpty();
            coverage.add(report);
        }
        assertThat(coverage.takeOvers()).as("take-overs").isPositive();
        assertThat(coverage.timers()).as("timers").isPositive();
    }

    @Test
    void the_same_seed_gives_the_same_trace_in_another_process() throws IOException, InterruptedException {
        var hashes = new ArrayList<String>();
        for (var seed = 1; seed <= 20; seed++) {
            hashes.add(Simulation.run(seed).hash());
            assertThat(Simulation.run(seed).hash()).as("seed " + seed).isEqualTo(hashes.getLast());
        }
        assertThat(inAnotherProcess(20)).isEqualTo(hashes);
    }

    private static java.util.List<String> inAnotherProcess(int seeds) throws IOException, InterruptedException {
        var java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-Djdk.trackAllThreads=false",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hashes.class.getName(),
                        String.valueOf(seeds))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).isZero();
        return said.lines().toList();
    }

    /** Prints the hashes of some seeds. */
    static final class Hashes {
        private Hashes() {}

        public static void main(String[] arguments) {
            for (var seed = 1; seed <= Integer.parseInt(arguments[0]); seed++) {
                System.out.println(Simulation.run(seed).hash());
            }
        }
    }

    @Test
    void a_plan_can_be_made_smaller_until_nothing_is_left_to_take_away() {
        var plan = Plan.drawn(7, Clock.RIGHT);
        var steps = 0;
        while (!plan.smaller().isEmpty()) {
            plan = plan.smaller().getFirst();
            steps++;
        }
        assertThat(steps).isGreaterThan(5);
        assertThat(plan.errands()).hasSize(1);
        assertThat(plan.errands().getFirst().ops()).hasSize(1);
        assertThat(plan.blows()).isEmpty();
        assertThat(Simulation.run(7, plan).violations()).isEmpty();
    }
}
