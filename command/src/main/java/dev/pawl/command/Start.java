package dev.pawl.command;

import dev.pawl.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * One start of one machine. Two machines may share a folder, so a command that ran under another start is over only if that was a start of this
 * very machine.
 *
 * @param host what people call the machine; empty when nobody wrote it down, as earlier states of Pawl did not
 * @param machine what tells it from others of the same name; empty likewise
 * @param boot another one after the machine was started again
 */
record Start(String host, String machine, String boot) {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
    private static final Path MACHINE = Path.of("/etc/machine-id");
    private static final int MOST_HOST = 40;
    private static final int MACHINE_CHARS = 12;

    /** How another start is seen from this one. */
    enum Distance {
        /** The same start: its locks tell the truth. */
        HERE,
        /** An earlier start of this machine: what ran under it runs no more, and what it wrote last may be lost. */
        EARLIER,
        /** Another machine, perhaps: what was begun there may go on there. */
        ELSEWHERE
    }

    /** This one. */
    static Start now() {
        var host = read(HOST).orElse("localhost").replaceAll("[^0-9A-Za-z-]", "-");
        return new Start(
                host.substring(0, Math.min(host.length(), MOST_HOST)),
                Json.fingerprint(Json.write(read(MACHINE).orElse(host))).substring(0, MACHINE_CHARS),
                bootId());
    }

    private static String bootId() {
        return read(BOOT)
                .map(id -> id.replaceAll("[^0-9a-fA-F]", ""))
                .orElseGet(() -> String.valueOf(ProcessHandle.of(1)
                        .flatMap(first -> first.info().startInstant())
                        .orElse(Instant.EPOCH)
                        .getEpochSecond()));
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** As the name of a folder. */
    String word() {
        return host + "." + machine + "." + boot;
    }

    /** The start that a folder is named after; earlier states of Pawl named it after the boot alone. */
    static Start of(String word) {
        var parts = word.split("\\.", -1);
        return parts.length == 3 ? new Start(parts[0], parts[1], parts[2]) : new Start("", "", word);
    }

    /** How far away {@code other} is. */
    Distance to(Start another) {
        if (boot.equals(another.boot)) {
            return Distance.HERE;
        }
        return host.equals(another.host) && machine.equals(another.machine) ? Distance.EARLIER : Distance.ELSEWHERE;
    }
}
