package dev.pawl.store;

import dev.pawl.gate.Gate;
import dev.pawl.look.StoredJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job that was stored, or a gate that was closed, while the store's clock was ahead: its times lie in a future that never was, and everybody
 * would wait for it. Pure.
 */
public final class ClockAhead {
    /** How far ahead a time may be and still be taken for one: whoever commits side by side reads the clock a moment apart. */
    public static final Duration TOLERATED = Duration.ofSeconds(5);

    private ClockAhead() {}

    /**
     * The times of a job that was last changed at a time that is still to come; null when it was not, or waits for nothing. How long it was to wait counts
     * from now on. When a job was not to start before a certain time, that time stands.
     */
    public static StoredJob.@Nullable Times mended(StoredJob job, Instant now) {
        var times = job.standing().times();
        var due = times.due();
        if (due == null || !due.isAfter(now) || !times.changed().isAfter(now.plus(TOLERATED))) {
            return null;
        }
        var notBefore = job.neverStarted() && due.isAfter(times.changed());
        return new StoredJob.Times(
                times.created().isAfter(now) ? now : times.created(),
                now,
                notBefore ? due : now.plus(Duration.between(times.changed(), due)));
    }

    /** A gate that was closed at a time that is still to come, and opens by itself; null when it is another. How long it was to be closed counts from now on. */
    public static @Nullable Gate mended(Gate gate, Instant now) {
        var closing = gate.closing();
        var until = closing == null ? null : closing.until();
        if (closing == null || until == null || !closing.since().isAfter(now.plus(TOLERATED))) {
            return null;
        }
        return gate.closed(new Gate.Closing(closing.why(), now, now.plus(Duration.between(closing.since(), until))));
    }
}
