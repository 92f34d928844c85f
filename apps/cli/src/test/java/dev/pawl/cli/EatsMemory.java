package dev.pawl.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/** {@code pawl}, in a process in which something eats all memory once a file is there. */
final class EatsMemory {
    private EatsMemory() {}

    public static void main(String[] arguments) {
        var file = Path.of(System.getProperty("eat.when"));
        Thread.ofPlatform().daemon().start(() -> {
            while (!Files.exists(file)) {
                Thread.onSpinWait();
            }
            eat();
        });
        Main.main(arguments);
    }

    private static void eat() {
        var eaten = new ArrayList<byte[]>(100_000_000 / 1_000);
        for (var size = 1 << 20; ; size = Math.max(16, size / 2)) {
            try {
                while (true) {
                    eaten.add(new byte[size]);
                }
            } catch (OutOfMemoryError e) {
                // Then smaller bites, and whatever others leave.
            }
        }
    }
}
