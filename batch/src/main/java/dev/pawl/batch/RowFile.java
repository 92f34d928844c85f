package dev.pawl.batch;

import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.text.Many;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file of rows: JSON objects one a line, or CSV with a heading. It is read from its beginning as often as wanted.
 *
 * @param path where it is
 * @param form how rows are written in it
 */
public record RowFile(Path path, Form form) {
    /** What is longer is no row. */
    private static final int MOST_CHARS = 4 << 20;

    /** Stands for bytes that are not UTF-8: one half of a character, which no bytes that are UTF-8 are read as. */
    private static final String NOT_UTF_8 = "\udc00";

    /** How rows are written. */
    public enum Form {
        /** One JSON object a line. */
        JSONL,
        /** Comma-separated values, the names of the fields first. */
        CSV
    }

    /** The file with the form that its name tells. */
    public static RowFile at(Path path) {
        var name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        return new RowFile(path, name.endsWith(".csv") ? Form.CSV : Form.JSONL);
    }

    /** Reads all rows in their order, until {@code each} has had enough. Empty lines are none. */
    public void read(Predicate<Row> each) throws IOException {
        try (var reader = reader()) {
            switch (form) {
                case JSONL -> readLines(reader, each);
                case CSV -> readCsv(reader, each);
            }
        }
    }

    private BufferedReader reader() throws IOException {
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE)
                .replaceWith(NOT_UTF_8);
        return new BufferedReader(new InputStreamReader(Files.newInputStream(path), decoder), 1 << 16);
    }

    private static void readLines(Reader reader, Predicate<Row> each) throws IOException {
        var number = 0L;
        var lines = new LineReader(reader, MOST_CHARS);
        for (var line = lines.next(); line != null; line = lines.next()) {
            number++;
            if (number == 1 && line.startsWith("\uFEFF")) {
                line = line.substring(1);
            }
            if (!line.isBlank() && !each.test(row(number, line))) {
                return;
            }
        }
    }

    private static Row row(long number, String line) {
        if (line.length() > MOST_CHARS) {
            return Row.bad(number, "longer than " + MOST_CHARS + " characters");
        }
        if (!isUtf8(line)) {
            return Row.bad(number, "not UTF-8", legible(line));
        }
        try {
            var value = Json.exact(line);
            return value instanceof ObjectNode ? Row.good(number, value) : Row.bad(number, "not a JSON object", line);
        } catch (JsonMismatch e) {
            return Row.bad(number, reason(e), line);
        }
    }

    /** Whether all of it was UTF-8. */
    static boolean isUtf8(String text) {
        return text.indexOf(NOT_UTF_8) < 0
                || text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** What can be read of a line that was not UTF-8. */
    private static String legible(String line) {
        return line.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '\ufffd' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** What tells, without reading it, that a file is not the one it was. */
    record Stamp(long size, FileTime modified, @Nullable Object file) {}

    /** How the file is now. */
    Stamp stamp() throws IOException {
        var now = Files.readAttributes(path, BasicFileAttributes.class);
        return new Stamp(now.size(), now.lastModifiedTime(), now.fileKey());
    }

    private static String reason(JsonMismatch e) {
        var said = String.valueOf(e.getMessage());
        return "not JSON: " + said.substring(said.indexOf(": ") + 2);
    }

    private static void readCsv(Reader reader, Predicate<Row> each) throws IOException {
        var csv = new Csv(reader);
        var heading = csv.record();
        if (heading == null) {
            return;
        }
        for (var row = next(csv, heading); row != null; row = next(csv, heading)) {
            if (!each.test(row) || row.line() == heading.line()) {
                return;
            }
        }
    }

    /** The next row; of a heading that names something twice, that. */
    private static @Nullable Row next(Csv csv, Csv.CsvLine heading) throws IOException {
        if (heading.trouble() != null) {
            return Row.bad(heading.line(), heading.trouble());
        }
        var names = heading.fields();
        for (var name : names) {
            if (names.indexOf(name) != names.lastIndexOf(name)) {
                return Row.bad(heading.line(), "the heading names \"" + name + "\" twice");
            }
        }
        var next = csv.record();
        return next == null ? null : row(heading, next);
    }

    private static Row row(Csv.CsvLine heading, Csv.CsvLine next) {
        if (next.trouble() != null) {
            return Row.bad(next.line(), next.trouble());
        }
        var names = heading.fields();
        if (next.fields().size() != names.size()) {
            return Row.bad(
                    next.line(),
                    "it has " + Many.of(next.fields().size(), "field") + ", and the heading has " + names.size());
        }
        var value = (ObjectNode) Json.tree("{}");
        for (var i = 0; i < names.size(); i++) {
            value.put(names.get(i), next.fields().get(i));
        }
        return Row.good(next.line(), value);
    }
}
