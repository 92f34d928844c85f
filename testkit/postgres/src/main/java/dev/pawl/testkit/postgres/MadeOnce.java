package dev.pawl.testkit.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A folder that the first one who needs it makes, for everybody on this machine: whoever comes meanwhile waits for it. One whose maker died is made anew.
 */
final class MadeOnce {
    /** Fills an empty folder. */
    @FunctionalInterface
    interface Maker {
        /** Puts into {@code folder} what belongs there. */
        void fill(Path folder) throws IOException;
    }

    private MadeOnce() {}

    /** The folder {@code name} below {@code parent}, made by {@code maker} if it is not there yet; it is there whole or not at all. */
    static synchronized Path folder(Path parent, String name, Maker maker) throws IOException {
        Files.createDirectories(parent);
        var made = parent.resolve(name);
        if (Files.isDirectory(made)) {
            return made;
        }
        try (var channel = FileChannel.open(
                        parent.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            if (lock.isValid() && !Files.isDirectory(made)) {
                var half = Files.createTempDirectory(parent, "half");
                maker.fill(half);
                Files.move(half, made, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return made;
    }
}
