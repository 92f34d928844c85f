package dev.pawl.store;

import dev.pawl.ledger.RowAnswer;

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

    /** About how much an answer brings. */
    static long characters(RowAnswer rowAnswer) {
        var use = rowAnswer.use();
        return (use == null ? 0L : use.length()) + text(rowAnswer.ending()).length();
    }

    private static String text(RowAnswer.RowEnding rowEnding) {
        return switch (rowEnding) {
            case RowAnswer.RowEnding.RowSucceeded succeeded -> succeeded.result();
            case RowAnswer.RowEnding.RowFailed failed -> failed.why();
            case RowAnswer.RowEnding.NeverSent never -> never.why();
            case RowAnswer.RowEnding.RowAbandoned abandoned -> abandoned.why();
        };
    }
}
