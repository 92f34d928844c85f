package dev.pawl.text;

import java.util.Locale;

/**
 * What others wrote (keys, notes, names, results, what a server says), so that all of it is seen and none of it acts: no character moves a cursor,
 * turns the direction of writing, breaks a line, or takes no room. Such a one is written out, {@code \}{@code u202e}, as JSON has it too.
 */
public final class Visible {

    private Visible() {}

    /** {@code text} on one line. */
    public static String of(String text) {
        return written(text, false);
    }

    /** {@code text} with its lines and tabulators as they are. */
    public static String lines(String text) {
        return written(
                text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n").replace('\r', '\n'), true);
    }

    private static String written(String text, boolean lines) {
        if (text.codePoints().noneMatch(c -> isHidden(c) && !(lines && isLayout(c)))) {
            return text;
        }
        var out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (!isHidden(c) || (lines && isLayout(c))) {
                out.appendCodePoint(c);
            } else {
                append(out, c);
            }
        });
        return out.toString();
    }

    private static boolean isLayout(int c) {
        return c == '\n' || c == '\t';
    }

    private static void append(StringBuilder out, int c) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                for (var half : Character.toChars(c)) {
                    out.append(String.format(Locale.ROOT, "\\u%04x", (int) half));
                }
            }
        }
    }

    /** Whether nothing is seen where {@code c} stands, or something else than {@code c}. */
    public static boolean isHidden(int c) {
        if (c < 0x7F) {
            return c < ' ';
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> isFiller(c) || isVariation(c);
        };
    }

    /** Letters and marks that take no room, or look like a space. */
    private static boolean isFiller(int c) {
        return switch (c) {
            case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0 -> true;
            default -> false;
        };
    }

    private static boolean isVariation(int c) {
        return (c >= 0x180B && c <= 0x180F) || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
    }
}
