package dev.pawl.cli;

import dev.pawl.store.Change;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** What others wrote, fit for one line of a terminal. */
final class Words {
    private static final int MOST_CHARS = 160;

    private static final DateTimeFormatter SHORTLY = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss");

    /** What moves a cursor, begins an escape, or turns the direction of writing. */
    private static final String UNSEEN = "\\p{Cc}\\u202A-\\u202E\\u2066-\\u2069";

    private Words() {}

    /** What a command wrote, line by line, so that it cannot move anybody's cursor or forge what Pawl says. */
    static String harmless(String text) {
        return text.replaceAll("[" + UNSEEN + "&&[^\\n\\t]]", "");
    }

    /** Where and why a job failed. */
    static String of(Change.FailedAt failed) {
        var place = failed.place().toString();
        return "failed" + (place.isEmpty() ? "" : " at " + place) + ": "
                + cut(failed.failure().message());
    }

    /** {@code text} on one line, without control characters, and not longer than a line should be. */
    static String cut(String text) {
        var line = text.replaceAll("[" + UNSEEN + "]+", " ");
        return line.length() > MOST_CHARS ? line.substring(0, MOST_CHARS) + "…" : line;
    }

    /** {@code 1 row is} or {@code 2 rows are}. */
    static String many(long many, String what) {
        return many == 1 ? "1 " + what + " is" : many + " " + what + "s are";
    }

    /** For people who know which zone is meant: {@code 04-12 11:58:02}. */
    static String shortly(Instant when) {
        return SHORTLY.format(when.atZone(ZoneId.systemDefault()));
    }

    /** For people: local time with its zone. */
    static String local(Instant when) {
        var at = when.atZone(ZoneId.systemDefault());
        return at.toLocalDate() + " " + at.toLocalTime().withNano(0) + " "
                + at.getZone().getId();
    }
}
