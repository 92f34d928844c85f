package dev.pawl.look;

import dev.pawl.key.Encoding;

/**
 * What is left of a job that was pruned: a tombstone, for ever. It keeps the job's identity, state, resubmission, fence and a hash of its
 * input, so that the same work is known as done and never done again by accident. Pure.
 */
public final class Tombstone {
    private static final String MARK = "sha256:";

    private Tombstone() {}

    /** What is kept of an input. */
    public static String hash(String input) {
        return MARK + Encoding.hash(input);
    }

    /** The same of what a job keeps, of which only that may be left. */
    public static String hashOf(String kept) {
        return isHash(kept) ? kept : hash(kept);
    }

    /** Whether {@code input} is what is left of one. */
    static boolean isHash(String input) {
        return input.startsWith(MARK);
    }

    /** Whether a job that keeps {@code kept} was submitted with {@code input}. */
    static boolean same(String kept, String input) {
        return kept.equals(isHash(kept) ? hash(input) : input);
    }
}
