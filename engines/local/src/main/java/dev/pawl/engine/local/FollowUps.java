package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.FollowUp;
import dev.pawl.store.HeldChange;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Goes on with what changes have begun to do to other jobs and have not ended, whoever made them. Past the committers: nothing of this worker's waits for it or
 * fails with it. What somebody else holds or goes on with is passed by, and what the store refuses keeps nobody from the rest. Thread-safe.
 */
final class FollowUps {
    private static final int SEEN_AT_ONCE = 16;

    private final Store store;
    private final EventLog log;

    FollowUps(Store store, EventLog log) {
        this.store = store;
        this.log = log;
    }

    /**
     * What came of it.
     *
     * @param any whether anything was done: somebody may have something to claim
     * @param more whether it had to stop although it came on
     */
    record WentOn(boolean any, boolean more) {}

    /**
     * Goes through all that is left, again and again as long as it comes on.
     *
     * @param enough whether it has to stop
     * @throws StoreFailure when the store does not answer
     */
    WentOn goOn(BooleanSupplier enough) {
        var any = false;
        while (true) {
            var comesOn = false;
            var after = 0L;
            for (var left = store.followUps(after, SEEN_AT_ONCE);
                    !left.isEmpty();
                    left = store.followUps(after, SEEN_AT_ONCE)) {
                for (var followUp : left) {
                    if (enough.getAsBoolean()) {
                        return new WentOn(any, comesOn);
                    }
                    comesOn |= goesOn(followUp);
                    any |= comesOn;
                }
                after = left.getLast().id();
            }
            if (!comesOn) {
                return new WentOn(any, false);
            }
        }
    }

    private boolean goesOn(FollowUp followUp) {
        try {
            var applied = store.exchange(List.of(followUp.goOn()), Wanted.NOTHING)
                    .applied()
                    .getFirst();
            if (applied instanceof Applied.Refused refused) {
                log.storeFailed(new StoreFailure(
                        StoreFailure.Move.OPERATOR,
                        "what is left to do of a change cannot be done: " + refused.why(),
                        null));
            }
            return applied instanceof Applied.Now;
        } catch (HeldChange held) {
            return false;
        }
    }
}
