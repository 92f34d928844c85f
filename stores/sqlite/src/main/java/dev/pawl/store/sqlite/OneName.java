package dev.pawl.store.sqlite;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A file's one true name. Log, locks, guards and commands lie beside a store under its name: whoever came by another one would find none of them, and do everything
 * once more. Symbolic links are followed; a second name that cannot be told from the first is refused.
 */
final class OneName {
    /** What is mounted where, as the kernel tells (Linux). */
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    private static final int MOUNT_POINT = 4;

    /** As many as the kernel follows. */
    private static final int MOST_LINKS = 40;

    private OneName() {}

    /** The name of a file that is there, or would be made. */
    static Path of(Path file) {
        return of(file, file, 0);
    }

    private static Path of(Path file, Path said, int links) {
        if (links > MOST_LINKS) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    said + " is a symbolic link that leads back to itself; remove it, or name a file with --store",
                    null);
        }
        var named = file.toAbsolutePath();
        try {
            if (Files.isSymbolicLink(named) && !Files.exists(named)) {
                return of(named.resolveSibling(Files.readSymbolicLink(named)), said, links + 1);
            }
            if (Files.exists(named)) {
                return named.toRealPath();
            }
            var folder = Objects.requireNonNullElse(named.getParent(), named);
            return Files.isDirectory(folder)
                    ? folder.toRealPath().resolve(Objects.requireNonNull(named.getFileName()))
                    : named;
        } catch (IOException e) {
            throw new StoreFailure(Move.OPERATOR, file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** @throws StoreFailure when the file has a second name that leads past what lies beside the first */
    static void require(Path real) {
        if (!Files.isRegularFile(real)) {
            return;
        }
        if (names(real) > 1) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    real
                            + " has another name (a hard link): whoever uses that one would not see what is done here, and do it again."
                            + " Find it with find FOLDER -samefile, remove it, and use a symbolic link instead",
                    null);
        }
        if (isMounted(real)) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    real
                            + " is mounted as a single file: its log and its locks would be elsewhere than those of whoever uses it under its own name."
                            + " Mount the folder that it is in instead",
                    null);
        }
    }

    private static int names(Path real) {
        try {
            return (int) Files.getAttribute(real, "unix:nlink");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return 1;
        }
    }

    private static boolean isMounted(Path real) {
        try (var mounts = Files.lines(MOUNTS)) {
            return isMountPoint(real, mounts);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the lines of {@code mountinfo} name this file. */
    static boolean isMountPoint(Path real, Stream<String> mounts) {
        // As the kernel writes it.
        var written = real.toString()
                .replace("\\", "\\134")
                .replace(" ", "\\040")
                .replace("\t", "\\011")
                .replace("\n", "\\012");
        return mounts.map(line -> line.split(" "))
                .anyMatch(words -> words.length > MOUNT_POINT && words[MOUNT_POINT].equals(written));
    }
}
