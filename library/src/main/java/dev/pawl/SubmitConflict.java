package dev.pawl;

/** The job is there with another input, and in flight or failed: somebody has to look. */
public final class SubmitConflict extends RuntimeException {

    SubmitConflict(String message) {
        super(message);
    }
}
