package dev.pawl.key;

/** What workflows, steps and effects may be called. */
public final class Names {

    private static final int MOST_CHARS = 100;

    private Names() {}

    /**
     * Returns {@code name} when it is one.
     *
     * @throws IllegalArgumentException saying what a name looks like
     */
    public static String check(String what, String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name for a " + what
                    + "; use up to 100 letters, digits, dots, dashes and underscores, a letter or digit first");
        }
        return name;
    }

    private static boolean isName(String text) {
        var letters = !text.isEmpty() && text.length() <= MOST_CHARS && isLetterOrDigit(text.charAt(0));
        for (var i = 1; letters && i < text.length(); i++) {
            var c = text.charAt(i);
            letters = isLetterOrDigit(c) || c == '.' || c == '_' || c == '-';
        }
        return letters;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
