package dev.pawl.batch;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Reads line by line, and of a line that is too long only as much as tells that it is. Not thread-safe. */
final class LineReader {
    private final Reader reader;
    private final int most;
    private final char[] buffer = new char[1 << 16];
    private int from;
    private int to;

    LineReader(Reader reader, int most) {
        this.reader = reader;
        this.most = most;
    }

    /** The next line without its end; null when there is none. One that is longer than {@code most} is cut a little above that. */
    @Nullable
    String next() throws IOException {
        @Nullable StringBuilder begun = null;
        while (true) {
            if (from == to && !fill()) {
                return begun == null ? null : begun.toString();
            }
            var end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            var whole = end < to;
            if (whole && begun == null) {
                var line = new String(buffer, from, Math.min(end - from, most + 1));
                from = end + 1;
                return line;
            }
            begun = begun == null ? new StringBuilder() : begun;
            begun.append(buffer, from, Math.min(end - from, most + 1 - Math.min(most + 1, begun.length())));
            from = whole ? end + 1 : end;
            if (whole) {
                return begun.toString();
            }
        }
    }

    private boolean fill() throws IOException {
        from = 0;
        to = Math.max(0, reader.read(buffer, 0, buffer.length));
        return to > 0;
    }
}
