package dev.pawl.journal;

import org.jspecify.annotations.Nullable;

/**
 * Something larger than a result that a job made: bytes in the store, or a file with a hash.
 *
 * @param mediaType what it is, such as {@code text/html}
 * @param size in bytes
 * @param sha256 of the bytes, in hex
 * @param path of the file when it is too large for the store; null when the bytes are in the store
 */
public record Artifact(
        String mediaType,
        long size,
        String sha256,
        @Nullable String path) {
    /** What the store keeps itself; larger ones are kept as a file with a hash. */
    public static final int MOST_BYTES = 1 << 20;
}
