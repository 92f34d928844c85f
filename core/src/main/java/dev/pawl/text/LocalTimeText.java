package dev.pawl.text;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times for people: on the clock of the machine where they read it, with its zone; ISO and UTC are for machines. */
public final class LocalTimeText {

    private static final Pattern INSTANT =
            Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z");

    private LocalTimeText() {}

    /** {@code 2026-04-12 11:58:02 Europe/Berlin}. */
    public static String of(Instant when) {
        return of(when, ZoneId.systemDefault());
    }

    /** {@code text} with every instant in it as people read it: what was written down on another machine is read here. */
    public static String within(String text) {
        return INSTANT.matcher(text).replaceAll(found -> Matcher.quoteReplacement(read(found.group())));
    }

    private static String read(String instant) {
        try {
            return of(Instant.parse(instant));
        } catch (DateTimeParseException e) {
            return instant;
        }
    }

    static String of(Instant when, ZoneId zone) {
        var at = when.atZone(zone);
        return at.toLocalDate() + " " + String.format(Locale.ROOT, "%tT", at) + " " + zone.getId();
    }
}
