package dev.pawl.command;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a command writes, within bounds: the beginning of its standard output, which may be its result, and the last of all that it wrote,
 * which tells people what it did. A disk that is full loses output and nothing else. Thread-safe.
 */
final class KeptOutput implements AutoCloseable {
    /** So much of the standard output is kept from its beginning. */
    static final long MOST = 16L << 20;

    /** The log is cut to half of this when it has grown so long. */
    static final int MOST_LOG = 256 * 1024;

    private final Folder folder;
    private @Nullable OutputStream output;
    private @Nullable OutputStream log;
    private final byte[] last = new byte[MOST_LOG / 2];
    private long logged;
    private long total;
    private long written;
    private @Nullable String trouble;
    private boolean closed;

    KeptOutput(Folder folder) {
        this.folder = folder;
        this.output = opened(folder.output());
        this.log = opened(folder.log());
    }

    /** Takes bytes that were written. */
    interface Sink {
        void take(byte[] bytes, int length);
    }

    synchronized void output(byte[] bytes, int length) {
        if (closed) {
            return;
        }
        var room = (int) Math.min(length, Math.max(0, MOST - written));
        written += length;
        output = kept(output, bytes, 0, room);
        log(bytes, length);
    }

    synchronized void error(byte[] bytes, int length) {
        if (!closed) {
            log(bytes, length);
        }
    }

    /** How much was written to the standard output. */
    synchronized long written() {
        return written;
    }

    /** How much was written, to wherever. */
    synchronized long total() {
        return total;
    }

    /** What went wrong with keeping it; null when nothing did. */
    synchronized @Nullable String trouble() {
        return written > MOST && trouble == null ? "only the first " + MOST + " bytes of its output are kept" : trouble;
    }

    private void log(byte[] bytes, int length) {
        remember(bytes, length);
        logged += length;
        if (logged > MOST_LOG) {
            close(log);
            log = opened(folder.log());
            var kept = (int) Math.min(last.length, total);
            var from = (int) ((total - kept) % last.length);
            var first = Math.min(kept, last.length - from);
            log = kept(log, last, from, first);
            log = kept(log, last, 0, kept - first);
            logged = kept;
        } else {
            log = kept(log, bytes, 0, length);
        }
    }

    /** The last bytes, in a ring. */
    private void remember(byte[] bytes, int length) {
        var skipped = Math.max(0, length - last.length);
        total += skipped;
        for (var i = skipped; i < length; ) {
            var at = (int) (total % last.length);
            var run = Math.min(length - i, last.length - at);
            System.arraycopy(bytes, i, last, at, run);
            i += run;
            total += run;
        }
    }

    private @Nullable OutputStream opened(Path file) {
        try {
            return Files.newOutputStream(file);
        } catch (IOException e) {
            trouble = "its output is lost: " + e.getMessage();
            return null;
        }
    }

    private @Nullable OutputStream kept(@Nullable OutputStream stream, byte[] bytes, int from, int length) {
        if (stream == null || length == 0) {
            return stream;
        }
        try {
            stream.write(bytes, from, length);
            return stream;
        } catch (IOException e) {
            trouble = "its output is lost: " + e.getMessage();
            close(stream);
            return null;
        }
    }

    private static void close(@Nullable OutputStream stream) {
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException e) {
                // Nothing more is written to it.
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        close(output);
        close(log);
        output = null;
        log = null;
    }
}
