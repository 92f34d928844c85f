package dev.pawl.failure;

import org.jspecify.annotations.Nullable;

/** The request may have been acted upon; the contract decides what follows. */
public final class InDoubt extends RuntimeException {

    /** What was heard, or that nothing was. */
    public InDoubt(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
