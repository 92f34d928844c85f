package dev.pawl.journal;

import org.jspecify.annotations.Nullable;

/**
 * How far a job has come, as its own code says.
 *
 * @param text what it is at, for people; empty when numbers say it all
 * @param done how much of it is done; null when nobody counts
 * @param of how much there is to do; null when nobody knows
 */
public record Progress(
        String text, @Nullable Long done, @Nullable Long of) {
    private static final int MOST_CHARS = 1_000;

    public Progress {
        if (text.length() > MOST_CHARS) {
            throw new IllegalArgumentException(
                    "progress is told in at most " + MOST_CHARS + " characters; log the rest");
        }
        if (done == null ? of != null || text.isBlank() : done < 0 || (of != null && of < done)) {
            throw new IllegalArgumentException("progress is a text, or how much is done, of how much: not \"" + text
                    + "\", " + done + " of " + of);
        }
    }

    /** In words alone. */
    public static Progress of(String text) {
        return new Progress(text, null, null);
    }

    /** So many, of nobody knows how many. */
    public static Progress done(long many) {
        return new Progress("", many, null);
    }

    /** So many, of {@code all}. */
    public static Progress done(long many, long all) {
        return new Progress("", many, all);
    }

    /** The same, with what it is at. */
    public Progress at(String what) {
        return new Progress(what, done, of);
    }

    /** For people: {@code 3 of 10: writing}. */
    @Override
    public String toString() {
        var count = done == null ? "" : of == null ? String.valueOf(done) : done + " of " + of;
        return count.isEmpty() || text.isEmpty() ? count + text : count + ": " + text;
    }
}
