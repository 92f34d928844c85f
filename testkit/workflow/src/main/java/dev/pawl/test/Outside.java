package dev.pawl.test;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what reached the world in a test: let your test doubles say {@code outside.happened("mail to Anna")} where they would send it. Each run begins
 * with nothing. Thread-safe.
 */
public final class Outside {
    private final Map<String, Integer> counts = new TreeMap<>();
    private final @Nullable Notebook notebook;

    /** Nothing has happened yet. */
    public Outside() {
        this.notebook = null;
    }

    /** What a notebook tells has happened, and from now on what it is told. */
    Outside(Notebook notebook) {
        this.notebook = notebook;
        for (var note : notebook.notes()) {
            if (note.key().isEmpty()) {
                counts.merge(note.what(), 1, Integer::sum);
            }
        }
    }

    /** Something happened that must not happen twice. */
    public synchronized void happened(String what) {
        counts.merge(what, 1, Integer::sum);
        if (notebook != null) {
            notebook.add(new Notebook.Note(what, "", false, ""));
        }
    }

    /** How often it has happened in this run: for doubles that can be asked. */
    public synchronized int times(String what) {
        return counts.getOrDefault(what, 0);
    }

    synchronized Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    synchronized void forget() {
        counts.clear();
    }
}
