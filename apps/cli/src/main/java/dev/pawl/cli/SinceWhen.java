package dev.pawl.cli;

import dev.pawl.time.Durations;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;

/** Since when, as people say it: a time of the day, an instant, or how long ago. */
final class SinceWhen {
    private SinceWhen() {}

    /** The last time that the clock showed {@code text}; or the instant; or so long ago. */
    static Instant parse(String text, Instant now) {
        var here = ZoneId.systemDefault();
        try {
            var today = now.atZone(here).with(LocalTime.parse(text));
            return (today.toInstant().isAfter(now) ? today.minusDays(1) : today).toInstant();
        } catch (DateTimeParseException noTime) {
            try {
                return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeParseException noInstant) {
                return now.minus(Durations.parse(text));
            }
        }
    }
}
