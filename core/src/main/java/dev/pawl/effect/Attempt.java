package dev.pawl.effect;

import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an effect, as the code that acts sees it. Hand {@link #key()} to the destination, and {@link #fence()} too if it can
 * refuse a smaller one than it has seen.
 */
public final class Attempt {

    private final String key;
    private final long fence;
    private final int number;
    private final Time time;
    private final Instant started;
    private final long startedNanos;
    private final Duration allowance;
    private final Runnable ensureOwned;
    private final @Nullable String traceparent;
    private volatile @Nullable Object shown;
    private final AtomicBoolean sent = new AtomicBoolean();
    private final AtomicBoolean foundEnded = new AtomicBoolean();

    /** Attempt {@code number} under {@code fence}, which may send for {@code allowance} from now on. */
    public Attempt(String key, long fence, int number, Duration allowance, Time time) {
        this(key, fence, number, allowance, time, () -> {}, null);
    }

    /**
     * The same for a job that may be lost.
     *
     * @param ensureOwned throws when the job is not safely its worker's any more
     * @param traceparent what the job is part of, as tracing writes it; null when nobody said
     */
    public Attempt(
            String key,
            long fence,
            int number,
            Duration allowance,
            Time time,
            Runnable ensureOwned,
            @Nullable String traceparent) {
        this.ensureOwned = ensureOwned;
        this.traceparent = traceparent;
        this.key = key;
        this.fence = fence;
        this.number = number;
        this.allowance = allowance;
        this.time = time;
        this.started = time.now();
        this.startedNanos = time.nanos();
    }

    /** The effect's key: the same on every retry. */
    public String key() {
        return key;
    }

    /** The job's fence: it grows with each owner. */
    public long fence() {
        return fence;
    }

    /** 1 for the first attempt. */
    public int number() {
        return number;
    }

    /** What the job is part of, as tracing writes it, for whom this attempt calls; null when nobody said. */
    public @Nullable String traceparent() {
        return traceparent;
    }

    /** How long this attempt may still send: the less of what wall and monotonic clock leave, so a sleeping laptop is not fooled. */
    public Duration left() {
        var byWall = allowance.minus(Duration.between(started, time.now()));
        var byMonotonic = allowance.minusNanos(time.nanos() - startedNanos);
        var less = byWall.compareTo(byMonotonic) < 0 ? byWall : byMonotonic;
        return less.isNegative() ? Duration.ZERO : less;
    }

    /**
     * Makes sure that the job is still safely this worker's. For whoever begins something late or once more: a process that was frozen may
     * find that somebody else has long gone on.
     *
     * @throws dev.pawl.failure.LeaseLost when it is not; let it through
     */
    public void ensureOwned() {
        ensureOwned.run();
    }

    /** Says what this attempt of a step does, for people who are told that it failed; what an effect does is its request. */
    public void showing(Object what) {
        shown = what;
    }

    /** What it said that it does; null when it said nothing. */
    public @Nullable Object shown() {
        return shown;
    }

    /**
     * Says that an earlier worker began this, and that its end was found here with all that it used: for what outlives its worker. Then nothing that
     * worker used is unknown.
     */
    public void foundEnded() {
        foundEnded.set(true);
    }

    /** Whether its end was found, and not made. */
    public boolean wasFoundEnded() {
        return foundEnded.get();
    }

    /**
     * Marks that a request leaves now.
     *
     * @throws IllegalStateException when one did already: an attempt is one request
     */
    public void sending() {
        if (!sent.compareAndSet(false, true)) {
            throw new IllegalStateException("an attempt sends one request; make a second request a second effect");
        }
    }
}
