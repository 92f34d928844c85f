package dev.pawl.engine.local;

import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The store's time, as far as it can be told from here. All processes agree on it, whatever their own clocks say: what one recorded, another may
 * compare with it. Thread-safe.
 */
final class StoreClock {
    /** What the store's clock said, and what ours said when we heard. */
    private record Told(Instant store, long nanos, Instant wall) {}

    private final Time time;
    private volatile @Nullable Told told;

    StoreClock(Time time) {
        this.time = time;
    }

    /** The store has just said what time it is. */
    void told(Instant now) {
        told = new Told(now, time.nanos(), time.now());
    }

    /** The time that it is at least: counted from when the store last told, by a clock that nobody sets and that sleeps with its machine. */
    Instant now() {
        var last = told;
        return last == null ? time.now() : last.store().plusNanos(time.nanos() - last.nanos());
    }

    /** The time that it is at most, unless our wall clock was set back while the machine slept. */
    Instant atTheLatest() {
        var last = told;
        if (last == null) {
            return time.now();
        }
        var byWall = last.store().plus(Duration.between(last.wall(), time.now()));
        var byNanos = now();
        return byWall.isAfter(byNanos) ? byWall : byNanos;
    }
}
