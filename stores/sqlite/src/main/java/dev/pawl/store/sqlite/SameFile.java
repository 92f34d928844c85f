package dev.pawl.store.sqlite;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.StoreGone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a store's file was deleted, moved or replaced while it was open. What is open stays readable and writable, and nobody else will ever see what is
 * written to it: whoever starts next makes a new store and does everything again. A look at the folder costs less than a thousandth of a commit.
 */
final class SameFile {
    private final Path path;
    private final @Nullable Object key;

    private SameFile(Path path, @Nullable Object key) {
        this.path = path;
        this.key = key;
    }

    /** The file that is there now. */
    static SameFile at(Path path) {
        try {
            return new SameFile(path, key(path));
        } catch (IOException e) {
            throw new StoreFailure(Move.OPERATOR, path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** @throws StoreGone when the file is no longer there, or is another one */
    void require() {
        try {
            var now = key(path);
            if (key != null && !key.equals(now)) {
                throw gone("was replaced by another file");
            }
        } catch (NoSuchFileException e) {
            throw gone("was deleted or moved");
        } catch (IOException e) {
            // Whoever reads or writes next says what is wrong.
        }
    }

    /** What tells a file from every other on this machine, whatever it is called. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    private StoreGone gone(String how) {
        return new StoreGone(
                path + " " + how
                        + " while this process worked with it; what it has done since then may be kept nowhere. Put the file back, with what lies beside it, before anything is run again:"
                        + " else it is all done once more",
                null);
    }
}
