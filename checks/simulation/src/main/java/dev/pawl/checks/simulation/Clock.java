package dev.pawl.checks.simulation;

import java.time.Duration;

/** What is wrong with a machine's clock. */
public enum Clock {
    /** Nothing, until somebody sets it. */
    RIGHT,
    /** It is an hour ahead. */
    HOUR_AHEAD,
    /** It is an hour behind. */
    HOUR_BEHIND,
    /** It is a day ahead. */
    DAY_AHEAD,
    /** It is a day behind. */
    DAY_BEHIND,
    /** It stands still. */
    FROZEN,
    /** It runs backwards. */
    BACKWARDS,
    /** It is right, but the machine sleeps again and again, and its monotonic clock with it. */
    SLEEPS;

    /** How far its wall clock is from right when it has run for so long. */
    Duration off(Duration running) {
        return switch (this) {
            case RIGHT, SLEEPS -> Duration.ZERO;
            case HOUR_AHEAD -> Duration.ofHours(1);
            case HOUR_BEHIND -> Duration.ofHours(-1);
            case DAY_AHEAD -> Duration.ofDays(1);
            case DAY_BEHIND -> Duration.ofDays(-1);
            case FROZEN -> running.negated();
            case BACKWARDS -> running.multipliedBy(-2);
        };
    }
}
