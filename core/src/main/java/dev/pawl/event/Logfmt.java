package dev.pawl.event;

/** Writes {@code key=value} pairs so that no value can break out of its line or pretend to be another field. */
public final class Logfmt {

    private static final int MOST_CHARS = 1_000;

    private Logfmt() {}

    /** Appends one pair, after a space if something stands before. */
    public static void append(StringBuilder line, String key, String value) {
        if (!line.isEmpty()) {
            line.append(' ');
        }
        line.append(key).append('=');
        var cut = value.length() > MOST_CHARS ? value.substring(0, MOST_CHARS) + "…" : value;
        if (plain(cut)) {
            line.append(cut);
        } else {
            quote(line, cut);
        }
    }

    private static boolean plain(String value) {
        return !value.isEmpty()
                && value.chars().allMatch(c -> c > ' ' && c != '"' && c != '=' && c != '\\' && !unprintable((char) c));
    }

    private static void quote(StringBuilder line, String value) {
        line.append('"');
        for (var i = 0; i < value.length(); i++) {
            var c = value.charAt(i);
            switch (c) {
                case '"' -> line.append("\\\"");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (unprintable(c)) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        line.append('"');
    }

    /** Control characters, and those that turn or break a line on a terminal. */
    private static boolean unprintable(char c) {
        return Character.isISOControl(c)
                || c == '\u2028'
                || c == '\u2029'
                || (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069');
    }
}
