package dev.pawl.cli;

import dev.pawl.store.Applied;
import org.jspecify.annotations.Nullable;

/** Says that something cannot be done to one of several jobs, before it is done to any. */
final class Refusal {
    private Refusal() {}

    /**
     * @param objection what a job would answer; null when it does not object
     * @param jobs to how many it was to be done
     * @throws IllegalArgumentException saying why it cannot be done
     */
    static void unlessNone(@Nullable Applied objection, int jobs) {
        var why = objection instanceof Applied.Conflict conflict
                ? conflict.why()
                : objection instanceof Applied.Refused refused ? refused.why() : null;
        if (why != null) {
            throw new IllegalArgumentException(why + (jobs == 1 ? "" : ". Nothing was done to any of the " + jobs));
        }
    }
}
