package dev.pawl.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code pawl}, in a process in which something eats all memory once a file is there. */
final class EatsMemory {
    /** Held for the life of the process. */
    private static final List<byte[]> EATEN = new ArrayList<>(100_000);

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
        for (var size = 1 << 20; ; size = Math.max(16, size / 2)) {
            try {
                while (true) {
                    EATEN.add(new byte[size]);
                }
            } catch (OutOfMemoryError e) {
                // Then smaller bites, and whatever others leave.
            }
        }
    }
}
