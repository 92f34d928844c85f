package dev.pawl.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a command writes, within bounds: the beginning of its standard output, which may be its result, and the last of all that it wrote,
 * which tells people what it did. A disk that is full loses output and nothing else. Thread-safe.
 */
final class KeptOutput implements AutoCloseable {
    /** So much of the standard output is kept from its beginning. */
    static final long MOST = 16L << 20;

    /** The log is cut to half of this when it has grown so long. */
    static final int MOST_ON_DISK = 256 * 1024;

    private final WrittenFile output;
    private final WrittenFile log;
    private final byte[] last = new byte[MOST_ON_DISK / 2];
    private long logged;
    private long total;
    private long written;
    private boolean closed;

    KeptOutput(Folder folder) {
        this.output = new WrittenFile(folder.output());
        this.log = new WrittenFile(folder.log());
    }

    /** Takes bytes that were written. */
    interface Sink {
        void take(byte[] bytes, int length);
    }

    /** Keeps it as what may be the result. */
    synchronized void output(byte[] bytes, int length) {
        if (closed) {
            return;
        }
        var room = (int) Math.min(length, Math.max(0, MOST - written));
        written += length;
        output.write(bytes, 0, room);
    }

    /** Keeps it as what tells people what it did. */
    synchronized void log(byte[] bytes, int length) {
        if (!closed) {
            addToLog(bytes, length);
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
        if (output.trouble != null) {
            return output.trouble;
        }
        return written > MOST ? "only the first " + MOST + " bytes of its output are kept" : null;
    }

    private void addToLog(byte[] bytes, int length) {
        remember(bytes, length);
        logged += length;
        if (logged > MOST_ON_DISK) {
            log.startAnew();
            var kept = (int) Math.min(last.length, total);
            var from = (int) ((total - kept) % last.length);
            var first = Math.min(kept, last.length - from);
            log.write(last, from, first);
            log.write(last, 0, kept - first);
            logged = kept;
        } else {
            log.write(bytes, 0, length);
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

    /** What was written to the standard output is on the disk, whatever happens to the machine. The log is for people and need not be. */
    synchronized void settle() {
        output.settle();
    }

    @Override
    public synchronized void close() {
        closed = true;
        output.close();
        log.close();
    }

    /** A file that is made when there is something to write, and given up when it cannot be written. */
    private static final class WrittenFile {
        private final Path file;
        private @Nullable FileChannel channel;
        private @Nullable String trouble;

        private WrittenFile(Path file) {
            this.file = file;
        }

        private void write(byte[] bytes, int from, int length) {
            if (length == 0 || trouble != null) {
                return;
            }
            try {
                if (channel == null) {
                    channel = FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING);
                }
                for (var rest = ByteBuffer.wrap(bytes, from, length); rest.hasRemaining(); ) {
                    channel.write(rest);
                }
            } catch (IOException e) {
                trouble = "its output is lost: " + e.getMessage();
            }
        }

        /** What follows is written from the beginning. */
        private void startAnew() {
            close();
            channel = null;
        }

        private void settle() {
            try {
                if (channel != null && trouble == null) {
                    channel.force(true);
                }
            } catch (IOException e) {
                trouble = "its output is lost: " + e.getMessage();
            }
        }

        private void close() {
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException e) {
                // Nothing more is written to it.
            }
        }
    }
}
