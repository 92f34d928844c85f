package dev.pawl.export;

import dev.pawl.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing of a store.
 *
 * @param kind what it is
 * @param values a number, a text or nothing for each of the kind's fields, in their order
 */
public record StoreLine(StoreKind kind, List<@Nullable Object> values) {
    private static final String KIND = "kind";

    public StoreLine {
        if (values.size() != kind.fields().size()) {
            throw new IllegalArgumentException(
                    "a line of kind " + kind.word() + " has " + kind.fields().size() + " values, not " + values.size());
        }
        for (var value : values) {
            if (value != null && !(value instanceof Long) && !(value instanceof String)) {
                throw new IllegalArgumentException("a value is a number, a text or nothing, not " + value.getClass());
            }
        }
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** A line with these values, in the order of the kind's fields. Whole numbers of any width, flags, texts and nulls. */
    public static StoreLine of(StoreKind kind, @Nullable Object... values) {
        var plain = new ArrayList<@Nullable Object>();
        for (var value : values) {
            plain.add(
                    switch (value) {
                        case null -> null;
                        case Boolean flag -> flag ? 1L : 0L;
                        case Integer number -> number.longValue();
                        case Short number -> number.longValue();
                        default -> value;
                    });
        }
        return new StoreLine(kind, plain);
    }

    /** What its field says. */
    public @Nullable Object value(String field) {
        var at = kind.fields().indexOf(field);
        if (at < 0) {
            throw new IllegalArgumentException("a line of kind " + kind.word() + " has no " + field);
        }
        return values.get(at);
    }

    /** A text that its field has. */
    public String text(String field) {
        return text(field, value(field));
    }

    private String text(String field, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("a line of kind " + kind.word() + " has no text for " + field);
    }

    /** A text that its field has; null when it has nothing. */
    public @Nullable String textIfAny(String field) {
        var value = value(field);
        return value == null ? null : text(field, value);
    }

    /** A whole number that its field has. */
    public long number(String field) {
        if (value(field) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("a line of kind " + kind.word() + " has no number for " + field);
    }

    /** A time that its field has; null when it has nothing. */
    public @Nullable Instant timeIfAny(String field) {
        return value(field) == null ? null : time(field);
    }

    /** A time that its field has. */
    public Instant time(String field) {
        return Instant.ofEpochMilli(number(field));
    }

    /** The same, with something else in one of its fields. */
    public StoreLine with(String field, @Nullable Object value) {
        var others = new ArrayList<@Nullable Object>(values);
        others.set(kind.fields().indexOf(field), value);
        return new StoreLine(kind, others);
    }

    /** As JSON, on one line. */
    public String json() {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put(KIND, kind.word());
        for (var i = 0; i < values.size(); i++) {
            fields.put(kind.fields().get(i), values.get(i));
        }
        return Json.write(fields);
    }
}
