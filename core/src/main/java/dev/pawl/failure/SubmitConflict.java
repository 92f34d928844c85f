package dev.pawl.failure;

/** The job is there with another input, and in flight or failed: somebody has to look. */
public final class SubmitConflict extends RuntimeException {

    /** What is there, and what to do. */
    public SubmitConflict(String message) {
        super(message);
    }
}
