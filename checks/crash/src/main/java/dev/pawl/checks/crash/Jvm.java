package dev.pawl.checks.crash;

import dev.pawl.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A JVM of its own, to be killed. */
public final class Jvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader out;

    private Jvm(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts {@code main} quickly, with its classes from {@code archive}, which the first that ends by itself makes. */
    public static Jvm quickly(Path archive, Class<?> main, String... arguments) throws IOException {
        return start(
                List.of(),
                List.of(
                        "-XX:+AutoCreateSharedArchive",
                        "-XX:SharedArchiveFile=" + archive,
                        "-Xlog:disable",
                        "-Xmx128m"),
                main,
                arguments);
    }

    /** Starts {@code main}. */
    public static Jvm start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), main, arguments);
    }

    /** Starts {@code main} behind {@code prefix}, a command that becomes the one it is given. */
    public static Jvm start(List<String> prefix, Class<?> main, String... arguments) throws IOException {
        return start(prefix, List.of("-Xshare:auto"), main, arguments);
    }

    private static Jvm start(List<String> prefix, List<String> options, Class<?> main, String... arguments)
            throws IOException {
        var command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new Jvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it has not ended. */
    public boolean alive() {
        return process.isAlive();
    }

    /** Like {@link #linesUntil(Predicate)}; a process that has not said it in time is killed. */
    public List<String> linesUntil(Predicate<String> last, Duration longest) throws IOException {
        var killer = killerAfter(longest);
        try {
            return linesUntil(last);
        } finally {
            killer.interrupt();
        }
    }

    /** Reads lines until one fits; returns all of them. Fails when the process says no more. */
    public List<String> linesUntil(Predicate<String> last) throws IOException {
        var lines = new ArrayList<String>();
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (last.test(line)) {
                return lines;
            }
        }
        throw new IllegalStateException("the process ended with " + lines);
    }

    /** Reads all that it says until it ends; one that does not end in time is killed. */
    public List<String> allLinesWithin(Duration longest) {
        var killer = killerAfter(longest);
        var lines = out.lines().toList();
        killer.interrupt();
        return lines;
    }

    /** Kills the process when it has not ended in time, unless it is interrupted before. */
    private Thread killerAfter(Duration longest) {
        return Thread.ofVirtual().start(() -> {
            try {
                if (!ends(longest.toSeconds())) {
                    kill();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Kills it with {@code kill -9}. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Lets it go on with a line on its standard input. */
    public void tell(String line) throws IOException {
        var in = process.getOutputStream();
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /** Whether it ends by itself within so many seconds. */
    public boolean ends(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /** Stops it with {@code kill -STOP}; returns when none of its threads goes on. */
    public void stop() throws IOException, InterruptedException {
        signal("STOP");
        while (alive() && !stands()) {
            Time.system().await(Duration.ofMillis(2));
        }
    }

    /** Stops it while it writes nothing to an SQLite file: stopped inside a commit it would hold the file's lock, and nobody could write until it goes on. */
    public void stopOutsideAWrite(Path file) throws IOException, InterruptedException {
        for (stop(); alive() && isLocked(file); stop()) {
            goOn();
            Time.system().await(Duration.ofMillis(10));
        }
    }

    private static boolean isLocked(Path file) {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 100");
            statement.execute("begin immediate");
            statement.execute("rollback");
            return false;
        } catch (SQLException held) {
            return true;
        }
    }

    private boolean stands() throws IOException {
        try (var threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            for (var thread : threads.toList()) {
                var said = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
                if (said.charAt(said.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException ended) {
            return false;
        }
    }

    /** Lets it go on after it was stopped. */
    public void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Sends it a signal. */
    public void signal(String name) throws IOException, InterruptedException {
        run("kill", "-" + name, Long.toString(pid()));
    }

    /** Runs a command that must succeed. */
    public static void run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
    }

    /** Kills it; returns when it is gone and touches no file any more. */
    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
