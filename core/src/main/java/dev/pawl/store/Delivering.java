package dev.pawl.store;

import dev.pawl.job.JobState;
import dev.pawl.journal.Message;
import dev.pawl.look.StoredJob;
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
        if (message.kind() == Message.Kind.HURRY) {
            return cannotHurry(job);
        }
        return job.state() == JobState.DONE || job.state() == JobState.CANCELLED
                ? new Applied.Refused("job " + job.identity() + " is " + job.state() + "; nobody waits for "
                        + (message.kind() == Message.Kind.SIGNAL ? "signal " + message.name() : "its child")
                        + " any more")
                : null;
    }

    private static @Nullable Applied cannotHurry(StoredJob job) {
        var why = switch (job.state()) {
            case READY -> null;
            case WAITING ->
                job.outcome().gate() == null
                        ? null
                        : "waits at gate " + job.outcome().gate() + "; open that";
            case RUNNING -> "runs already";
            case PAUSED -> "asks a person; decide that";
            case FAILED -> "is FAILED; retry it without --now";
            case DONE, CANCELLED -> "is " + job.state();
        };
        return why == null ? null : new Applied.Conflict("job " + job.identity() + " " + why, job);
    }

    /** Judges what a message of this kind, which is kept, does. */
    public static Delivering judge(StoredJob job, Message.Kind kind) {
        return kind == Message.Kind.HURRY && job.state() == JobState.READY ? WAKE : judge(job);
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
