package dev.pawl.test;

import dev.pawl.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What happened, in a file that outlives the processes that write to it. Each note is one write, so a killed process leaves it whole or not at all. */
final class Ledger {
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

    Ledger(Path file) {
        this.file = file;
    }

    synchronized void add(Note note) {
        try {
            Files.write(
                    file,
                    (Json.write(note) + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Note> notes() {
        var notes = new ArrayList<Note>();
        try {
            if (Files.exists(file)) {
                for (var line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                    var note = Json.read(line, Note.class);
                    if (note != null) {
                        notes.add(note);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return notes;
    }
}
