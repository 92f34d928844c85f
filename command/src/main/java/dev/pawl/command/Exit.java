package dev.pawl.command;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * How a command has ended.
 *
 * @param code its exit code; 128 and more when a signal ended it
 * @param timedOut whether it was ended because its time was up
 * @param took how long it ran
 * @param output how much it wrote to its standard output, of which not everything need be kept
 * @param trouble what kept its output or its start from being what it should; null when nothing did
 */
public record Exit(
        int code,
        boolean timedOut,
        Duration took,
        long output,
        @Nullable String trouble) {
    /** A command that could not even be started: nothing of it ran. */
    public static final int NOT_STARTED = -1;

    private static final String FORM = "pawl-exit-1";
    private static final int MOST_TROUBLE = 500;

    /** Room for every record, kept free from the start: a full disk must not keep an end from being known. */
    static final int ROOM = 4_096;

    /** As text with its length and its hash, so that half a record is none. */
    byte[] bytes() {
        var said = trouble == null ? "" : trouble.strip().replaceAll("\\s+", " ");
        var body = FORM + " " + code + " " + timedOut + " " + took.toMillis() + " " + output + " "
                + said.substring(0, Math.min(said.length(), MOST_TROUBLE));
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        return (bytes.length + " " + hash(body) + " " + body).getBytes(StandardCharsets.UTF_8);
    }

    /** The end that {@code bytes} tell of; null when they are no whole record. */
    static @Nullable Exit of(byte[] bytes) {
        var text = new String(bytes, StandardCharsets.UTF_8);
        var fields = text.split(" ", 3);
        try {
            if (fields.length < 3) {
                return null;
            }
            var length = Integer.parseInt(fields[0]);
            var rest = fields[2].getBytes(StandardCharsets.UTF_8);
            if (length > rest.length) {
                return null;
            }
            var body = new String(rest, 0, length, StandardCharsets.UTF_8);
            return hash(body).equals(fields[1]) ? parsed(body.split(" ", 6)) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Exit parsed(String[] words) {
        return words.length == 6 && words[0].equals(FORM)
                ? new Exit(
                        Integer.parseInt(words[1]),
                        Boolean.parseBoolean(words[2]),
                        Duration.ofMillis(Long.parseLong(words[3])),
                        Long.parseLong(words[4]),
                        words[5].isEmpty() ? null : words[5])
                : null;
    }

    private static String hash(String body) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
