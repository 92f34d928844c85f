package dev.pawl.journal;

import org.jspecify.annotations.Nullable;

/**
 * How far a job has come, as its own code says.
 *
 * @param text what it is at, for people, cut where it is very long; empty when numbers say it all
 * @param done how much of it is done; null when nobody counts
 * @param of how much there is to do, {@code done} at least; null when nobody knows
 */
public record Progress(
        String text, @Nullable Long done, @Nullable Long of) {
    private static final int MOST_CHARS = 1_000;

    public Progress {
        // It is often said in the middle of an act, which must not fail of it.
        text = cut(text);
        done = done == null ? null : (Long) Math.max(0, done);
        of = of == null || done == null ? null : (Long) Math.max(of, done);
    }

    private static String cut(String text) {
        if (text.length() <= MOST_CHARS) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(MOST_CHARS - 1)) ? MOST_CHARS - 1 : MOST_CHARS);
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
