package dev.pawl.guard;

import dev.pawl.key.Key;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Once in each hour, day or week of a place: the work item that a moment belongs to. */
public enum OncePer {
    /** An hour as the clock on the wall shows it; one that is shown a second time, when summer time ends, is another. */
    HOUR,
    /** A day. */
    DAY,
    /** A week from Monday on, as ISO 8601 counts them. */
    WEEK;

    private static final DateTimeFormatter HOURS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH", Locale.ROOT);
    private static final DateTimeFormatter WEEKS = DateTimeFormatter.ofPattern("YYYY-'W'ww", Locale.GERMANY);

    /** What {@code word} means: {@code hour}, {@code day} or {@code week}. */
    public static OncePer named(String word) {
        return switch (word) {
            case "hour" -> HOUR;
            case "day" -> DAY;
            case "week" -> WEEK;
            default -> throw new IllegalArgumentException("\"" + word + "\" is none of hour, day and week");
        };
    }

    /** The work item of {@code at}. */
    public Key key(ZonedDateTime at) {
        return switch (this) {
            case HOUR ->
                Key.of(HOURS.format(at) + (isSecondTime(at) ? at.getOffset().getId() : ""));
            case DAY -> Key.of(at.toLocalDate());
            case WEEK -> Key.of(WEEKS.format(at));
        };
    }

    /** Whether the clock on the wall has shown this very time before: it was put back in between. */
    private static boolean isSecondTime(ZonedDateTime at) {
        return !at.getOffset().equals(at.withEarlierOffsetAtOverlap().getOffset());
    }
}
