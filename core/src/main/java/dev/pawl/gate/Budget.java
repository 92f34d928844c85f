package dev.pawl.gate;

import dev.pawl.cost.Cost;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How much may be spent: {@code Budget.perDay(usd("20"))}. It is looked at before each attempt; what runs already finishes, so it can be
 * overdrawn by that much.
 *
 * @param per for what
 * @param limit how much
 */
public record Budget(Per per, Limit limit) {
    /** For what a budget is. */
    public enum Per {
        /** One job, with the jobs that it called. */
        JOB,
        /** All jobs of a workflow, for ever. */
        WORKFLOW,
        /** All jobs of a workflow on one day, in UTC. It opens by itself the next day. */
        DAY
    }

    /**
     * How much.
     *
     * @param amount billionths of a dollar, or tokens in and out together
     * @param money whether it is money
     */
    public record Limit(long amount, boolean money) {
        public Limit {
            if (amount <= 0) {
                throw new IllegalArgumentException("a budget is more than nothing");
            }
        }

        /** Whether so much is as much as may be, when a person allowed it {@code raised} times more. */
        public boolean spent(Cost cost, int raised) {
            return (money ? cost.nanoUsd() : cost.tokens().all()) / (raised + 1.0) >= amount;
        }

        /** Why nobody can tell how much was spent; null when somebody can. */
        public @Nullable String unclear(Cost cost) {
            if (money) {
                return cost.unknown().unpriced() > 0 ? "something that was used has no price" : null;
            }
            return cost.unknown().uncounted() > 0 ? "what was said of a use cannot be read" : null;
        }

        /** What was spent, in what this limit is in. */
        public String of(Cost cost) {
            return money ? cost.toString() : cost.tokens().all() + " tokens";
        }

        @Override
        public String toString() {
            return money ? Cost.text(amount) : amount + " tokens";
        }
    }

    /** So many US dollars. */
    public static Limit usd(String dollars) {
        return new Limit(new BigDecimal(dollars).movePointRight(9).longValueExact(), true);
    }

    /** So many tokens, in and out together. */
    public static Limit tokens(long many) {
        return new Limit(many, false);
    }

    /** For one job, with the jobs that it called. */
    public static Budget perJob(Limit limit) {
        return new Budget(Per.JOB, limit);
    }

    /** For all jobs of a workflow, for ever. */
    public static Budget perWorkflow(Limit limit) {
        return new Budget(Per.WORKFLOW, limit);
    }

    /** For all jobs of a workflow on one day, in UTC. */
    public static Budget perDay(Limit limit) {
        return new Budget(Per.DAY, limit);
    }
}
