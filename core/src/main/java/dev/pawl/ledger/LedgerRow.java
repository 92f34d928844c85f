package dev.pawl.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row as it stands.
 *
 * @param key what it is called in its collection, as {@link dev.pawl.key.Key#toString} writes it
 * @param generation which payload it has: 1, and one more for each that took its place
 * @param payloadHash of that payload, also when it is no longer kept
 * @param standing where it is in its life
 * @param tries how often it was sent
 */
public record LedgerRow(String key, int generation, String payloadHash, RowStanding standing, RowTries tries) {

    /**
     * Where a row is in its life.
     *
     * @param state its state
     * @param because the class of its failure; empty when it has none
     * @param dealtWith whether a person has dealt with it
     * @param changed when that last changed
     */
    public record RowStanding(RowState state, String because, boolean dealtWith, Instant changed) {}

    /**
     * How often a row was sent, in its generation.
     *
     * @param made attempts that were ever opened, which is the number of the last
     * @param spent those of them that count
     * @param openIn the part under which one is open; null when none is
     * @param won the attempt that has its result; 0 while none has
     */
    public record RowTries(int made, int spent, @Nullable String openIn, int won) {
        /** Never. */
        public static final RowTries NONE = new RowTries(0, 0, null, 0);
    }

    /** One that was just enrolled. */
    public static LedgerRow enrolled(NewRow newRow, Instant now) {
        return new LedgerRow(
                newRow.key(), 1, newRow.hash(), new RowStanding(RowState.PENDING, "", false, now), RowTries.NONE);
    }

    /** Its state. */
    public RowState state() {
        return standing.state();
    }

    /** The same after a move. */
    LedgerRow moved(RowMove move, String because, boolean dealtWith, Instant now) {
        return new LedgerRow(key, generation, payloadHash, new RowStanding(move.to(), because, dealtWith, now), tries);
    }

    /** The same, tried otherwise. */
    LedgerRow tried(RowTries other) {
        return new LedgerRow(key, generation, payloadHash, standing, other);
    }
}
