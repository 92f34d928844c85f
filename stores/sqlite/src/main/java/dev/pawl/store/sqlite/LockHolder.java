package dev.pawl.store.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Who holds an SQLite file's write lock, as far as the kernel tells (Linux).
 *
 * @param pid the process; 0 when it could not be found out
 * @param state the kernel's letter for its state; {@code T} is stopped
 * @param command what it was started as
 */
record LockHolder(long pid, char state, String command) {

    /** The byte of the shared-memory file that a WAL writer locks. */
    private static final long WAL_WRITE_LOCK = 120;

    private static final LockHolder UNKNOWN = new LockHolder(0, '?', "");

    static LockHolder of(Path file) {
        try {
            var real = file.toRealPath();
            var shm = real.resolveSibling(real.getFileName() + "-shm");
            var inode = String.valueOf(Files.getAttribute(shm, "unix:ino"));
            return holding(inode, Files.readAllLines(Path.of("/proc/locks")));
        } catch (IOException | UnsupportedOperationException | NumberFormatException e) {
            return UNKNOWN;
        }
    }

    /** Who holds the write lock of the file {@code inode}, as the lines of {@code /proc/locks} say. */
    static LockHolder holding(String inode, List<String> locks) throws IOException {
        for (var line : locks) {
            var words = List.of(line.trim().split("\\s+"));
            if (words.size() >= 8
                    && words.get(3).equals("WRITE")
                    && words.get(5).endsWith(":" + inode)
                    && Long.parseLong(words.get(6)) <= WAL_WRITE_LOCK
                    && (words.get(7).equals("EOF") || Long.parseLong(words.get(7)) >= WAL_WRITE_LOCK)) {
                return describe(Long.parseLong(words.get(4)));
            }
        }
        return UNKNOWN;
    }

    private static LockHolder describe(long pid) throws IOException {
        var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        var state = stat.charAt(stat.lastIndexOf(')') + 2);
        var command = Files.readString(Path.of("/proc/" + pid + "/cmdline"))
                .replace('\0', ' ')
                .trim();
        return new LockHolder(pid, state, command.length() > 80 ? command.substring(0, 80) + "…" : command);
    }

    String sentence() {
        if (pid == 0) {
            return "it could not be found out which; look for a stopped process that uses Pawl";
        }
        return Character.toUpperCase(state) == 'T'
                ? "process " + pid + " (" + command + ") is stopped inside a write; continue it with \"kill -CONT "
                        + pid + "\" or end it with \"kill -9 " + pid + "\""
                : "process " + pid + " (" + command + ") is writing; if it hangs, end it with \"kill -9 " + pid + "\"";
    }
}
