package dev.pawl.engine.local;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;

/** Interleavings of a few calls to what threads of the engine share; {@code ./verify races} plants a race in each and expects it to be found. */
class RacesTest {
    private static final int INTERLEAVINGS = Integer.getInteger("pawl.interleavings", 20);

    private static void check(Class<?> calls, int scenarios) {
        new ModelCheckingOptions()
                .iterations(scenarios)
                .invocationsPerIteration(INTERLEAVINGS)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .check(calls);
    }

    @Test
    void committer() {
        check(CommitterRaces.class, 1);
    }

    @Test
    void lease_renewer() {
        check(LeaseRaces.class, INTERLEAVINGS > 20 ? 12 : 6);
    }

    @Test
    void claim_loop() {
        check(ClaimRaces.class, 4);
    }
}
