package dev.pawl.command;

import dev.pawl.command.Folder.Sight;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gives folders to a minder and waits for what becomes of them. The minder is started when one is needed, and anew when it has died. Thread-safe. */
public final class Minders implements AutoCloseable {
    /** How often a folder is looked at that somebody else minds, or of which nobody told anything. */
    private static final Duration LOOK = Duration.ofMillis(250);

    /** How long a minder that has nothing to do may take to start and to go. */
    private static final Duration MOST_TO_START = Duration.ofSeconds(30);

    /** How long a minder that says nothing more may take to be gone. */
    private static final Duration MOST_TO_DIE = Duration.ofSeconds(1);

    private static final int MOST_WORDS = 2_000;

    private static final Set<String> FRAMES = Set.of("out", "err", "ended");

    private final Time time;
    private final File log;
    private final MinderJars jars;
    private final Signal news = new Signal();
    private @Nullable RunningMinder running;
    private boolean closed;

    /** Minders whose own troubles go to {@code log}. */
    public Minders(Time time, Path log) {
        this(time, log, MinderJars.ofLauncher());
    }

    Minders(Time time, Path log, MinderJars jars) {
        this.time = time;
        this.log = log.toFile();
        this.jars = jars;
    }

    /**
     * A minder of ours.
     *
     * @param given what it was given and has not told the end of
     * @param logged how long the log was before it wrote to it
     */
    private record RunningMinder(Process process, Writer orders, Map<Path, Relay> given, long logged) {
        private boolean alive() {
            return process.isAlive();
        }

        private void tell(String what) throws IOException {
            orders.write(what + "\n");
            orders.flush();
        }
    }

    /** Has the command of a prepared folder run; returns at once. */
    public void give(Folder folder) throws IOException {
        give(folder, Relay.NOBODY, Secrets.NONE);
    }

    /** Has the command of a prepared folder run, and what it writes sent to {@code relay}, without {@code secrets}; returns at once. */
    public synchronized void give(Folder folder, Relay relay, Secrets secrets) throws IOException {
        if (closed) {
            throw new IOException("no more commands are started here");
        }
        var order = hiding(secrets) + (relay.equals(Relay.NOBODY) ? "mind " : "show ") + folder.path();
        var minder = running;
        if (minder != null && minder.alive()) {
            try {
                minder.given().put(folder.path(), relay);
                minder.tell(order);
                return;
            } catch (IOException dead) {
                // It died a moment ago, and has not read the order.
            }
        }
        minder = start();
        running = minder;
        minder.given().put(folder.path(), relay);
        try {
            minder.tell(order);
        } catch (IOException dead) {
            // It died before it took the order: whoever waits sees that nothing was started, and why.
        }
    }

