package dev.pawl.export;

import dev.pawl.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A store as JSON lines: the first says what it is, the last how many lines of each kind there are and what their hashes add up to; one without a last line, or
 * with another sum, is not whole.
 */
public final class ExportFile {
    /** How lines are written today. */
    public static final int VERSION = 1;

    private static final String HEAD = "export";
    private static final String END = "end";
    private static final Map<String, StoreKind> BY_WORD =
            Arrays.stream(StoreKind.values()).collect(Collectors.toMap(StoreKind::word, kind -> kind));

    private ExportFile() {}

    /** Somebody who tells all lines of a store, one after the other. */
    @FunctionalInterface
    public interface Telling {
        /** Tells them. */
        void to(Consumer<StoreLine> listener);
    }

    /**
     * Writes all that {@code store} tells.
     *
     * @param from where it comes from, in a few words and without secrets
     * @return how many lines of each kind there are
     */
    public static Map<String, LineSums.Sum> write(Writer out, String from, Telling store) throws IOException {
        var sums = new LineSums();
        var head = new LinkedHashMap<String, Object>();
        head.put("kind", HEAD);
        head.put("version", VERSION);
        head.put("from", from);
        line(out, Json.write(head));
        try {
            store.to(told -> {
                var json = told.json();
                sums.add(told.kind(), json);
                try {
                    line(out, json);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        var end = new LinkedHashMap<String, Object>();
        end.put("kind", END);
        end.put("lines", sums.byWord());
        line(out, Json.write(end));
        out.flush();
        return sums.byWord();
    }

    private static void line(Writer out, String json) throws IOException {
        out.write(json);
        out.write('\n');
    }

    /**
     * Reads all lines.
     *
     * @return how many of each kind there are
     * @throws IllegalArgumentException when they are not what was written, with the number of the line
     */
    public static Map<String, LineSums.Sum> read(Reader in, Consumer<StoreLine> told) throws IOException {
        var lines = new BufferedReader(in);
        var sums = new LineSums();
        var number = 0;
        while (true) {
            number++;
            var json = lines.readLine();
            if (json == null) {
                throw wrong(number, "is missing: the file ends before its last line, so it is not whole");
            }
            var fields = fields(json, number);
            var word = fields.path("kind").asString("");
            if (number == 1) {
                requireHead(word, fields);
            } else if (word.equals(END)) {
                requireEnd(fields, sums, number);
                return sums.byWord();
            } else {
                var line = line(word, fields, number);
                sums.add(line.kind(), json);
                try {
                    told.accept(line);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private static void requireHead(String word, JsonNode fields) {
        if (!word.equals(HEAD)) {
            throw wrong(1, "does not begin an export of a store");
        }
        if (fields.path("version").asInt(0) != VERSION) {
            throw wrong(
                    1,
                    "is of version " + fields.path("version").asString("?") + ", and this Pawl reads " + VERSION
                            + "; use the Pawl that reads it");
        }
    }

    private static void requireEnd(JsonNode fields, LineSums sums, int number) {
        var said = fields.path("lines");
        var found = Json.tree(Json.write(sums.byWord()));
        if (!said.equals(found)) {
            throw wrong(number, "counts other lines than there are before it: the file was changed or cut");
        }
    }

    private static StoreLine line(String word, JsonNode fields, int number) {
        var kind = BY_WORD.get(word);
        if (kind == null) {
            throw wrong(number, "is of kind \"" + word + "\", which this Pawl does not know");
        }
        var values = new @Nullable Object[kind.fields().size()];
        for (var i = 0; i < values.length; i++) {
            var field = kind.fields().get(i);
            var value = fields.get(field);
            if (value == null && kind.mayLack(field)) {
                values[i] = kind.unsaid(field);
                continue;
            }
            if (value == null) {
                throw wrong(number, "has no \"" + field + "\"");
            }
            if (!value.isNull() && !value.isString() && !(value.isIntegralNumber() && value.canConvertToLong())) {
                throw wrong(number, "has a \"" + field + "\" that is neither a whole number nor a text");
            }
            values[i] = value.isNull() ? null : value.isString() ? value.asString() : (Object) value.asLong();
        }
        return StoreLine.of(kind, values);
    }

    private static JsonNode fields(String json, int number) {
        JsonNode fields;
        try {
            fields = Json.tree(json);
        } catch (RuntimeException e) {
            throw wrong(number, "is no JSON");
        }
        if (!fields.isObject()) {
            throw wrong(number, "is no JSON object");
        }
        return fields;
    }

    private static IllegalArgumentException wrong(int number, String why) {
        return new IllegalArgumentException("line " + number + " " + why);
    }
}
