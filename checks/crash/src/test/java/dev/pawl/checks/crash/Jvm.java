package dev.pawl.checks.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A JVM of its own, to be killed. */
final class Jvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;

    private Jvm(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static Jvm start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), main, arguments);
    }

    /** Starts {@code main} behind {@code prefix}, a command that becomes the one it is given. */
    static Jvm start(List<String> prefix, Class<?> main, String... arguments) throws IOException {
        var command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new Jvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Reads lines until one fits; returns all of them. Fails when the process says no more. */
    List<String> linesUntil(Predicate<String> last) throws IOException {
        var lines = new ArrayList<String>();
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (last.test(line)) {
                return lines;
            }
        }
        throw new AssertionError("the process ended with " + lines);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    boolean ends(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    void signal(String name) throws IOException, InterruptedException {
        run("kill", "-" + name, Long.toString(pid()));
    }

    static void run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + " failed");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
