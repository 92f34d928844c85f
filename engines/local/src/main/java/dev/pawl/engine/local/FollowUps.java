package dev.pawl.engine.local;

import dev.pawl.store.FollowUp;
import dev.pawl.store.Store;

/** Goes on with what changes have begun to do to other jobs and have not ended, whoever made them. Thread-safe. */
final class FollowUps {
    private static final int SEEN_AT_ONCE = 16;

    private final Store store;
    private final Committers committers;

    FollowUps(Store store, Committers committers) {
        this.store = store;
        this.committers = committers;
    }

    /**
     * Goes on for {@code most} commits at the most; what somebody else holds is left for later.
     *
     * @return whether something may be left
     */
    boolean goOn(int most) {
        var made = 0;
        while (true) {
            var left = store.followUps(SEEN_AT_ONCE);
            var progress = false;
            for (FollowUp one : left) {
                if (made == most) {
                    return true;
                }
                made++;
                progress |= committers.commitUnlessHeld(one.goOn()).isPresent();
            }
            if (!progress) {
                return !left.isEmpty();
            }
        }
    }
}
