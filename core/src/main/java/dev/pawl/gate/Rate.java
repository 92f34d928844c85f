package dev.pawl.gate;

import dev.pawl.key.Names;
import java.time.Duration;

/**
 * How often something may be begun, in all processes together: {@code new Rate("some-provider", 60, Duration.ofMinutes(1))}. Steps and effects
 * that say {@code named("ask").through("some-provider")} count.
 *
 * @param gate the gate's name
 * @param most how many attempts
 * @param per in how long
 */
public record Rate(String gate, int most, Duration per) {
    public Rate {
        Names.check("gate", gate);
        if (most < 1 || !per.isPositive() || per.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException(
                    "a rate is at least one attempt in up to a year, not " + most + " in " + per);
        }
    }
}
