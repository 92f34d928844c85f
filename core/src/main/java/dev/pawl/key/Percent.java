package dev.pawl.key;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/** Percent escapes, so that text with separators in it can stand between separators. */
final class Percent {

    private Percent() {}

    static String escape(String text, IntPredicate special) {
        if (text.codePoints().noneMatch(special)) {
            return text;
        }
        var out = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> {
            if (special.test(c)) {
                for (var b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    out.append('%').append(digit(b >> 4)).append(digit(b));
                }
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    static String unescape(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        var bytes = new ByteArrayOutputStream(text.length());
        var raw = text.getBytes(StandardCharsets.UTF_8);
        for (var i = 0; i < raw.length; i++) {
            if (raw[i] == '%' && i + 2 < raw.length) {
                bytes.write(Character.digit(raw[i + 1], 16) << 4 | Character.digit(raw[i + 2], 16));
                i += 2;
            } else {
                bytes.write(raw[i]);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static char digit(int nibble) {
        return Character.toUpperCase(Character.forDigit(nibble & 15, 16));
    }
}
