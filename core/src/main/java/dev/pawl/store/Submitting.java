package dev.pawl.store;

import dev.pawl.look.StoredJob;

/** What a submission of an identity that is there already comes to. Pure. */
public enum Submitting {
    /** The same work: the job that is there is the answer. */
    SAME,
    /** Another input, and no worker has had it: the new input takes the old one's place. */
    REPLACE,
    /** Another input, and it is in flight or failed: somebody has to look. */
    CONFLICT,
    /** Another input, and the job is finished: it is not done again. */
    SKIPPED_CHANGED;

    /** Judges {@code input} against the job that is there. Both inputs are canonical. */
    public static Submitting judge(StoredJob there, String input) {
        if (there.wasGiven(input)) {
            return SAME;
        }
        if (there.neverStarted()) {
            return REPLACE;
        }
        return switch (there.state()) {
            case DONE, CANCELLED -> SKIPPED_CHANGED;
            case READY, RUNNING, WAITING, PAUSED, FAILED -> CONFLICT;
        };
    }

    /** The sentence for a conflict. */
    public static String conflict(StoredJob there) {
        return "job " + there.identity() + " is " + there.state()
                + " with another input; let it finish, or give the new work a key of its own";
    }
}
