package dev.pawl.retry;

import dev.pawl.failure.Failure;
import dev.pawl.time.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often and after how long to try again.
 *
 * @param attempts the most attempts, the first included
 * @param first the longest wait before the second attempt; it doubles with each further one
 * @param cap the longest wait of all
 */
public record Retry(int attempts, Duration first, Duration cap) {

    /** Five attempts, waiting up to a second at first and up to ten minutes at last. */
    public static final Retry USUAL = new Retry(5, Duration.ofSeconds(1), Duration.ofMinutes(10));

    /**
     * Of commands, which run at night against what may be down for a while: eight attempts, waiting up to half a minute at first and up to ten minutes at
     * last, a quarter of an hour and more in all. Of a thousand rows that an outage of five minutes meets, about two are given up.
     */
    public static final Retry OF_COMMANDS = new Retry(8, Duration.ofSeconds(30), Duration.ofMinutes(10));

    private static final Duration LONGEST_WISH = Duration.ofHours(24);

    public Retry {
        if (attempts < 1 || attempts > 1_000) {
            throw new IllegalArgumentException("attempts are 1 to 1,000, not " + attempts);
        }
        if (first.isNegative() || cap.compareTo(first) < 0 || cap.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException("a backoff goes from " + Durations.text(first)
                    + " up, at most to a year, not to " + Durations.text(cap));
        }
    }

    /** The same with another number of attempts. */
    public Retry attempts(int most) {
        return new Retry(most, first, cap);
    }

    /** The same with another backoff. */
    public Retry backoff(Duration from, Duration to) {
        return new Retry(attempts, from, to);
    }

    /**
     * What to do after attempt number {@code spent} failed. Full jitter: anything between nothing and the doubled wait, so that many jobs
     * that failed together do not come back together. A Retry-After is a floor under that.
     */
    public Judgement judge(Failure failure, int spent, RandomGenerator random) {
        return switch (failure.kind().nextMove()) {
            case GIVE_UP -> new Judgement.GiveUp(failure);
            case WAIT_WITH_ALL -> new Judgement.WaitWithAll(failure);
            case TRY_AGAIN ->
                spent >= attempts
                        ? new Judgement.GiveUp(failure)
                        : new Judgement.TryAgain(delay(failure, spent, random));
        };
    }

    private Duration delay(Failure failure, int spent, RandomGenerator random) {
        var doublings = Math.min(spent - 1, 40);
        var ceiling = first.compareTo(cap.dividedBy(1L << doublings)) > 0 ? cap : first.multipliedBy(1L << doublings);
        var jittered = ceiling.isZero() ? Duration.ZERO : Duration.ofNanos(random.nextLong(ceiling.toNanos() + 1));
        var wish = failure.retryAfter();
        if (wish == null || wish.compareTo(jittered) <= 0) {
            return jittered;
        }
        var bounded = wish.compareTo(LONGEST_WISH) > 0 ? LONGEST_WISH : wish;
        return bounded.plus(jittered);
    }

    /** What a failed attempt leads to. */
    public sealed interface Judgement {
        /** Another attempt, {@code after} that long. */
        record TryAgain(Duration after) implements Judgement {}

        /** No further attempt. */
        record GiveUp(Failure failure) implements Judgement {}

        /** No attempt was spent; somebody has to mend the account first. */
        record WaitWithAll(Failure failure) implements Judgement {}
    }
}
