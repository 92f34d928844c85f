package dev.pawl.journal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes that nobody changes. */
public final class Bytes {
    private final byte[] bytes;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A copy of {@code bytes}. */
    public static Bytes copyOf(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /** A copy of these. */
    public byte[] toArray() {
        return bytes.clone();
    }

    /** How many. */
    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Bytes those && Arrays.equals(bytes, those.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
