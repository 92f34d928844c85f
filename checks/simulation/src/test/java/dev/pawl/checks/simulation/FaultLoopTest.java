package dev.pawl.checks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.checks.simulation.FaultLoop.Fault;
import dev.pawl.store.Change;
import dev.pawl.store.postgres.NightDatabase;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.testkit.FaultyStore.Fate;
import dev.pawl.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The n-th exchange fails, for every n (here for every tenth) until a run passes untouched; whatever it was, nothing is lost, repeated or stuck. */
class FaultLoopTest {

    private static final int MOST = 2_000;

    /** The build lets every tenth fail; ./verify coverage all of them. */
    private static final int STRIDE = Integer.getInteger("pawl.stride", 10);

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"FAIL_BEFORE", "FAIL_AFTER"})
    void one_exchange_fails(Fate fate) {
        untilUntouched(fate, false, 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"FAIL_BEFORE", "FAIL_AFTER"})
    void every_exchange_fails_until_the_process_is_started_again(Fate fate) {
        untilUntouched(fate, true, 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"FAIL_BEFORE", "FAIL_AFTER"})
    void one_more_exchange_fails_during_recovery(Fate fate) {
        for (var inRecovery : List.of(1, 2, 3, 5)) {
            untilUntouched(fate, true, inRecovery, 11, FaultLoop::new);
            untilUntouched(fate, false, inRecovery, 13, FaultLoop::new);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"FAIL_BEFORE", "FAIL_AFTER"})
    void one_exchange_with_an_sqlite_file_fails(Fate fate, @TempDir Path folder) {
        var runs = new AtomicInteger();
        untilUntouched(
                fate,
                false,
                0,
                fate == Fate.FAIL_BEFORE ? 29 : 23,
                fault -> new FaultLoop(
                        fault,
                        time -> SqliteStore.open(folder.resolve("night-" + runs.incrementAndGet() + ".db"), time)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"FAIL_BEFORE", "FAIL_AFTER"})
    void one_exchange_with_a_postgresql_server_fails(Fate fate) {
        try (var server = PostgresServer.start()) {
            var runs = new AtomicInteger();
            untilUntouched(
                    fate,
                    false,
                    0,
                    (fate == Fate.FAIL_BEFORE ? 89 : 79) * (STRIDE == 1 ? 1 : 4),
                    fault -> new FaultLoop(
                            fault, time -> NightDatabase.open(server, "night_" + runs.incrementAndGet(), time)));
        }
    }

    @Test
    void the_workflows_of_the_loop_make_every_kind_of_change() {
        var result = new FaultLoop(new Fault(0, Fate.PASS, false, 0)).run();
        assertThat(result.violations()).as(result.tail()).isEmpty();
        assertThat(result.issued()).isEqualTo(permitted(Change.class));
    }

    private static void untilUntouched(Fate fate, boolean persistent, int inRecovery) {
        untilUntouched(fate, persistent, inRecovery, STRIDE, FaultLoop::new);
    }

    /** Fails every {@code stride}-th exchange in turn. */
    private static void untilUntouched(
            Fate fate, boolean persistent, int inRecovery, int stride, Function<Fault, FaultLoop> loop) {
        for (var n = stride; n < MOST; n += stride) {
            var fault = new Fault(n, fate, persistent, inRecovery);
            var result = loop.apply(fault).run();
            assertThat(result.violations()).as(fault + "\n" + result.tail()).isEmpty();
            if (result.untouched()) {
                assertThat(n).as("a loop that fails nothing proves nothing").isGreaterThan(20);
                System.out.println(
                        fate + (persistent ? ", persistent" : "") + ", in recovery " + inRecovery + ": " + n + " runs");
                return;
            }
        }
        throw new AssertionError("no run passed untouched");
    }

    private static Set<Class<?>> permitted(Class<?> sealed) {
        var leaves = new HashSet<Class<?>>();
        for (var subtype : sealed.getPermittedSubclasses()) {
            leaves.addAll(subtype.isSealed() ? permitted(subtype) : Set.of(subtype));
        }
        return leaves;
    }
}
