package dev.pawl.cli;

import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file that a command makes, or makes anew: it is written over only when it is what that command made before.
 *
 * @param path where it is
 * @param option how it was named
 * @param what it is, for people
 * @param members what every line of it has
 */
record OutputFile(Path path, String option, String what, List<String> members) {

    /** Where the bad lines of a batch are listed. */
    static OutputFile badLines(Path path) {
        return new OutputFile(path, "--skip-bad-lines", "an earlier list of bad lines", List.of("line", "why", "text"));
    }

    /** What an export writes. */
    static OutputFile export(Path path) {
        return new OutputFile(path, "-o", "an earlier export", List.of("key", "row", "result"));
    }

    /**
     * Makes sure that nothing is lost when it is written.
     *
     * @param inputs what the command reads
     * @return where it really is, links followed
     * @throws IllegalArgumentException saying what would be lost
     */
    Path checked(StoreOption store, Path... inputs) throws IOException {
        for (var input : inputs) {
            if (isSame(path, input)) {
                throw refused("is what is read");
            }
        }
        for (var own : store.files()) {
            if (isSame(path, own)) {
                throw refused("belongs to the store");
            }
        }
        if (!Files.exists(path)) {
            return path;
        }
        if (!Files.isRegularFile(path)) {
            throw refused("is there, and is no file");
        }
        if (!isEarlier()) {
            throw refused("is there, and is not " + what);
        }
        return path.toRealPath();
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                path + " " + why + ", and would be lost; name another file with " + option + ", or move it away");
    }

    /** Whether it is empty, or its first line is one of those that are written here. */
    private boolean isEarlier() throws IOException {
        try (var reader = Files.newBufferedReader(path)) {
            var first = firstLine(reader);
            return first.isEmpty() || Json.tree(first).propertyNames().containsAll(members);
        } catch (CharacterCodingException | JsonMismatch e) {
            return false;
        }
    }

    private static String firstLine(BufferedReader reader) throws IOException {
        var line = new StringBuilder();
        for (var c = reader.read(); c >= 0 && c != '\n'; c = reader.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    /** Whether both are one file, however they are named, there or not. */
    static boolean isSame(Path one, Path other) throws IOException {
        if (Files.exists(one) && Files.exists(other)) {
            return Files.isSameFile(one, other);
        }
        return real(one).equals(real(other));
    }

    private static Path real(Path path) throws IOException {
        var absolute = path.toAbsolutePath().normalize();
        var parent = absolute.getParent();
        return parent != null && Files.isDirectory(parent)
                ? parent.toRealPath().resolve(absolute.getFileName())
                : absolute;
    }
}
