package dev.pawl.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else holds for long what some of the changes are about. These were not made. Of the others each was made or not, as after a lost answer: asked again
 * without those that are held, all of them are. A held change had better be asked for alone, from time to time.
 */
public final class HeldChange extends StoreFailure {

    private final transient List<Integer> changes;

    /** The changes with these indexes are held. */
    public HeldChange(List<Integer> changes, String message, @Nullable Throwable cause) {
        super(Move.ASK_AGAIN, message, cause);
        this.changes = List.copyOf(changes);
    }

    /** Their indexes among those that were asked for. */
    public List<Integer> changes() {
        return changes;
    }
}
