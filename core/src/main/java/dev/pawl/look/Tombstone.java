package dev.pawl.look;

import dev.pawl.json.Json;
import dev.pawl.key.Encoding;

/**
 * What is left of a job that was pruned: a tombstone, for ever. It keeps the job's identity, state, resubmission, fence and a hash of its
 * input, so that the same work is known as done and never done again by accident. Pure.
 */
public final class Tombstone {
    private static final String MARK = "sha256:";

    /** The second way, in which nulls count as absent; before, there was one way and no mark for it. */
    private static final String SECOND = "2:";

    private Tombstone() {}

    /** What is kept of an input. */
    public static String hash(String input) {
        return MARK + SECOND + Encoding.hash(comparable(input));
    }

    /** The same of what a job keeps, of which only that may be left. */
    public static String hashOf(String kept) {
        return isHash(kept) ? kept : hash(kept);
    }

    /** Whether {@code input} is what is left of one. */
    static boolean isHash(String input) {
        return input.startsWith(MARK);
    }

    /** Of canonical JSON, which is read only where it may hold a null: very many are compared at once. */
    private static String comparable(String input) {
        return input.contains("null") ? Json.comparable(input) : input;
    }

    /** Whether a job that keeps {@code kept} was submitted with {@code input}. What is null counts as absent. */
    static boolean same(String kept, String input) {
        if (!isHash(kept)) {
            return kept.equals(input) || comparable(kept).equals(comparable(input));
        }
        return kept.startsWith(MARK + SECOND)
                ? kept.equals(hash(input))
                : kept.equals(MARK + Encoding.hash(input)) || kept.equals(MARK + Encoding.hash(comparable(input)));
    }
}
