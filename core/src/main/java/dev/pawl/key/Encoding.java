package dev.pawl.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Version 1 of the injective encoding: {@code 1} and then, for each part, a slash, its length in UTF-8 bytes, a colon and the part itself.
 * {@code ("a:b", "c")} is {@code 1/3:a:b/1:c} and never {@code ("a", "b:c")}.
 */
public final class Encoding {

    private static final String VERSION = "1";
    private static final MessageDigest SHA_256 = found();

    private Encoding() {}

    /** The encoded form of {@code parts}. */
    public static String encode(List<String> parts) {
        var text = new StringBuilder(VERSION);
        for (var part : parts) {
            text.append('/').append(utf8Length(part)).append(':').append(part);
        }
        return text.toString();
    }

    /** The parts that {@link #encode} was given. */
    public static List<String> decode(String encoded) {
        var bytes = encoded.getBytes(StandardCharsets.UTF_8);
        var version = VERSION.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < version.length || bytes[0] != version[0]) {
            throw new IllegalArgumentException("not a key encoding of version 1: " + encoded);
        }
        var parts = new ArrayList<String>();
        var at = version.length;
        while (at < bytes.length) {
            var colon = at;
            while (colon < bytes.length && bytes[colon] != ':') {
                colon++;
            }
            if (bytes[at] != '/' || colon == bytes.length) {
                throw new IllegalArgumentException("not a key encoding of version 1: " + encoded);
            }
            var length = Integer.parseInt(new String(bytes, at + 1, colon - at - 1, StandardCharsets.UTF_8));
            if (length < 0 || colon + 1 + length > bytes.length) {
                throw new IllegalArgumentException("not a key encoding of version 1: " + encoded);
            }
            parts.add(new String(bytes, colon + 1, length, StandardCharsets.UTF_8));
            at = colon + 1 + length;
        }
        return List.copyOf(parts);
    }

    /** The first 32 hex digits of the SHA-256 of {@code text}. */
    public static String hash(String text) {
        var digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, 16);
    }

    private static MessageDigest sha256() {
        try {
            // A copy is made faster than a provider is found.
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
        }
    }

    private static MessageDigest found() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static int utf8Length(String part) {
        var length = 0;
        for (var i = 0; i < part.length(); i++) {
            var c = part.charAt(i);
            if (c < 0x80) {
                length += 1;
            } else if (c < 0x800) {
                length += 2;
            } else if (Character.isHighSurrogate(c)) {
                length += 4;
                i++;
            } else {
                length += 3;
            }
        }
        return length;
    }
}
