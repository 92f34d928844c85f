package dev.pawl.failure;

import org.jspecify.annotations.Nullable;

/** Thrown by a step that will not succeed however often it is tried. */
public final class PermanentFailure extends RuntimeException {

    /** Why it will not succeed. */
    public PermanentFailure(String message) {
        super(message);
    }

    /** Why it will not succeed, with the cause. */
    public PermanentFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