    /** What tells a minder the secrets of the command that it is told of next: by a pipe, so that they are in no folder and in no list of processes. */
    private static String hiding(Secrets secrets) {
        return secrets.isEmpty()
                ? ""
                : secrets.values().stream()
                        .map(value -> Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)))
                        .collect(Collectors.joining(" ", "hide ", "\n"));
    }

    /** Sends a signal to all commands that were given here and still run. Returns whether there are any. */
    public synchronized boolean signalAll(String name) throws IOException {
        var minder = running;
        if (minder == null || !minder.alive()) {
            return false;
        }
        var folders = List.copyOf(minder.given().keySet());
        for (var folder : folders) {
            minder.tell("signal " + name + " " + folder);
        }
        return !folders.isEmpty();
    }

    /** What was given here and still runs. */
    synchronized List<Folder> stillRunning() throws IOException {
        var minder = running;
        var runs = new ArrayList<Folder>();
        if (minder != null) {
            for (var path : minder.given().keySet()) {
                var folder = Folder.at(path);
                if (folder.look() instanceof Sight.Running) {
                    runs.add(folder);
                }
            }
        }
        return runs;
    }

    /**
     * Waits until a folder's command has ended, or can no longer, whoever minds it.
     *
     * @return what is seen then; still running, or prepared, when {@code longest} has passed
     */
    public Sight await(Folder folder, Duration longest) throws IOException, InterruptedException {
        var start = time.nanos();
        while (true) {
            var seen = news.count();
            var left = longest.minusNanos(time.nanos() - start);
            // While a minder of ours has it there is nothing to see: what a command wrote last is shown before its end
            // is told.
            if (!left.isPositive() || !expects(folder)) {
                var sight = folder.look();
                if (sight instanceof Sight.Prepared && left.isPositive() && folder.abandon()) {
                    return new Sight.Abandoned();
                }
                var over = !(sight instanceof Sight.Prepared) && !(sight instanceof Sight.Running);
                if (over || !left.isPositive()) {
                    return sight;
                }
            }
            news.await(time, seen, left.compareTo(LOOK) < 0 ? left : LOOK);
        }
    }

    /** Whether a minder of ours has it, and has not told its end. */
    private synchronized boolean expects(Folder folder) {
        var minder = running;
        return minder != null && minder.alive() && minder.given().containsKey(folder.path());
    }

    private RunningMinder start() throws IOException {
        var before = log.length();
        var builder = new ProcessBuilder(jars.command()).redirectError(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().put(Started.OF_A_MINDER, "1");
        var process = builder.start();
        var minder = new RunningMinder(
                process, process.outputWriter(StandardCharsets.UTF_8), new ConcurrentHashMap<>(), before);
        Thread.ofPlatform().daemon().name("pawl-minder").start(() -> listen(minder));
        return minder;
    }

    /** Why no minder can be started here; null when one can. */
    public static @Nullable String trouble() {
        return trouble(MinderJars.ofLauncher());
    }

    static @Nullable String trouble(MinderJars jars) {
        try {
            var process =
                    new ProcessBuilder(jars.command()).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(MOST_TO_START.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "a minder that was started does not end";
            }
            var said = new String(process.getInputStream().readNBytes(MOST_WORDS), StandardCharsets.UTF_8);
            return process.exitValue() == 0 ? null : "a minder ends at once" + words(process.exitValue(), said);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** What our last minder said when it ended badly, to be put behind a sentence; empty when it did not. */
    synchronized String lastWords() {
        var minder = running;
        if (minder == null || minder.alive() || minder.process().exitValue() == 0) {
            return "";
        }
        var said = "";
        try (var written = new RandomAccessFile(log, "r")) {
            written.seek(Math.max(minder.logged(), written.length() - MOST_WORDS));
            var bytes = new byte[(int) (written.length() - written.getFilePointer())];
            written.readFully(bytes);
            said = new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            // Then it cannot be said.
        }
        return words(minder.process().exitValue(), said);
    }

    private static String words(int code, String said) {
        var text = said.strip();
        // The first line of what a JVM says tells more than its last, but for those on what it was started with.
        var first = text.lines()
                .filter(line -> !line.startsWith("Picked up "))
                .findFirst()
                .orElse("");
        return "; its minder ended with exit " + code + (first.isEmpty() ? "" : ": " + first);
    }

    private void listen(RunningMinder minder) {
        try (var told =
                new DataInputStream(new BufferedInputStream(minder.process().getInputStream()))) {
            for (var line = line(told); line != null; line = line(told)) {
                heard(minder, line.split(" ", 3), told);
            }
        } catch (IOException e) {
            // It has died; whoever waits sees that.
        } finally {
            // Who asks for its last words finds how it ended.
            Minding.waits(minder.process(), MOST_TO_DIE);
            // Nothing more is heard of what it was given: whoever waits looks at the folder.
            minder.given().clear();
            news.raise();
        }
    }

    private void heard(RunningMinder minder, String[] words, DataInputStream told) throws IOException {
        if (words.length < 3 || !FRAMES.contains(words[0]) || !words[1].matches("\\d{1,7}")) {
            // Its JVM has said something of its own.
            return;
        }
        var bytes = new byte[Integer.parseInt(words[1])];
        told.readFully(bytes);
        var folder = Path.of(words[2]);
        var relay = minder.given().getOrDefault(folder, Relay.NOBODY);
        switch (words[0]) {
            case "out" -> relay.output(bytes, bytes.length);
            case "err" -> relay.error(bytes, bytes.length);
            default -> {
                minder.given().remove(folder);
                news.raise();
            }
        }
    }

    private static @Nullable String line(DataInputStream told) throws IOException {
        var line = new ByteArrayOutputStream();
        for (var c = told.read(); c != '\n'; c = told.read()) {
            if (c < 0) {
                return null;
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Nothing more is started; what runs is minded to its end, by a process of its own. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        if (running != null) {
            running.orders().close();
        }
    }
}
