package dev.pawl.batch;

import java.io.IOException;
import java.io.PushbackReader;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comma-separated values as RFC 4180 has them: fields may be quoted, and then hold commas, line ends and doubled quotes. */
final class Csv {
    private static final int MOST_CHARS = 4 << 20;

    private final PushbackReader reader;
    private long line = 1;

    Csv(Reader reader) {
        this.reader = new PushbackReader(reader, 1);
    }

    /**
     * One record.
     *
     * @param line where it begins
     * @param trouble what is wrong with it; null when nothing is
     */
    record CsvLine(long line, List<String> fields, @Nullable String trouble) {}

    /** The next record that is not empty; null at the end. */
    @Nullable
    CsvLine record() throws IOException {
        while (true) {
            var start = line;
            var fields = new ArrayList<String>();
            var first = peek();
            if (first < 0) {
                return null;
            }
            @Nullable String trouble = null;
            var chars = 0;
            var more = true;
            while (more) {
                var field = new StringBuilder();
                var quoted = peek() == '"';
                var wrong = quoted ? quoted(field) : plain(field);
                trouble = trouble == null ? wrong : trouble;
                chars += field.length() + 1;
                if (chars > MOST_CHARS) {
                    trouble = "longer than " + MOST_CHARS + " characters";
                } else {
                    fields.add(field.toString());
                    trouble = trouble == null && !RowFile.isUtf8(field.toString()) ? "not UTF-8" : trouble;
                }
                more = ends();
            }
            if (start == 1 && !fields.isEmpty() && fields.getFirst().startsWith("\uFEFF")) {
                fields.set(0, fields.getFirst().substring(1));
            }
            if (trouble != null || fields.size() > 1 || !fields.getFirst().isBlank()) {
                return new CsvLine(start, fields, trouble);
            }
        }
    }

    /** Whether another field follows; else the record is over. */
    private boolean ends() throws IOException {
        var c = reader.read();
        if (c == ',') {
            return true;
        }
        if (c == '\r' && peek() == '\n') {
            c = reader.read();
        }
        if (c == '\n' || c == '\r') {
            line++;
        }
        return false;
    }

    private @Nullable String plain(StringBuilder field) throws IOException {
        @Nullable String trouble = null;
        for (var c = peek(); c >= 0 && c != ',' && c != '\n' && c != '\r'; c = peek()) {
            if (c == '"') {
                trouble = "a quote inside a field that is not quoted";
            }
            add(field, reader.read());
        }
        return trouble;
    }

    private @Nullable String quoted(StringBuilder field) throws IOException {
        reader.read();
        while (true) {
            var c = reader.read();
            if (c < 0) {
                return "a quote that is never closed";
            }
            if (c == '"') {
                if (peek() != '"') {
                    break;
                }
                reader.read();
            }
            if (c == '\n') {
                line++;
            }
            add(field, c);
        }
        var next = peek();
        return next < 0 || next == ',' || next == '\n' || next == '\r' ? null : trailing(field);
    }

    private String trailing(StringBuilder field) throws IOException {
        plain(field);
        return "something follows a closing quote";
    }

    private static void add(StringBuilder field, int c) {
        if (field.length() <= MOST_CHARS) {
            field.append((char) c);
        }
    }

    private int peek() throws IOException {
        var c = reader.read();
        if (c >= 0) {
            reader.unread(c);
        }
        return c;
    }
}
