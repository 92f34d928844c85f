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

    /** What {@link #escape} made {@code text} of; a percent sign without two digits behind it stands for itself. */
    static String unescape(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        var bytes = new ByteArrayOutputStream(text.length());
        var raw = text.getBytes(StandardCharsets.UTF_8);
        for (var i = 0; i < raw.length; i++) {
            var high = hex(raw, i + 1);
            var low = hex(raw, i + 2);
            if (raw[i] == '%' && high >= 0 && low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else {
                bytes.write(raw[i]);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The digit at {@code i}; less than zero when none is there. */
    private static int hex(byte[] raw, int i) {
        return i < raw.length ? Character.digit(raw[i], 16) : -1;
    }

    private static char digit(int nibble) {
        return Character.toUpperCase(Character.forDigit(nibble & 15, 16));
    }
}
