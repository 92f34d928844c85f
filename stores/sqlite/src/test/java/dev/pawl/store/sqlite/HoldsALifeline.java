package dev.pawl.store.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process of its own that holds one byte of a file, as one worker's lifeline is, until it is killed. */
final class HoldsALifeline {
    private HoldsALifeline() {}

    /** Arguments: the file, and the byte, which is the worker's number. */
    public static void main(String[] arguments) throws IOException {
        try (var channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
                var lock = channel.lock(Long.parseLong(arguments[1]), 1, false)) {
            System.out.println(lock.isValid() ? "held" : "not held");
            System.in.read();
        }
    }
}
