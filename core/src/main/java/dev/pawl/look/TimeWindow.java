package dev.pawl.look;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of time, to the millisecond.
 *
 * @param from its first instant; null when it has always been
 * @param to the first instant after it; null when it is not over
 */
public record TimeWindow(@Nullable Instant from, @Nullable Instant to) {
    private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE / 2);
    private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE / 2);

    /** All times. */
    public static final TimeWindow EVER = new TimeWindow(null, null);

    public TimeWindow {
        if (from != null && to != null && to.isBefore(from)) {
            throw new IllegalArgumentException("a stretch of time ends after it begins: " + from + " to " + to);
        }
    }

    /** Its first millisecond. */
    public long firstMilli() {
        return from == null ? Long.MIN_VALUE : millis(from);
    }

    /** Its last millisecond. */
    public long lastMilli() {
        return to == null ? Long.MAX_VALUE : millis(to) - 1;
    }

    /** What is farther away than milliseconds can say is as far away as they can. */
    private static long millis(Instant when) {
        return when.isBefore(EARLIEST)
                ? EARLIEST.toEpochMilli()
                : when.isAfter(LATEST) ? LATEST.toEpochMilli() : when.toEpochMilli();
    }

    /** From {@code from} on. */
    public static TimeWindow since(Instant from) {
        return new TimeWindow(from, null);
    }

    /** Whether {@code when} is in it. */
    public boolean contains(Instant when) {
        var milli = millis(when);
        return firstMilli() <= milli && milli <= lastMilli();
    }
}
