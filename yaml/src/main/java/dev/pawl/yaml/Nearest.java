package dev.pawl.yaml;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The word that somebody who mistyped meant. */
public final class Nearest {
    private static final int MOST_MISTAKES = 3;

    private Nearest() {}

    /** The word of {@code known} that is most like {@code typed}; empty when none is. */
    public static Optional<String> to(String typed, Collection<String> known) {
        var lower = typed.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(word -> distance(lower, word) <= Math.min(MOST_MISTAKES, Math.max(1, word.length() / 2)))
                .min((one, other) -> Integer.compare(distance(lower, one), distance(lower, other)));
    }

    /** {@code "; did you mean …?"}, or nothing. */
    public static String hint(String typed, Collection<String> known) {
        return to(typed, known)
                .map(word -> "; did you mean \"" + word + "\"?")
                .orElse("; there are " + String.join(", ", known));
    }

    /** How many letters must be changed, added, left out or swapped. */
    private static int distance(String a, String b) {
        var rows = new int[a.length() + 1][b.length() + 1];
        for (var i = 0; i <= a.length(); i++) {
            rows[i][0] = i;
        }
        for (var j = 0; j <= b.length(); j++) {
            rows[0][j] = j;
        }
        for (var i = 1; i <= a.length(); i++) {
            for (var j = 1; j <= b.length(); j++) {
                var same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                rows[i][j] = Math.min(Math.min(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + same);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[a.length()][b.length()];
    }
}
