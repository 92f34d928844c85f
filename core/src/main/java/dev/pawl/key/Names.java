package dev.pawl.key;

import java.util.regex.Pattern;

/** What workflows, steps and effects may be called. */
public final class Names {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private Names() {}

    /**
     * Returns {@code name} when it is one.
     *
     * @throws IllegalArgumentException saying what a name looks like
     */
    public static String check(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name for a " + what
                    + "; use up to 100 letters, digits, dots, dashes and underscores, a letter or digit first");
        }
        return name;
    }
}
