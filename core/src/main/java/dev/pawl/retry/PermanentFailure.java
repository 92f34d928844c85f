package dev.pawl.retry;

/** Thrown by a step that will not succeed however often it is tried. */
public final class PermanentFailure extends RuntimeException {

    /** Why it will not succeed. */
    public PermanentFailure(String message) {
        super(message);
    }

    /** Why it will not succeed, with the cause. */
    public PermanentFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
