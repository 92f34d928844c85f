package dev.pawl.lease;

/** What is known of a worker's end. */
public enum WorkerEnd {
    /** Its beat stood still; it may only be frozen. */
    BEAT_STOOD_STILL,
    /** Its process is certainly gone. */
    PROCESS_GONE,
    /** It gave its number up itself, after all its acts had ended: the store could not be reached. No job is to blame. */
    GAVE_UP;

    /** Whether it certainly sends nothing more. */
    public boolean known() {
        return this != BEAT_STOOD_STILL;
    }
}
