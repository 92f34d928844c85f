package dev.pawl.export;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many lines of each kind there are, and the sum of their SHA-256: the same in whatever order they are told. Not thread-safe. */
public final class LineSums {
    private static final int HEX = 16;
    private static final BigInteger ALL = BigInteger.ONE.shiftLeft(256);

    /**
     * Of one kind.
     *
     * @param lines how many
     * @param sum of their hashes, without what is beyond 256 bits
     */
    public record Sum(long lines, String sum) {
        private static final Sum NOTHING = new Sum(0, "0");

        private Sum plus(String line) {
            var more = new BigInteger(1, sha256(line));
            return new Sum(
                    lines + 1, new BigInteger(sum, HEX).add(more).mod(ALL).toString(HEX));
        }
    }

    private final EnumMap<StoreKind, Sum> sums = new EnumMap<>(StoreKind.class);

    /** One more line, as JSON. */
    public void add(StoreKind kind, String line) {
        sums.merge(kind, Sum.NOTHING.plus(line), (before, unused) -> before.plus(line));
    }

    /** One more line. */
    public void add(StoreLine line) {
        add(line.kind(), line.json());
    }

    /** Of each kind of which there is a line, by its word. */
    public Map<String, Sum> byWord() {
        var all = new LinkedHashMap<String, Sum>();
        sums.forEach((kind, sum) -> all.put(kind.word(), sum));
        return all;
    }

    private static byte[] sha256(String line) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(line.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
