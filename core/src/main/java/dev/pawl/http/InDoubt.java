package dev.pawl.http;

import org.jspecify.annotations.Nullable;

/** The request may have been acted upon; the contract decides what follows. */
public final class InDoubt extends RuntimeException {

    InDoubt(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
