package dev.pawl;

import dev.pawl.decision.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who and where this process is, as the machine knows it. */
final class ThisProcess {
    private ThisProcess() {}

    /** Whose it is, and on which machine. */
    static Origin origin() {
        var host = host();
        return new Origin(user(), host.isEmpty() ? "?" : host);
    }

    /** As the machine's list of users has it, whatever the environment claims; in a container without such a list by number. */
    private static String user() {
        var name = System.getProperty("user.name", "?");
        if (!name.equals("?")) {
            return name;
        }
        try {
            return "uid " + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return name;
        }
    }

    /** On which machine, as its kernel knows it; no name server is asked. Empty when nobody knows. */
    static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            var named = System.getenv("HOSTNAME");
            return named == null ? "" : named;
        }
    }
}
