package dev.pawl.effect;

import dev.pawl.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What to do about an effect in doubt. Pure: attempts in, a move out. */
public sealed interface Settling {

    /** How often a destination may say it cannot tell before a person is asked. */
    int MOST_CANNOT_TELL = 3;

    /** Act again with the same key, if the attempt begins before {@code until}: the destination remembers the key as long as it can land. */
    record ActAgain(Instant until) implements Settling {}

    /** Ask the destination. "Did not happen" counts only when it was asked at or after {@code negativeCountsFrom}. */
    record Ask(Instant negativeCountsFrom) implements Settling {}

    /** Nobody but a person can tell. */
    record AskAPerson(String why) implements Settling {}

    /**
     * Decides by the terms that the open attempts were made under: what one of them does not allow is not done.
     *
     * @param attempts all attempts of the effect, at least one of them open
     * @param now the store's time
     * @param lasts how long another attempt may send
     * @param canVerify whether today's code knows how to ask
     * @param cannotTell how often the destination could not tell since the last attempt
     */
    static Settling decide(List<Tried> attempts, Instant now, Duration lasts, boolean canVerify, int cannotTell) {
        var open = attempts.stream().filter(Tried::open).toList();
        var memory = shortestMemory(open);
        var verifiable = open.stream().allMatch(attempt -> attempt.terms().verifiable());
        if (memory != null) {
            var forgotten = attempts.getFirst().window().intended().plus(memory);
            var until = forgotten.minus(lasts).minus(longestSettle(open));
            if (now.isBefore(until)) {
                return new ActAgain(until);
            }
        }
        if (verifiable && canVerify) {
            return cannotTell < MOST_CANNOT_TELL
                    ? new Ask(settledFrom(open))
                    : new AskAPerson("the destination was asked " + cannotTell + " times and could not tell");
        }
        if (memory != null) {
            return new AskAPerson("the destination remembers keys for " + Durations.text(memory)
                    + " from the first attempt on, and another one could land later than that");
        }
        return new AskAPerson(
                verifiable ? "the code no longer says how to ask the destination" : "the effect has no contract");
    }

    /** How long the destination remembers every open attempt's key; null when one of them was made where it does not. */
    private static @Nullable Duration shortestMemory(List<Tried> open) {
        Duration shortest = null;
        for (var attempt : open) {
            var memory = attempt.terms().memory();
            if (memory == null) {
                return null;
            }
            shortest = shortest == null || memory.compareTo(shortest) < 0 ? memory : shortest;
        }
        return shortest;
    }

    private static Duration longestSettle(List<Tried> open) {
        return open.stream()
                .map(attempt -> attempt.terms().settle())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** The instant from which "did not happen" can be believed of all {@code open} attempts. */
    static Instant settledFrom(List<Tried> open) {
        return open.stream().map(Tried::settledFrom).max(Instant::compareTo).orElseThrow();
    }
}
