package dev.pawl.command;

import java.nio.charset.StandardCharsets;

/**
 * A text that must not be seen, found however its letters are written: as they are, or escaped as in JSON, a shell or an address, also more than
 * once. Where it is in doubt it is found: a mask too many hides less than a secret too few. Immutable.
 */
final class SecretForm {
    private static final int MISSED = -1;
    private static final int CUT = -2;

    /** What a text ends with that ends with backslashes. */
    private static final int NOTHING = -1;

    /** In base64 no line is taken to end before so many letters: else whatever ends a line would be held back that ends with one of them. */
    static final int LEAST_BEFORE_BREAK = 4;

    /** So many blanks may begin a line that is indented. */
    private static final int MOST_BLANKS = 64;

    /** No backslash is taken to be escaped more often than eight times over, which makes so many of it. */
    private static final int MOST_ESCAPED = 1 << 8;

    private final int[] letters;
    private final byte[][] raw;

    /** How many backslashes are in front of each letter. */
    private final int[] backslashes;

    private final boolean wrapped;

    /**
     * @param text what is looked for
     * @param wrapped whether it is base64: in either alphabet, and lines may end in it
     */
    SecretForm(String text, boolean wrapped) {
        this.wrapped = wrapped;
        var points = text.codePoints().toArray();
        var count = 0;
        for (var i = 0; i < points.length; i++) {
            count += points[i] != '\\' || i == points.length - 1 ? 1 : 0;
        }
        letters = new int[count];
        raw = new byte[count][];
        backslashes = new int[count];
        var at = 0;
        for (var point : points) {
            if (point == '\\') {
                backslashes[at]++;
            } else {
                set(at++, point);
            }
        }
        if (at < count) {
            set(at, NOTHING);
        }
    }

    private void set(int at, int point) {
        letters[at] = point;
        raw[at] = point == NOTHING ? new byte[0] : Character.toString(point).getBytes(StandardCharsets.UTF_8);
    }

    /** How many letters it has. */
    int length() {
        return letters.length;
    }

    /** Whether a text that is it may begin with this byte. */
    boolean mayBeginWith(byte first) {
        return first == '\\' || first == '%' || (backslashes[0] == 0 && isRaw(0, first));
    }

    private boolean isRaw(int letter, byte first) {
        return raw[letter].length > 0
                && (first == raw[letter][0]
                        || (wrapped && letters[letter] == '+' && first == '-')
                        || (wrapped && letters[letter] == '/' && first == '_'));
    }

    /**
     * Looks whether it is at {@code from}.
     *
     * @return how many bytes are it; 0 when it is not there; when the bytes end within it, what {@link #begun} tells of
     */
    int look(byte[] text, int from, int end) {
        var at = from;
        for (var i = 0; i < letters.length; i++) {
            var next = after(i, text, at, end);
            if (next == CUT) {
                return end - from > most() ? 0 : -1 - i;
            }
            if (next == MISSED || next - from > most()) {
                return 0;
            }
            at = next;
        }
        return at - from;
    }

    /** How many letters of it were there before the bytes ended, by what {@link #look} has said. */
    static int begun(int looked) {
        return -1 - looked;
    }

    /** No text of it is longer. */
    int most() {
        return 16 * letters.length + 1_024;
    }

    /** No text of it begins with more backslashes. */
    int mostBackslashes() {
        return mostBackslashes(0);
    }

    private int mostBackslashes(int letter) {
        return (backslashes[letter] + 1) * MOST_ESCAPED;
    }

    /** Where a letter that is at {@code from} ends. */
    private int after(int letter, byte[] text, int from, int end) {
        var at = wrapped && letter >= LEAST_BEFORE_BREAK ? afterLineBreak(text, from, end) : from;
        if (letters[letter] == '\n') {
            at = afterReturn(text, at, end);
        }
        for (var run = 0; at < end && at >= 0; run++) {
            if (run > mostBackslashes(letter)) {
                return MISSED;
            }
            if (run >= backslashes[letter]) {
                var plain = afterRaw(letter, text, at, end);
                if (plain != MISSED) {
                    return plain;
                }
            }
            var next = afterBackslash(text, at, end, run > 0);
            if (next == MISSED) {
                return run < backslashes[letter] ? MISSED : afterEscaped(letter, text, at, end, run > 0);
            }
            at = next;
        }
        return at == MISSED ? MISSED : CUT;
    }

