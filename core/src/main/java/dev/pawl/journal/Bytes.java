package dev.pawl.journal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
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

    /** Their SHA-256, in hex. */
    public String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
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
