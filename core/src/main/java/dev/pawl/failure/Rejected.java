package dev.pawl.failure;

import org.jspecify.annotations.Nullable;

/** An effect's own word about the whole effect: nothing happened, and trying the same again is no use. */
public final class Rejected extends RuntimeException {

    /** Why it was rejected. */
    public Rejected(String message) {
        super(message);
    }

    /** Why it was rejected, with the cause. */
    public Rejected(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
