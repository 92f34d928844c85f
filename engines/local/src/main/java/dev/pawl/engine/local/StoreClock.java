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
    /** Nothing is concluded from an exchange that took longer: nobody knows when in it the store read its clock. */
    private static final Duration SURE = Duration.ofSeconds(5);

    /** What is less may be the time that exchanges take. */
    private static final Duration STEP = Duration.ofSeconds(30);

    /** What our clocks said. */
    record OwnClocks(long nanos, Instant wall) {}

    /** What the store's clock said, and what ours said when we heard. */
    private record HeardTime(Instant store, OwnClocks ours) {}

    private final Time time;
    private volatile @Nullable HeardTime lastHeard;
    private @Nullable HeardTime sure;
    private @Nullable Duration step;

    StoreClock(Time time) {
        this.time = time;
    }

    /** What our clocks say now, when the store is about to be asked. */
    OwnClocks ours() {
        return new OwnClocks(time.nanos(), time.now());
    }

    /**
     * The store has just said what time it is.
     *
     * @param askedAt what our clocks said before it was asked
     */
    void told(Instant now, OwnClocks askedAt) {
        var heard = new HeardTime(now, ours());
        lastHeard = heard;
        if (heard.ours().nanos() - askedAt.nanos() < SURE.toNanos()) {
            compare(heard);
        }
    }

    /**
     * A store's clock that goes ahead by more than both of ours was set, and so was one that goes on by less than a clock that nobody sets. A machine that slept
     * is told by its wall clock.
     */
    private synchronized void compare(HeardTime heard) {
        var last = sure;
        sure = heard;
        if (last != null) {
            var passed = Duration.between(last.store(), heard.store());
            var byNanos = Duration.ofNanos(heard.ours().nanos() - last.ours().nanos());
            var byWall = Duration.between(last.ours().wall(), heard.ours().wall());
            var ahead = passed.minus(byWall.compareTo(byNanos) > 0 ? byWall : byNanos);
            var behind = byNanos.minus(passed);
            if (ahead.compareTo(STEP) > 0) {
                step = ahead;
            } else if (behind.compareTo(STEP) > 0) {
                step = behind.negated();
            }
        }
    }

    /** By how much the store's clock was set since somebody last asked, ahead or back; null when it was not, as far as can be told from here. */
    synchronized @Nullable Duration takeStep() {
        var taken = step;
        step = null;
        return taken;
    }

    /** The time that it is at least: counted from when the store last told, by a clock that nobody sets and that sleeps with its machine. */
    Instant now() {
        var last = lastHeard;
        return last == null
                ? time.now()
                : last.store().plusNanos(time.nanos() - last.ours().nanos());
    }

    /** The time that it is at most, unless our wall clock was set back while the machine slept. */
    Instant atTheLatest() {
        var last = lastHeard;
        if (last == null) {
            return time.now();
        }
        var byWall = last.store().plus(Duration.between(last.ours().wall(), time.now()));
        var byNanos = now();
        return byWall.isAfter(byNanos) ? byWall : byNanos;
    }
}
