package dev.pawl.checks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Two hundred bad nights: nothing lost, nothing silently repeated, nobody stuck. */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("pawl.seeds", 200);
    private static final long FIRST = Long.getLong("pawl.seed", 1);

    @Test
    void no_seed_breaks_a_promise() {
        var jobs = 0;
        var done = 0;
        var disturbed = 0;
        var faults = new TreeSet<String>();
        var ops = new TreeSet<String>();
        for (var seed = FIRST; seed < FIRST + SEEDS; seed++) {
            var report = Simulation.run(seed);
            assertThat(report.violations())
                    .as("seed " + seed + ", run it alone with -Dpawl.seed=" + seed + " -Dpawl.seeds=1\n"
                            + report.tail())
                    .isEmpty();
            jobs += report.jobs().all();
            done += report.jobs().done();
            disturbed += report.seen().faults().isEmpty() ? 0 : 1;
            faults.addAll(report.seen().faults());
            ops.addAll(report.seen().ops());
        }
        System.out.printf(
                "seeds=%d jobs=%d done=%d disturbed=%d faults=%s ops=%s%n", SEEDS, jobs, done, disturbed, faults, ops);
        if (SEEDS >= 200) {
            assertThat(done).as("a run with few successes proves little").isGreaterThan(jobs * 6 / 10);
            assertThat(disturbed).as("a run without faults proves little").isGreaterThan(SEEDS * 9 / 10);
            assertThat(faults).hasSizeGreaterThanOrEqualTo(9);
            assertThat(ops).hasSize(Programs.Op.values().length);
        }
    }

    @Test
    void the_same_seed_gives_the_same_trace() {
        for (var seed = 1; seed <= 20; seed++) {
            assertThat(Simulation.run(seed).hash())
                    .as("seed " + seed)
                    .isEqualTo(Simulation.run(seed).hash());
        }
    }
}
