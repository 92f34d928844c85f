package dev.pawl.store;

import org.jspecify.annotations.Nullable;

/** The store did not do what it was asked. The message names the thing and the next move. */
public sealed class StoreFailure extends RuntimeException permits HeldChange, StoreGone {

    private final Move move;

    /** Whose move it is. */
    public enum Move {
        /** Asking again with the same ids may help. */
        ASK_AGAIN,
        /** Somebody has to mend something first: a full disk, a foreign file. */
        OPERATOR
    }

    /** What went wrong, and what to do. */
    public StoreFailure(Move move, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.move = move;
    }

    /** Whose move it is. */
    public Move move() {
        return move;
    }
}
