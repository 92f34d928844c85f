package dev.pawl.time;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 30s}, {@code 10m}, {@code 1h30m}. */
public final class Durations {
    private static final Pattern WHOLE = Pattern.compile("(?:\\d{1,9}(?:ms|s|m|h|d))+");
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Durations() {}

    /**
     * The duration that {@code text} means; {@code PT30S}, as ISO 8601 has it, does too.
     *
     * @throws IllegalArgumentException saying how durations are written
     */
    public static Duration parse(String text) {
        var lower = text.strip().toLowerCase(Locale.ROOT);
        var all = Duration.ZERO;
        if (WHOLE.matcher(lower).matches()) {
            var part = PART.matcher(lower);
            while (part.find()) {
                all = all.plus(part(Long.parseLong(part.group(1)), part.group(2)));
            }
        } else {
            try {
                all = Duration.parse(lower);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException("\"" + text + "\" is no duration; write 30s, 10m, 2h or 1d", e);
            }
        }
        if (all.isNegative() || all.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not between nothing and a hundred years");
        }
        return all;
    }

    private static Duration part(long many, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(many);
            case "s" -> Duration.ofSeconds(many);
            case "m" -> Duration.ofMinutes(many);
            case "h" -> Duration.ofHours(many);
            default -> Duration.ofDays(many);
        };
    }

    /** For people: {@code 3m12s}; below a second {@code 0.4s}. */
    public static String text(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(10)) < 0) {
            return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
        }
        var days = duration.toDays();
        var text = (days > 0 ? days + "d" : "")
                + (duration.toHoursPart() > 0 ? duration.toHoursPart() + "h" : "")
                + (duration.toMinutesPart() > 0 ? duration.toMinutesPart() + "m" : "")
                + (duration.toSecondsPart() > 0 ? duration.toSecondsPart() + "s" : "");
        return text;
    }
}
