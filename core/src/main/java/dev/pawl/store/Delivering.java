package dev.pawl.store;

import dev.pawl.job.JobState;
import dev.pawl.journal.Message;
import org.jspecify.annotations.Nullable;

/** What a message does to the job that it is sent to. Pure. */
public enum Delivering {
    /** It is kept; the job comes to it in its own time. */
    KEEP,
    /** The job waits, perhaps for this: it is looked at now. */
    WAKE,
    /** The job runs, and may be about to wait for this: it comes back when it leaves. */
    TELL_LATER;

    /** Why {@code job} takes no such message; null when it does. */
    public static @Nullable Applied objection(StoredJob job, Message message) {
        return job.state() == JobState.DONE || job.state() == JobState.CANCELLED
                ? new Applied.Refused("job " + job.identity() + " is " + job.state() + "; nobody waits for "
                        + (message.kind() == Message.Kind.SIGNAL ? "signal " + message.name() : "its child")
                        + " any more")
                : null;
    }

    /** Judges what a message that is kept does. */
    public static Delivering judge(StoredJob job) {
        return switch (job.state()) {
            case RUNNING -> TELL_LATER;
            case WAITING -> WAKE;
            case PAUSED -> job.standing().times().due() == null ? KEEP : WAKE;
            case READY, DONE, FAILED, CANCELLED -> KEEP;
        };
    }
}
