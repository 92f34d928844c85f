package dev.pawl.event;

import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;

/** Writes {@code key=value} pairs so that no value can break out of its line or pretend to be another field. */
public final class Logfmt {

    private static final int MOST_CHARS = 1_000;

    private Logfmt() {}

    /** Appends one pair, without passwords in addresses, after a space if something stands before. */
    public static void append(StringBuilder line, String key, String value) {
        if (!line.isEmpty()) {
            line.append(' ');
        }
        line.append(key).append('=');
        var shown = WithoutPasswords.of(value);
        var cut = shown.length() > MOST_CHARS ? shown.substring(0, MOST_CHARS) + "…" : shown;
        if (plain(cut)) {
            line.append(cut);
        } else {
            quote(line, cut);
        }
    }

    private static boolean plain(String value) {
        return !value.isEmpty()
                && value.codePoints()
                        .allMatch(c -> c > ' ' && c != '"' && c != '=' && c != '\\' && !Visible.isHidden(c));
    }

    private static void quote(StringBuilder line, String value) {
        line.append('"');
        line.append(Visible.of(value.replace("\\", "\\\\").replace("\"", "\\\"")));
        line.append('"');
    }
}
