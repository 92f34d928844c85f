package dev.pawl.effect;

import dev.pawl.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the destination says when it is asked.
 *
 * @param <T> the effect's result
 */
public sealed interface Verification<T> {

    /** It is there, with this result. */
    record Happened<T>(@Nullable T result) implements Verification<T> {}

    /** It is certainly not there. An empty answer from a look-up that may have failed is not this: say {@link CannotTell}. */
    record DidNotHappen<T>() implements Verification<T> {}

    /** Too early to say: ask again after a while. */
    record AskAgain<T>(Duration after) implements Verification<T> {
        public AskAgain {
            if (after.isNegative() || after.compareTo(Duration.ofDays(30)) > 0) {
                throw new IllegalArgumentException("ask again within 30 days, not after " + Durations.text(after));
            }
        }
    }

    /** The look-up failed, or its answer means nothing. */
    record CannotTell<T>(String why) implements Verification<T> {}

    /** It is there, with this result. */
    static <T> Verification<T> happened(@Nullable T result) {
        return new Happened<>(result);
    }

    /** It is certainly not there. */
    static <T> Verification<T> didNotHappen() {
        return new DidNotHappen<>();
    }

    /** Too early to say. */
    static <T> Verification<T> askAgain(Duration after) {
        return new AskAgain<>(after);
    }

    /** The look-up failed. */
    static <T> Verification<T> cannotTell(String why) {
        return new CannotTell<>(why);
    }
}
