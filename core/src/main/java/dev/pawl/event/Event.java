package dev.pawl.event;

import java.time.Instant;
import java.util.LinkedHashMap;
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

    /** The same event with one more field. */
    public Event with(String field, Object value) {
        var more = new LinkedHashMap<>(fields);
        more.put(field, String.valueOf(value));
        return new Event(at, name, level, more);
    }

    /** The event as one logfmt line. */
    public String line() {
        var line = new StringBuilder();
        Logfmt.append(line, "at", at.toString());
        Logfmt.append(line, "event", name);
        fields.forEach((field, value) -> Logfmt.append(line, field, value));
        return line.toString();
    }
}
