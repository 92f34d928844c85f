package dev.pawl.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What became of one attempt of a row. It needs no fence: it is about that attempt and no other, and a fact whatever has become of the job that sent it.
 *
 * @param key what the row is called
 * @param generation of the payload that was sent
 * @param attempt the number of the attempt
 * @param ending what became of it
 * @param use what it used, as JSON; null when nobody knows
 */
public record RowAnswer(
        String key,
        int generation,
        int attempt,
        RowEnding ending,
        @Nullable String use) {

    /** About how many characters it brings. */
    public long characters() {
        return (use == null ? 0L : use.length()) + text().length();
    }

    private String text() {
        return switch (ending) {
            case RowEnding.RowSucceeded succeeded -> succeeded.result();
            case RowEnding.RowFailed failed -> failed.why();
            case RowEnding.NeverSent never -> never.why();
            case RowEnding.RowAbandoned abandoned -> abandoned.why();
        };
    }

    /** What became of an attempt. */
    public sealed interface RowEnding {
        /**
         * It succeeded.
         *
         * @param result as JSON
         */
        record RowSucceeded(String result) implements RowEnding {}

        /**
         * It failed.
         *
         * @param because the class of the failure, a short word: {@code transient}, {@code blocked}
         * @param why a sentence for people
         * @param forGood whether it never will succeed
         * @param spends whether it counts against the row
         */
        record RowFailed(String because, String why, boolean forGood, boolean spends) implements RowEnding {
            private static final int MOST_CHARS = 64;

            public RowFailed {
                if (because.isEmpty() || because.length() > MOST_CHARS) {
                    throw new IllegalArgumentException("the class of a row's failure has 1 to 64 characters");
                }
            }
        }

        /** It was certainly never sent, and counts against nobody. */
        record NeverSent(String why) implements RowEnding {}

        /** Nobody waits for it any more; it may be answered yet, and counts against the row. */
        record RowAbandoned(String why) implements RowEnding {}
    }
}
