package dev.pawl.cost;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/**
 * What something cost, as far as it is known.
 *
 * @param nanoUsd what is known of it, in billionths of a dollar
 * @param tokens all of them
 * @param toolCalls all of them
 * @param wall how long the attempts took that used something
 * @param unknown what is not in {@code nanoUsd}
 */
public record Cost(long nanoUsd, Use.Tokens tokens, int toolCalls, Duration wall, Unknown unknown) {
    /** Nothing was used, and nothing is unknown. */
    public static final Cost NOTHING = new Cost(0, Use.Tokens.NONE, 0, Duration.ZERO, Unknown.NOTHING);

    /**
     * What nobody knows.
     *
     * @param unpriced uses of models without a price
     * @param lost attempts that died with their process
     * @param uncounted uses of which nobody can tell the tokens
     */
    public record Unknown(int unpriced, int lost, int uncounted) {
        /** Everything is known. */
        public static final Unknown NOTHING = new Unknown(0, 0, 0);

        private Unknown plus(Unknown moreUnknown, int times) {
            return new Unknown(
                    unpriced + times * moreUnknown.unpriced,
                    lost + times * moreUnknown.lost,
                    uncounted + times * moreUnknown.uncounted);
        }

        /** Whether the cost of anything is. */
        public boolean any() {
            return unpriced > 0 || lost > 0;
        }
    }

    /** What {@code uses} in an attempt of this length cost. */
    public static Cost of(List<Use> uses, Duration wall) {
        var cost = new Cost(0, Use.Tokens.NONE, 0, wall, Unknown.NOTHING);
        for (var use : uses) {
            var usd = use.nanoUsd();
            cost = cost.plus(new Cost(
                    usd == null ? 0 : usd,
                    use.tokens(),
                    use.toolCalls(),
                    Duration.ZERO,
                    new Unknown(usd == null ? 1 : 0, 0, use.isUnreadable() ? 1 : 0)));
        }
        return cost;
    }

    /** An attempt that died with its process. */
    public static Cost ofALostAttempt() {
        return new Cost(0, Use.Tokens.NONE, 0, Duration.ZERO, new Unknown(0, 1, 0));
    }

    /** What was taken for a lost attempt is known after all. */
    public static Cost ofAFoundAttempt() {
        return new Cost(0, Use.Tokens.NONE, 0, Duration.ZERO, new Unknown(0, -1, 0));
    }

    /** This and more. */
    public Cost plus(Cost more) {
        return new Cost(
                Math.addExact(nanoUsd, more.nanoUsd),
                tokens.plus(more.tokens),
                toolCalls + more.toolCalls,
                wall.plus(more.wall),
                unknown.plus(more.unknown, 1));
    }

    /** What has come to it since it was {@code earlier}. */
    public Cost since(Cost earlier) {
        return new Cost(
                nanoUsd - earlier.nanoUsd,
                tokens.since(earlier.tokens),
                toolCalls - earlier.toolCalls,
                wall.minus(earlier.wall),
                unknown.plus(earlier.unknown, -1));
    }

    /** What is known of it, in US dollars. */
    public BigDecimal usd() {
        return usd(nanoUsd);
    }

    /** Billionths of a dollar as dollars. */
    public static BigDecimal usd(long nanoUsd) {
        var usd = BigDecimal.valueOf(nanoUsd, 9).stripTrailingZeros();
        return usd.scale() < 2 ? usd.setScale(2) : usd;
    }

    /** Billionths of a dollar as people write them: {@code 0.42USD}. */
    public static String text(long nanoUsd) {
        return usd(nanoUsd).toPlainString() + "USD";
    }

    /** In a word: {@code 0.42USD}, {@code unknown}, or {@code 0.42USD+unknown}. */
    @Override
    public String toString() {
        if (!unknown.any()) {
            return text(nanoUsd);
        }
        return nanoUsd == 0 ? "unknown" : text(nanoUsd) + "+unknown";
    }
}
