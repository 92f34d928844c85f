package dev.pawl.store;

import org.jspecify.annotations.Nullable;

/**
 * Somebody else holds for long what one of the changes is about. It was not made. Those before it were, or were not, as after a lost answer: asked again
 * without it, all of them are made, and then it may be asked for again alone.
 */
public final class HeldChange extends StoreFailure {

    private final int change;

    /** The change with this index is held. */
    public HeldChange(int change, String message, @Nullable Throwable cause) {
        super(Move.ASK_AGAIN, message, cause);
        this.change = change;
    }

    /** Its index among those that were asked for. */
    public int change() {
        return change;
    }
}
