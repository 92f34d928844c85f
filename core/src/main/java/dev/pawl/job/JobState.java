package dev.pawl.job;

/** Where a job is in its life. */
public enum JobState {
    /** May be claimed, at its time. */
    READY,
    /** Has an owner. */
    RUNNING,
    /** Waits for something, with a time to look again. */
    WAITING,
    /** Waits for a person's answer to its question. */
    PAUSED,
    /** Finished, with a result. */
    DONE,
    /** Given up, kept with its whole history until someone deals with it. */
    FAILED,
    /** Called off. */
    CANCELLED;

    /** Whether nothing will happen to it any more unless a person asks. */
    public boolean finished() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    /** Whether a worker may claim it at its time. */
    public boolean claimable() {
        return this == READY || this == WAITING;
    }
}
