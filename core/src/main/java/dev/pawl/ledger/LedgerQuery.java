package dev.pawl.ledger;

import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a collection, in the order in which they were enrolled.
 *
 * @param collection its name
 * @param states in these states
 * @param because of this class of failure; null for any
 * @param keyPrefix what their keys begin with, as they are written; empty for all
 * @param listing which part of the list, and whether with values
 */
public record LedgerQuery(
        String collection, Set<RowState> states, @Nullable String because, String keyPrefix, RowListing listing) {
    public LedgerQuery {
        states = Set.copyOf(states);
    }

    /**
     * Which part of the list.
     *
     * @param behind what comes behind this
     * @param most at most so many
     * @param withValues whether payloads and results are read too
     */
    public record RowListing(Cursor behind, int most, boolean withValues) {
        public RowListing {
            if (most < 1 || most > ListPart.MOST) {
                throw new IllegalArgumentException("a page has 1 to 1,000 rows, not " + most);
            }
        }
    }

    /** The first hundred of all, without their values. */
    public static LedgerQuery of(String collection) {
        return new LedgerQuery(
                collection, EnumSet.allOf(RowState.class), null, "", new RowListing(Cursor.START, 100, false));
    }

    /** Those in these states. */
    public LedgerQuery in(Set<RowState> some) {
        return new LedgerQuery(collection, some, because, keyPrefix, listing);
    }

    /** Those that failed because of this. */
    public LedgerQuery because(String failureClass) {
        return new LedgerQuery(collection, states, failureClass, keyPrefix, listing);
    }

    /** Those whose keys begin like this. */
    public LedgerQuery keyPrefix(String prefix) {
        return new LedgerQuery(collection, states, because, prefix, listing);
    }

    /** The same, behind {@code cursor}. */
    public LedgerQuery after(Cursor cursor) {
        return new LedgerQuery(
                collection, states, because, keyPrefix, new RowListing(cursor, listing.most(), listing.withValues()));
    }

    /** The same, at most so many. */
    public LedgerQuery most(int many) {
        return new LedgerQuery(
                collection, states, because, keyPrefix, new RowListing(listing.behind(), many, listing.withValues()));
    }

    /** The same with payloads and results. */
    public LedgerQuery withValues() {
        return new LedgerQuery(
                collection, states, because, keyPrefix, new RowListing(listing.behind(), listing.most(), true));
    }
}
