package dev.pawl.job;

import dev.pawl.key.Names;
import dev.pawl.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often something is looked at that goes on elsewhere: {@code every(ofSeconds(10), ofMinutes(15)).wokenBy("session-updated")}.
 *
 * @param from at first
 * @param to at last
 * @param wokenBy the signal that makes it look at once; null for none
 */
public record Rhythm(Duration from, Duration to, @Nullable String wokenBy) {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    /** Of what has gone on for a while, the eighth part of that passes between two looks. */
    private static final int PART = 8;

    public Rhythm {
        if (from.compareTo(SHORTEST) < 0 || to.compareTo(from) < 0 || to.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("looks are a second apart at least, and seven days at most: not every "
                    + Durations.text(from) + " to " + Durations.text(to));
        }
        if (wokenBy != null) {
            Names.check("signal", wokenBy);
        }
    }

    /** Soon again at first, and more seldom the longer it goes on: after an eighth of the time that it has gone on for, but {@code from} at least and {@code to} at most. */
    public static Rhythm every(Duration from, Duration to) {
        return new Rhythm(from, to, null);
    }

    /** The same, and a signal of this name makes it look at once: a webhook, say. It is a hint, and tells nothing by itself. */
    public Rhythm wokenBy(String signal) {
        return new Rhythm(from, to, signal);
    }

    /** How long it is until the next look at something that has gone on for so long. */
    public Duration after(Duration goneOn) {
        var next = goneOn.dividedBy(PART);
        if (next.compareTo(from) < 0) {
            return from;
        }
        return next.compareTo(to) > 0 ? to : next;
    }
}
