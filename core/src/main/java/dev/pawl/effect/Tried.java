package dev.pawl.effect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt as the journal knows it.
 *
 * @param number 1 for the first
 * @param fingerprint of the request it was made with
 * @param terms the contract it was made under
 * @param window when it may have reached the world
 * @param answer what became of it; null while nobody knows
 */
public record Tried(
        int number,
        String fingerprint,
        Terms terms,
        Window window,
        @Nullable Answer answer) {

    /** Whether it may have happened and nobody knows. */
    public boolean open() {
        return answer == null;
    }

    /** The instant from which "did not happen" can be believed. */
    public Instant settledFrom() {
        return window.sentUntil().plus(terms.settle());
    }

    /**
     * Whether its act, if it goes on at {@code now}, may have sent after its deadline. What ends by its deadline ends a moment after it, which is not late: a
     * tenth of the time in which it can still land.
     */
    public boolean isLate(Instant now) {
        return now.isAfter(window.sentUntil().plus(terms.settle().dividedBy(10)));
    }

    /** The same attempt with an answer. */
    public Tried answered(Answer what) {
        return new Tried(number, fingerprint, terms, window, what);
    }

    /** The same attempt, in doubt again if only a person's word had put it aside. */
    public Tried unwaived() {
        return answer instanceof Answer.Waived ? new Tried(number, fingerprint, terms, window, null) : this;
    }

    /** The same attempt, whose worker sent nothing after {@code when}; of an act that goes on without its worker that says nothing. */
    public Tried notSentAfter(Instant when) {
        return window.outlives() || !when.isBefore(window.sentUntil()) ? this : with(window.until(when));
    }

    /** The same attempt, in doubt, which may have been sent as late as {@code when}. */
    public Tried sentUntil(Instant when) {
        return new Tried(number, fingerprint, terms, window.until(when), null);
    }

    /** The same attempt, whose act is known to have ended by {@code when}. */
    public Tried ended(Instant when) {
        return with(window.until(when.isBefore(window.sentUntil()) ? when : window.sentUntil()));
    }

    private Tried with(Window other) {
        return new Tried(number, fingerprint, terms, other, answer);
    }

    /**
     * When an attempt may have reached the world.
     *
     * @param fence whose attempt it was
     * @param intended when its intent was committed
     * @param sentUntil its deadline, or earlier: when its process was known to be gone
     * @param outlives whether its act may still go on although its worker is gone
     */
    public record Window(long fence, Instant intended, Instant sentUntil, boolean outlives) {
        /** Of an act that ends with its worker. */
        public Window(long fence, Instant intended, Instant sentUntil) {
            this(fence, intended, sentUntil, false);
        }

        private Window until(Instant when) {
            return new Window(fence, intended, when, false);
        }
    }
}
