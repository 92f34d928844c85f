package dev.pawl.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Which row, as somebody saw it.
 *
 * @param key what it is called
 * @param generation which payload it had then
 * @param attempts how many attempts it had made then; null when that does not matter. A word that lets it be tried again is worth nothing once it was
 */
public record RowRef(String key, int generation, @Nullable Integer attempts) {
    /** However often it was tried. */
    public RowRef(String key, int generation) {
        this(key, generation, null);
    }

    /** A row as it stands. */
    public static RowRef of(LedgerRow row) {
        return new RowRef(row.key(), row.generation(), row.tries().made());
    }

    /** Whether {@code row} is as it was seen. */
    boolean isSo(LedgerRow row) {
        return row.generation() == generation
                && (attempts == null || attempts == row.tries().made());
    }
}
