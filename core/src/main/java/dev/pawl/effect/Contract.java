package dev.pawl.effect;

import dev.pawl.json.TypeToken;
import dev.pawl.key.Names;
import dev.pawl.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the destination can do for us when an answer is missing. Declare what is true: a contract that promises too much is how mail is sent
 * twice.
 *
 * @param terms what is kept with each attempt
 * @param verify how to ask the destination, when it can be asked
 * @param owedEnd how what it begins is ended there; null when it begins nothing that goes on, or nothing that is owed an end
 * @param <T> the effect's result
 */
public record Contract<T>(
        Terms terms, @Nullable Verify<T> verify, @Nullable OwedEnd<T> owedEnd) {

    /** How long an attempt can still land after it can no longer be sent, unless said: a minute. */
    public static final Duration USUAL_SETTLE = Duration.ofSeconds(60);

    /** How long a destination remembers keys, unless said: a day. */
    public static final Duration USUAL_MEMORY = Duration.ofHours(24);

    private static final Duration LONGEST = Duration.ofDays(3_650);

    /** One of an effect after which nothing goes on. */
    public Contract(Terms terms, @Nullable Verify<T> verify) {
        this(terms, verify, null);
    }

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

    /** The destination can be asked whether it happened. Where the compiler does not understand it, {@link #giving} makes it say why. */
    public static <T> Contract<T> verifiable(Verify<T> verify) {
        return new Contract<>(new Terms(null, true, USUAL_SETTLE), verify);
    }

    /** The destination can do nothing for us: in doubt, a person is asked. */
    public static <T> Contract<T> none() {
        return new Contract<>(new Terms(null, false, USUAL_SETTLE), null);
    }

    /**
     * A contract of an effect that gives this: {@code Contract.giving(Receipt.class).verifiable(bank::find)}. Said first, it lets the compiler tell in one plain sentence that a look-up has another shape.
     */
    public static <T> Giving<T> giving(Class<T> result) {
        return giving(TypeToken.of(result));
    }

    /** {@link #giving(Class)}, for results with type arguments. */
    public static <T> Giving<T> giving(TypeToken<T> result) {
        return new Giving<>(result);
    }

    /**
     * The contracts of effects that give this.
     *
     * @param result what they give
     * @param <T> the same
     */
    public record Giving<T>(TypeToken<T> result) {
        /** {@link Contract#idempotent()}. */
        public Contract<T> idempotent() {
            return Contract.idempotent();
        }

        /** {@link Contract#idempotent(Duration)}. */
        public Contract<T> idempotent(Duration memory) {
            return Contract.idempotent(memory);
        }

        /** {@link Contract#verifiable}. */
        public Contract<T> verifiable(Verify<T> verify) {
            return Contract.verifiable(verify);
        }

        /** {@link Contract#none}. */
        public Contract<T> none() {
            return Contract.none();
        }
    }

    /** This contract, and the destination can also be asked. */
    public Contract<T> orVerifiable(Verify<T> how) {
        return new Contract<>(new Terms(terms.memory(), true, terms.settle()), how, owedEnd);
    }

    /** How long an attempt can still land after it can no longer be sent: a queue in between, a list that lags. */
    public Contract<T> settle(Duration longest) {
        if (longest.isNegative() || longest.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a settle time is between nothing and ten years: " + Durations.text(longest));
        }
        return new Contract<>(new Terms(terms.memory(), terms.verifiable(), longest), verify, owedEnd);
    }

    /**
     * This contract, of an effect after which something goes on elsewhere: {@code awaited} is where the code waits for its end, with
     * {@link dev.pawl.job.Job#await}, in the effect's own scope and with its item. A job that ends otherwise than by that wait, because it was called off,
     * was discarded or returned, ends it there first, under a key of its own. One that fails leaves it going on, and says so.
     */
    public Contract<T> awaitedAs(String awaited, OwedEnd.EndsIt<T> end) {
        return new Contract<>(terms, verify, new OwedEnd<>(Names.check("wait", awaited), end));
    }
}
