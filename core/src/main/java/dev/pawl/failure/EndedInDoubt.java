package dev.pawl.failure;

import org.jspecify.annotations.Nullable;

/** An act that may outlive its worker is known to have ended, and nobody knows whether it happened: nothing more is sent. */
public class EndedInDoubt extends Exception {

    /** How it ended. */
    public EndedInDoubt(String message) {
        super(message);
    }

    /** How it ended, with the cause. */
    public EndedInDoubt(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
