package dev.pawl.effect;

import dev.pawl.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the destination can do for us when an answer is missing. Declare what is true: a contract that promises too much is how mail is sent
 * twice.
 *
 * @param terms what is kept with each attempt
 * @param verify how to ask the destination, when it can be asked
 * @param <T> the effect's result
 */
public record Contract<T>(Terms terms, @Nullable Verify<T> verify) {

    /** How long an attempt can still land after it can no longer be sent, unless said: a minute. */
    public static final Duration USUAL_SETTLE = Duration.ofSeconds(60);

    /** How long a destination remembers keys, unless said: a day. */
    public static final Duration USUAL_MEMORY = Duration.ofHours(24);

    private static final Duration LONGEST = Duration.ofDays(3_650);

    /** The destination does the same thing once for one key, for a day. */
    public static <T> Contract<T> idempotent() {
        return idempotent(USUAL_MEMORY);
    }

    /** The destination does the same thing once for one key, as long as {@code memory}. */
    public static <T> Contract<T> idempotent(Duration memory) {
        if (!memory.isPositive() || memory.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a destination that remembers keys for " + Durations.text(memory)
                    + " is not idempotent; say how long, up to ten years");
        }
        return new Contract<>(new Terms(memory, false, USUAL_SETTLE), null);
    }

    /** The destination can be asked whether it happened. */
    public static <T> Contract<T> verifiable(Verify<T> verify) {
        return new Contract<>(new Terms(null, true, USUAL_SETTLE), verify);
    }

    /** The destination can do nothing for us: in doubt, a person is asked. */
    public static <T> Contract<T> none() {
        return new Contract<>(new Terms(null, false, USUAL_SETTLE), null);
    }

    /** This contract, and the destination can also be asked. */
    public Contract<T> orVerifiable(Verify<T> how) {
        return new Contract<>(new Terms(terms.memory(), true, terms.settle()), how);
    }

    /** How long an attempt can still land after it can no longer be sent: a queue in between, a list that lags. */
    public Contract<T> settle(Duration longest) {
        if (longest.isNegative() || longest.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a settle time is between nothing and ten years: " + Durations.text(longest));
        }
        return new Contract<>(new Terms(terms.memory(), terms.verifiable(), longest), verify);
    }
}
