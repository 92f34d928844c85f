package dev.pawl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whether the disk has room for what is to be recorded. */
final class Room {
    /** With less than this a store can hardly write anything. */
    private static final long LEAST = 1L << 20;

    private Room() {}

    /** What is wrong with the room on the disk of {@code place}; null when nothing is, or nobody can tell. */
    static @Nullable String trouble(Path place) {
        try {
            var left = Files.getFileStore(place).getUsableSpace();
            return left >= LEAST
                    ? null
                    : "the disk of " + place + " is full (" + left / 1024 + " kB left): nothing can be recorded."
                            + " What ends meanwhile is not lost: make room, then run it again";
        } catch (IOException e) {
            return null;
        }
    }
}
