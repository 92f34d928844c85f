package dev.pawl.list;

import java.util.regex.Pattern;

/**
 * How far somebody has read: a place in a list that a store gave out, and that only this store understands. It can be written down and used later, by
 * another process too.
 *
 * @param text as it was given out; empty for the beginning
 */
public record Cursor(String text) {
    private static final Pattern TEXT = Pattern.compile("[0-9A-Za-z._-]{0,200}");

    /** Before everything. */
    public static final Cursor START = new Cursor("");

    public Cursor {
        if (!TEXT.matcher(text).matches()) {
            throw bad();
        }
    }

    /** What is said of a cursor that nobody gave out. */
    public static IllegalArgumentException bad() {
        return new IllegalArgumentException(
                "that is no cursor; use one that was given with a page or an event, as it is");
    }

    /** Whether it is the beginning. */
    public boolean isStart() {
        return text.isEmpty();
    }

    /** Its numbers, where it was made by {@link #of}. */
    public long[] numbers(int many) {
        var parts = text.split("\\.", -1);
        if (parts.length != many) {
            throw bad();
        }
        var numbers = new long[many];
        for (var i = 0; i < many; i++) {
            try {
                numbers[i] = Long.parseLong(parts[i]);
            } catch (NumberFormatException e) {
                throw bad();
            }
        }
        return numbers;
    }

    /** A cursor of these numbers, for stores that count. */
    public static Cursor of(long... numbers) {
        var text = new StringBuilder();
        for (var number : numbers) {
            text.append(text.isEmpty() ? "" : ".").append(number);
        }
        return new Cursor(text.toString());
    }

    @Override
    public String toString() {
        return text;
    }
}