    private int afterRaw(int letter, byte[] text, int at, int end) {
        if (letters[letter] == NOTHING) {
            return text[at] == '\\' ? MISSED : at;
        }
        if (!isRaw(letter, text[at])) {
            return MISSED;
        }
        var bytes = raw[letter];
        for (var i = 1; i < bytes.length; i++) {
            if (at + i == end) {
                return CUT;
            }
            if (text[at + i] != bytes[i]) {
                return MISSED;
            }
        }
        return letters[letter] == '\n' ? afterBlanks(text, at + 1, end) : at + bytes.length;
    }

    /** A letter that is not there as it is; {@code escaped} when a backslash is in front of it. */
    private int afterEscaped(int letter, byte[] text, int at, int end, boolean escaped) {
        var point = letters[letter];
        if (point == ' ' && text[at] == '+') {
            return at + 1;
        }
        if (text[at] == '%') {
            return afterHex(text, at, end, raw[letter]);
        }
        if (!escaped) {
            return MISSED;
        }
        if (text[at] == 'u') {
            var next = afterUnicode(text, at, end, point);
            return next >= 0 && point == '\n' ? afterBlanks(text, next, end) : next;
        }
        if (text[at] == 'x' && point < 256) {
            return afterDigits(text, at + 1, end, 2, point);
        }
        if (text[at] != shortOf(point)) {
            return MISSED;
        }
        return point == '\n' ? afterBlanks(text, at + 1, end) : at + 1;
    }

    private static int shortOf(int point) {
        return switch (point) {
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            case '\b' -> 'b';
            case '\f' -> 'f';
            default -> NOTHING;
        };
    }

    /** Where the backslashes end that are at {@code from}, each as it is. */
    private static int afterBackslashes(byte[] text, int from, int end) {
        var at = from;
        while (at < end && at - from <= MOST_ESCAPED && text[at] == '\\') {
            at++;
        }
        return at;
    }

    /** Where the backslash ends that is at {@code at}, however it is written; negative when none is there, or only a part of one. */
    static int afterBackslash(byte[] text, int at, int end, boolean after) {
        if (text[at] == '\\') {
            return at + 1;
        }
        if (text[at] == '%') {
            return afterHex(text, at, end, new byte[] {'\\'});
        }
        return after && text[at] == 'u' ? afterDigits(text, at + 1, end, 4, '\\') : MISSED;
    }

    private static int afterHex(byte[] text, int from, int end, byte[] bytes) {
        var at = from;
        for (var one : bytes) {
            if (at == end) {
                return CUT;
            }
            if (text[at] != '%') {
                return MISSED;
            }
            at = afterDigits(text, at + 1, end, 2, one & 0xff);
            if (at < 0) {
                return at;
            }
        }
        return at;
    }

    /** A letter beyond the first 65,536 is two of them. */
    private static int afterUnicode(byte[] text, int at, int end, int point) {
        if (Character.isBmpCodePoint(point)) {
            return afterDigits(text, at + 1, end, 4, point);
        }
        var low = afterDigits(text, at + 1, end, 4, Character.highSurrogate(point));
        if (low < 0) {
            return low;
        }
        low = afterBackslashes(text, low, end);
        if (low == end) {
            return CUT;
        }
        return text[low] == 'u' ? afterDigits(text, low + 1, end, 4, Character.lowSurrogate(point)) : MISSED;
    }

    private static int afterDigits(byte[] text, int from, int end, int count, int value) {
        for (var i = 0; i < count; i++) {
            if (from + i >= end) {
                return CUT;
            }
            if (Character.digit(text[from + i], 16) != ((value >> (4 * (count - 1 - i))) & 15)) {
                return MISSED;
            }
        }
        return from + count;
    }

    /** What ends a line may be two characters. */
    private static int afterReturn(byte[] text, int from, int end) {
        var at = afterBackslashes(text, from, end);
        if (at < end && (text[at] == '\r' || (at > from && text[at] == 'r'))) {
            return at + 1;
        }
        return from + 2 < end && text[from] == '%' && text[from + 1] == '0' && (text[from + 2] | 32) == 'd'
                ? from + 3
                : from;
    }

    private static int afterLineBreak(byte[] text, int from, int end) {
        var at = afterBackslashes(text, from, end);
        if (at < end && at > from && text[at] == 'n') {
            return at + 1;
        }
        at = from < end && text[from] == '\r' ? from + 1 : from;
        return at < end && text[at] == '\n' ? afterBlanks(text, at + 1, end) : from;
    }

    private static int afterBlanks(byte[] text, int from, int end) {
        var at = from;
        while (at < end && at - from < MOST_BLANKS && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
        return at;
    }
}
