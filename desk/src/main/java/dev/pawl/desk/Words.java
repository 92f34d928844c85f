package dev.pawl.desk;

import dev.pawl.failure.FailedAt;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Many;
import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What others wrote, fit for one line. */
public final class Words {
    private static final int MOST_CHARS = 160;

    private static final DateTimeFormatter SHORTLY = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss", Locale.ROOT);

    private Words() {}

    /** What a command wrote, line by line, so that it cannot move anybody's cursor or forge what Pawl says. */
    public static String harmless(String text) {
        return Visible.lines(text);
    }

    /** Where and why a job failed. */
    public static String of(FailedAt failed) {
        var place = Visible.of(failed.place().toString());
        return "failed" + (place.isEmpty() ? "" : " at " + place) + ": "
                + cut(failed.failure().message());
    }

    /** {@code text} on one line, without control characters, and not longer than a line should be. */
    public static String cut(String text) {
        var line = Visible.of(WithoutPasswords.of(text.replaceAll("\\s+", " ")));
        return line.codePointCount(0, line.length()) > MOST_CHARS
                ? line.substring(0, line.offsetByCodePoints(0, MOST_CHARS)) + "…"
                : line;
    }

    /** {@code 1 row is} or {@code 2 rows are}. */
    public static String many(long many, String what) {
        return Many.of(many, what + " is", what + "s are");
    }

    /** For people who know which zone is meant: {@code 04-12 11:58:02}. */
    public static String shortly(Instant when) {
        return SHORTLY.format(when.atZone(ZoneId.systemDefault()));
    }

    /** For people: local time with its zone. */
    public static String local(Instant when) {
        return LocalTimeText.of(when);
    }
}
