package dev.pawl.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a command has started and what still runs of it in sessions of their own: whoever descends from it, and, where the system tells, whoever has
 * inherited its environment, although its parent is gone. A process that has neither is not seen. What a Pawl has begun that the command called is that one's:
 * its minder is spared, and all below it.
 */
final class Started {
    /** What a minder's environment has, and no command's. */
    static final String OF_A_MINDER = "PAWL_MINDER";

    private static final int MOST_BYTES = 1 << 20;

    private final String mark;
    private final long command;

    /** What the command of {@code folder}, which is {@code process}, has started; no other command is told this place for its result. */
    Started(Folder folder, Process process) {
        this.mark = "\0PAWL_RESULT=" + folder.result() + "\0";
        this.command = process.pid();
    }

    /** Those that run now outside of the command's own session. */
    Set<ProcessHandle> elsewhere(Process process) {
        var found = new LinkedHashSet<ProcessHandle>(process.descendants().toList());
        ProcessHandle.allProcesses()
                .filter(one -> environment(one).contains(mark))
                .forEach(found::add);
        found.removeIf(one -> one.pid() == command || isInItsSession(one) || isOfAnotherPawl(one));
        return found;
    }

    private boolean isInItsSession(ProcessHandle one) {
        return stat(one)
                .filter(fields -> fields.get(3).equals(String.valueOf(command)))
                .isPresent();
    }

    private boolean isOfAnotherPawl(ProcessHandle one) {
        for (var above = Optional.of(one);
                above.isPresent() && above.get().pid() != command;
                above = above.get().parent()) {
            if (environment(above.get()).contains("\0" + OF_A_MINDER + "=")) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing more comes of it: nobody may have buried it. */
    static boolean isGone(ProcessHandle one) {
        return !one.isAlive()
                || stat(one).filter(fields -> fields.getFirst().equals("Z")).isPresent();
    }

    /** Its state, parent, group and session, and more, as Linux tells them; empty where nobody does. */
    private static Optional<List<String>> stat(ProcessHandle one) {
        try {
            var text = Files.readString(proc(one, "stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(List.of(text.substring(text.lastIndexOf(')') + 2).split(" ")));
        } catch (IOException | StringIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static Path proc(ProcessHandle one, String file) {
        return Path.of("/proc", String.valueOf(one.pid()), file);
    }

    /** Each variable between two zeros; empty when it is gone, is somebody else's, or the system does not tell. */
    private static String environment(ProcessHandle one) {
        try (var in = Files.newInputStream(proc(one, "environ"))) {
            return "\0" + new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8) + "\0";
        } catch (IOException e) {
            return "";
        }
    }
}
