package dev.pawl.checks.crash.night;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Types commands: {@code ./pawl} as a process of its own, with a store and a folder of its own. */
final class Shell {
    private final Path pawl;
    private final Path folder;
    private final String mark = UUID.randomUUID().toString();

    /**
     * A place to type at.
     *
     * @param pawl the launcher
     * @param folder where commands are typed
     */
    Shell(Path pawl, Path folder) {
        this.pawl = pawl;
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    /**
     * What a command came to.
     *
     * @param code its exit code
     * @param out what it wrote to its standard output
     * @param err what it wrote to its standard error
     */
    record Said(int code, String out, String err) {}

    /** Starts {@code pawl} with these words. */
    Process start(String name, String... words) throws IOException {
        var command = new ArrayList<String>();
        command.add(pawl.toString());
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .redirectError(folder.resolve(name + ".err").toFile());
        builder.environment().put("PAWL_STORE", folder.resolve("pawl.db").toString());
        builder.environment().put("NIGHT", mark);
        return builder.start();
    }

    /** Runs {@code pawl} with these words to its end. */
    Said run(String name, String... words) throws IOException, InterruptedException {
        var process = start(name, words);
        if (!process.waitFor(4, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException("pawl " + String.join(" ", words) + " does not end");
        }
        return said(name, process.exitValue());
    }

    Said said(String name, int code) throws IOException {
        return new Said(
                code, Files.readString(folder.resolve(name + ".out")), Files.readString(folder.resolve(name + ".err")));
    }

    /** Writes a script that can be run. */
    void script(String name, String text) throws IOException {
        var file = folder.resolve(name);
        Files.writeString(file, text);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
    }

    /** Kills every minder that was started from here, and returns when they are gone: how many there were. */
    int killMinders() throws IOException {
        var killed = 0;
        for (var process : ProcessHandle.allProcesses().toList()) {
            if (isOurMinder(process.pid())) {
                process.destroyForcibly();
                process.onExit().join();
                killed++;
            }
        }
        return killed;
    }

    /** Returns when every minder that was started from here has gone, and so every command has ended that one of them minded. */
    void awaitMinders() {
        for (var process : ProcessHandle.allProcesses().toList()) {
            if (isOurMinder(process.pid())) {
                process.onExit().join();
            }
        }
    }

    private boolean isOurMinder(long pid) {
        try {
            return read(pid, "cmdline").contains("dev.pawl.command.Minder")
                    && read(pid, "environ").contains("NIGHT=" + mark);
        } catch (IOException e) {
            return false;
        }
    }

    private static String read(long pid, String what) throws IOException {
        return new String(Files.readAllBytes(Path.of("/proc", String.valueOf(pid), what)), StandardCharsets.ISO_8859_1);
    }
}
