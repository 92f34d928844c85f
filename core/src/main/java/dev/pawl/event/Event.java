package dev.pawl.event;

import dev.pawl.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Something happened to a job or a worker.
 *
 * @param at when
 * @param name what, in a word or two: {@code claimed}, {@code asks}, {@code duplicated}
 * @param level how loud
 * @param fields which job, which effect, why
 */
public record Event(Instant at, String name, Level level, SequencedMap<String, String> fields) {

    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxxx", Locale.ROOT);

    /** How loud an event is. */
    public enum Level {
        /** All is well. */
        QUIET,
        /** Something was retried or waited for. */
        NOTICE,
        /** A person should look. */
        LOUD
    }

    public Event {
        fields = new LinkedHashMap<>(fields);
    }

    /** An event without fields yet. */
    public static Event of(Instant at, String name, Level level) {
        return new Event(at, name, level, new LinkedHashMap<>(Map.of()));
    }

    /** The same event with one more field; a duration as people write it, {@code 1h2m}. */
    public Event with(String field, Object value) {
        var more = new LinkedHashMap<>(fields);
        more.put(field, value instanceof Duration time ? Durations.word(time) : String.valueOf(value));
        return new Event(at, name, level, more);
    }

    /** The event as one logfmt line, its time on this machine's clock, with its distance from UTC. */
    public String line() {
        var line = new StringBuilder();
        Logfmt.append(line, "at", AT.format(at.atZone(ZoneId.systemDefault())));
        Logfmt.append(line, "event", name);
        fields.forEach((field, value) -> Logfmt.append(line, field, value));
        return line.toString();
    }
}
