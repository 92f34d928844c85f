package dev.pawl.journal;

import dev.pawl.key.Encoding;
import java.util.random.RandomGenerator;

/**
 * Ids of changes. An owner counts its own under its fence, so they grow and never collide; whoever writes without a fence draws a random
 * one below zero.
 */
public final class Changes {

    /** The most entries an owner can write under one fence. */
    public static final int MOST_PER_FENCE = 1 << 20;

    private Changes() {}

    /** The id of change number {@code n} under {@code fence}. */
    public static long owned(long fence, int n) {
        if (n < 0 || n >= MOST_PER_FENCE) {
            throw new IllegalStateException("a job writes at most " + MOST_PER_FENCE + " entries in one go");
        }
        return fence * MOST_PER_FENCE + n;
    }

    /** The number of the first id under a fence that is not its owner's own: whoever rescues the job writes there. */
    public static final int FIRST_OF_RESCUER = MOST_PER_FENCE - 2;

    /** When an owner has written so many, it hands the job back and goes on under a new fence. */
    public static final int ENOUGH_PER_FENCE = MOST_PER_FENCE - 50_000;

    /** Whether the owner itself wrote this, and nobody in its place. */
    static boolean byOwner(long change) {
        return change >= 0 && change % MOST_PER_FENCE < FIRST_OF_RESCUER;
    }

    /** The smallest id that an owner under {@code fence} can write. */
    public static long firstOf(long fence) {
        return fence * MOST_PER_FENCE;
    }

    /** A new id for a change that needs no fence; entries after the first take the ids above it. */
    public static long unfenced(RandomGenerator random) {
        return -MOST_PER_FENCE - (random.nextLong() >>> 2);
    }

    /** The id of a change that is known by a name of its own, whoever asks for it and however often. */
    public static long named(String name) {
        return -MOST_PER_FENCE - (Long.parseUnsignedLong(Encoding.hash(name).substring(0, 16), 16) >>> 2);
    }

    static long fenceOf(long change) {
        return change < 0 ? 0 : change / MOST_PER_FENCE;
    }
}
