package dev.pawl.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a command has started and what still runs of it, also in sessions of their own: whoever descends from it, and, where the system tells, whoever has
 * inherited its environment, although its parent is gone. A process that has neither is not seen.
 */
final class Started {
    private static final int MOST_BYTES = 1 << 20;

    private final String mark;

    /** What the command of {@code folder} started; no other command is told this place for its result. */
    Started(Folder folder) {
        this.mark = "\0PAWL_RESULT=" + folder.result() + "\0";
    }

    /** Those that run now, but for the command itself. */
    Set<ProcessHandle> by(Process command) {
        var found = new LinkedHashSet<ProcessHandle>(command.descendants().toList());
        ProcessHandle.allProcesses()
                .filter(one -> one.pid() != command.pid() && inherited(one))
                .forEach(found::add);
        return found;
    }

    private boolean inherited(ProcessHandle one) {
        try (var in = Files.newInputStream(Path.of("/proc", String.valueOf(one.pid()), "environ"))) {
            var environment = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            return ("\0" + environment + "\0").contains(mark);
        } catch (IOException e) {
            // It is gone, is somebody else's, or the system does not tell.
            return false;
        }
    }
}
