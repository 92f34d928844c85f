package dev.pawl.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Which start of the machine this is: what ran under another one runs no more, and what it wrote last may be lost. */
final class Boot {
    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /** A short word that is another one after the machine was started again. */
    static String id() {
        try {
            return Files.readString(LINUX).strip().replaceAll("[^0-9a-fA-F]", "");
        } catch (IOException e) {
            return String.valueOf(ProcessHandle.of(1)
                    .flatMap(first -> first.info().startInstant())
                    .orElse(Instant.EPOCH)
                    .getEpochSecond());
        }
    }
}
