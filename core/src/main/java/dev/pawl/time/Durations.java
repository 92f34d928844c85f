package dev.pawl.time;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Durations as people write them: {@code 30s}, {@code 10m}, {@code 1h30m}, {@code 1h 30m}. */
public final class Durations {
    private static final Pattern WHOLE = Pattern.compile("\\d{1,9}(?:ms|s|m|h|d)(?: ?\\d{1,9}(?:ms|s|m|h|d))*");
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** In milliseconds. */
    private static final int TENTH = 50;

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

    /** For people: {@code 3m 12s}; below ten seconds with a tenth, {@code 0.4s}, and {@code 12ms} where that says nothing. */
    public static String text(Duration duration) {
        return joined(duration, " ");
    }

    /** The same as one word, where a line has fields: {@code 3m12s}. */
    public static String word(Duration duration) {
        return joined(duration, "");
    }

    private static String joined(Duration duration, String between) {
        if (duration.isNegative()) {
            return "-" + joined(duration.abs(), between);
        }
        if (duration.compareTo(Duration.ofMillis(TENTH)) < 0 && duration.toMillis() > 0) {
            return duration.toMillis() + "ms";
        }
        if (duration.compareTo(Duration.ofSeconds(10)) < 0 && duration.toMillisPart() >= TENTH) {
            return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
        }
        var parts = Stream.of(
                        counted(duration.toDays(), "d"),
                        counted(duration.toHoursPart(), "h"),
                        counted(duration.toMinutesPart(), "m"),
                        counted(duration.toSecondsPart(), "s"))
                .filter(part -> !part.isEmpty())
                .toList();
        return parts.isEmpty() ? "0s" : String.join(between, parts);
    }

    private static String counted(long many, String unit) {
        return many > 0 ? many + unit : "";
    }
}
