package dev.pawl.lease;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a worker may believe in its own lease. Time passed is the larger of monotonic and wall time since <em>before</em> it last asked:
 * a laptop's monotonic clock stands still while it sleeps, and a wall clock can be set back.
 *
 * @param term the lease's term
 * @param askedAt wall time before the last beat that the store took
 * @param askedNanos monotonic time before that beat
 */
public record Trust(Duration term, Instant askedAt, long askedNanos) {

    /** How far the two clocks may drift apart before the worker asks rather than trusts. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** Whether the lease is safely held at this moment. If not, the worker renews before it acts. */
    public boolean holds(Instant now, long nanos) {
        var wall = Duration.between(askedAt, now);
        var monotonic = Duration.ofNanos(nanos - askedNanos);
        var apart = wall.minus(monotonic).abs();
        var passed = wall.compareTo(monotonic) > 0 ? wall : monotonic;
        return apart.compareTo(TOLERANCE) <= 0 && passed.compareTo(safe()) < 0;
    }

    /** The part of the term that is trusted. */
    private Duration safe() {
        return term.multipliedBy(2).dividedBy(3);
    }
}
