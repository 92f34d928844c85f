package dev.pawl.cli;

import dev.pawl.event.Event;
import dev.pawl.event.Events;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Events as lines at the end of a file, and whatever else hears them. A line is one write, so that several processes may write to one file; it is
 * there when the process is killed. Thread-safe.
 */
final class EventFile implements Events {
    private final Path file;
    private final Events besides;
    private final FileChannel channel;
    private final AtomicBoolean failed = new AtomicBoolean();

    /** What is told of jobs is for whoever runs them: a new file is nobody else's to read. */
    EventFile(Path file, Events besides) throws IOException {
        this.file = file;
        this.besides = besides;
        this.channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    @Override
    public void happened(Event event) {
        besides.happened(event);
        try {
            write(ByteBuffer.wrap((event.line() + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            if (!failed.getAndSet(true)) {
                System.err.println(Bar.aside() + "pawl: events cannot be written to " + file + " any more: " + why(e)
                        + "; the work goes on without it");
            }
        }
    }

    /** Why a file cannot be written, in words. */
    static String why(IOException thrown) {
        return switch (thrown) {
            case NoSuchFileException ignored -> "there is no such folder";
            case AccessDeniedException ignored -> "it may not be written";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(thrown.getMessage());
        };
    }

    private synchronized void write(ByteBuffer line) throws IOException {
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }
}
