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
import org.jspecify.annotations.Nullable;

/**
 * Something happened to a job or a worker.
 *
 * @param at when
 * @param kind what, of the catalogue
 * @param level how loud
 * @param fields what it says of it, by their words
 * @param thrown what a job's code has thrown, with its stack; null where it threw nothing, and where another process heard it
 */
public record Event(
        Instant at,
        EventKind kind,
        Level level,
        SequencedMap<String, String> fields,
        @Nullable Throwable thrown) {

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

    /** An event without fields yet, as loud as its kind is. */
    public static Event of(Instant at, EventKind kind) {
        return new Event(at, kind, kind.level(), new LinkedHashMap<>(Map.of()), null);
    }

    /** The same, as loud as this. */
    public Event as(Level loud) {
        return new Event(at, kind, loud, fields, thrown);
    }

    /**
     * The same event with one more field; a duration as people write it, {@code 1h2m}.
     *
     * @throws IllegalArgumentException when events of its kind do not say that
     */
    public Event with(EventField field, Object value) {
        if (!kind.says(field)) {
            throw new IllegalArgumentException("an event " + kind.word() + " has no field " + field.word());
        }
        var more = new LinkedHashMap<>(fields);
        more.put(field.word(), value instanceof Duration time ? Durations.word(time) : String.valueOf(value));
        return new Event(at, kind, level, more, thrown);
    }

    /** The same, with what the job's code has thrown. */
    public Event with(@Nullable Throwable what) {
        return new Event(at, kind, level, fields, what);
    }

    /** What it says of this; null when it says nothing. */
    public @Nullable String said(EventField field) {
        return fields.get(field.word());
    }

    /** What, in a word or two: {@code claimed}, {@code asks}, {@code duplicated}. */
    public String name() {
        return kind.word();
    }

    /** The event as one logfmt line, its time on this machine's clock, with its distance from UTC. */
    public String line() {
        var line = new StringBuilder();
        Logfmt.append(line, "at", AT.format(at.atZone(ZoneId.systemDefault())));
        append(line);
        return line.toString();
    }

    /** The same for a log whose lines have a time of their own. */
    public String lineWithoutTime() {
        var line = new StringBuilder();
        append(line);
        return line.toString();
    }

    private void append(StringBuilder line) {
        Logfmt.append(line, "event", kind.word());
        fields.forEach((field, value) -> Logfmt.append(line, field, value));
    }
}
