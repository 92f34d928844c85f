package dev.pawl.yaml;

/**
 * Something that is wrong with a file.
 *
 * @param line from 1
 * @param column from 1
 * @param what in a sentence, with the way out
 */
public record Problem(int line, int column, String what) {

    /** As compilers say it: {@code flow.yaml:3:5: …}. */
    public String text(String file) {
        return file + ":" + line + ":" + column + ": " + what;
    }
}
