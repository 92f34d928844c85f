package dev.pawl.test;

import dev.pawl.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What happened, in a file that outlives the processes that write to it. A note without its end was cut short by a kill, and counts for nothing. */
final class Notebook {
    /**
     * One thing that happened: something outside when {@code key} is empty, else an act of an effect.
     *
     * @param what it was
     * @param key the effect's key; empty for something outside
     * @param deduplicated whether the effect's destination deduplicates
     * @param result what the act returned, as JSON
     */
    record Note(String what, String key, boolean deduplicated, String result) {}

    private final Path file;

    Notebook(Path file) {
        this.file = file;
    }

    synchronized void add(Note note) {
        try {
            var line = ByteBuffer.wrap((Json.write(note) + "\n").getBytes(StandardCharsets.UTF_8));
            try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                while (line.hasRemaining()) {
                    channel.write(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Note> notes() {
        var notes = new ArrayList<Note>();
        try {
            var text = Files.exists(file) ? Files.readString(file) : "";
            for (var end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
                notes.add(Objects.requireNonNull(Json.read(text.substring(0, end), Note.class)));
                text = text.substring(end + 1);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return notes;
    }
}
