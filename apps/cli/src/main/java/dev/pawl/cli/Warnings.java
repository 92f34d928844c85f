package dev.pawl.cli;

import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;

/** What is said on stderr and is no event. */
final class Warnings {
    private Warnings() {}

    /** Says it, with what others wrote in it. */
    static void say(String sentence) {
        System.err.println("pawl: " + WithoutPasswords.of(Visible.lines(sentence)));
    }
}
