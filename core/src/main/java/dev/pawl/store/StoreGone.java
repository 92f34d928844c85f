package dev.pawl.store;

import org.jspecify.annotations.Nullable;

/** What this handle was opened on is no longer the store: nobody else would ever see what is written there, and it never comes back. */
public final class StoreGone extends StoreFailure {

    /** What became of it, and what to do. */
    public StoreGone(String message, @Nullable Throwable cause) {
        super(Move.OPERATOR, message, cause);
    }
}
