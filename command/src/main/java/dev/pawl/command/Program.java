package dev.pawl.command;

import dev.pawl.text.ShellWord;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds a program as a shell would. */
public final class Program {
    /** Where a process without a {@code PATH} finds its programs. */
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    private Program() {}

    /**
     * Why a program cannot be run; null when it can.
     *
     * @param name as it was typed: a path, or a name that is looked for in {@code PATH}
     * @param directory where it would run
     * @param environment what its environment has besides ours
     */
    public static @Nullable String trouble(String name, Path directory, Map<String, String> environment) {
        if (!Files.isDirectory(directory)) {
            return "there is no folder " + directory;
        }
        try {
            if (name.contains(File.separator)) {
                return trouble(name, directory.resolve(name));
            }
            var path = environment.getOrDefault("PATH", Objects.requireNonNullElse(System.getenv("PATH"), USUAL_PATH));
            for (var folder : path.split(File.pathSeparator)) {
                if (trouble(name, directory.resolve(folder).resolve(name)) == null) {
                    return null;
                }
            }
            return "there is no program " + name + " in PATH"
                    + (Files.isRegularFile(directory.resolve(name))
                            ? "; did you mean " + ShellWord.of("./" + name) + "?"
                            : "");
        } catch (InvalidPathException e) {
            return "\"" + name + "\" cannot be a program: " + e.getReason();
        }
    }

    private static @Nullable String trouble(String name, Path file) {
        if (!Files.isRegularFile(file)) {
            return "there is no program " + name;
        }
        return Files.isExecutable(file) ? null : name + " is not executable; chmod +x " + ShellWord.of(file.toString());
    }
}
