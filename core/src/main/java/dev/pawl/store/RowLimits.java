package dev.pawl.store;

/** How much one change of rows brings. */
final class RowLimits {
    private RowLimits() {}

    /** @throws IllegalArgumentException when it is too much for one change */
    static void check(int rows, long characters) {
        if (rows < 1 || rows > Change.OfLedger.MOST_ROWS || characters > Change.OfLedger.MOST_CHARACTERS) {
            throw new IllegalArgumentException("one change has 1 to " + Change.OfLedger.MOST_ROWS
                    + " rows with 8 MiB of values at the most, not " + rows + " with " + characters + " characters");
        }
    }
}
