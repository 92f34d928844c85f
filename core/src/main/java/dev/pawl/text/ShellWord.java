package dev.pawl.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One word of a command that is printed to be typed: a shell that it is pasted into reads exactly that word, whatever it holds. */
public final class ShellWord {
    /** What means nothing to any shell, inside a word. */
    private static final String PLAIN = "._-+:,=@/%";

    private static final int FIRST_PRINTABLE = ' ';
    private static final int LAST_PRINTABLE = '~';

    private ShellWord() {}

    /** {@code text} as one word: as it stands where no shell minds, else quoted. */
    public static String of(String text) {
        if (isPlain(text)) {
            return text;
        }
        if (text.codePoints().noneMatch(Visible::isHidden)) {
            return "'" + text.replace("'", "'\\''") + "'";
        }
        return printed(text);
    }

    /** Whether {@code text} is one word to every shell, without quotes. */
    public static boolean isPlain(String text) {
        return !text.isEmpty() && text.charAt(0) != '=' && text.codePoints().allMatch(ShellWord::isPlain);
    }

    /** Whether no shell minds {@code c} inside a word. */
    public static boolean isPlain(int c) {
        return c > LAST_PRINTABLE
                ? !Visible.isHidden(c) && !Character.isSpaceChar(c)
                : (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0;
    }

    /** What cannot be seen is written in digits that {@code printf} reads; line ends at the end stand as they are, because a shell drops those there. */
    private static String printed(String text) {
        var end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\n') {
            end--;
        }
        var format = new StringBuilder();
        for (var b : text.substring(0, end).getBytes(StandardCharsets.UTF_8)) {
            // A dash in front would be an option of printf's.
            var option = b == '-' && format.isEmpty();
            if (option || b < FIRST_PRINTABLE || b > LAST_PRINTABLE || b == '\'' || b == '\\' || b == '%') {
                format.append(String.format(Locale.ROOT, "\\%03o", b & 0xFF));
            } else {
                format.append((char) b);
            }
        }
        return "\"$(printf '" + format + "')\"" + (end < text.length() ? "'" + text.substring(end) + "'" : "");
    }
}
