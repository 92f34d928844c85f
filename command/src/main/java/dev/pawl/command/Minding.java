package dev.pawl.command;

import dev.pawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One command and its minder: start → read what it writes → wait, or end it when its time is up → say how it ended. */
final class Minding {
    /** How long a command may take to end when it was told to, before it is killed; not longer than its own time-out. */
    private static final Duration TO_FINISH = Duration.ofSeconds(10);

    /** For so long nothing more comes of a command that has ended before nothing more is expected: its children may hold the pipe for ever. */
    private static final Duration FOR_THE_REST = Duration.ofMillis(500);

    /** How often it is looked whether somebody wants the command to end. */
    private static final Duration LOOK = Duration.ofMillis(250);

    /** For so long it is waited until what was killed is gone. */
    private static final Duration TO_BE_GONE = Duration.ofSeconds(5);

    private static final long A_MOMENT = 50;

    private static final int MOST_ROUNDS = 6;

    private final Folder folder;
    private final Time time;
    private final Relay relay;
    private final Secrets secrets;
    private volatile @Nullable Process running;

    Minding(Folder folder, Time time, Relay relay, Secrets secrets) {
        this.folder = folder;
        this.time = time;
        this.relay = relay;
        this.secrets = secrets;
    }

    /** Runs the command to its end, unless somebody has given up on it. */
    void run() throws IOException {
        try (var held = folder.hold()) {
            if (held.lock().isValid() && folder.start()) {
                var exit = ended();
                folder.mask(secrets);
                folder.end(exit);
            }
        }
    }

    private Exit ended() throws IOException {
        var order = folder.order();
        var start = time.nanos();
        var trouble = Program.trouble(order.command().getFirst(), order.directory(), order.more());
        if (trouble != null) {
            return notStarted(trouble);
        }
        Process process;
        try {
            process = start(order);
        } catch (IOException e) {
            return notStarted(String.valueOf(e.getMessage()));
        }
        running = process;
        try (var kept = new KeptOutput(folder)) {
            // A result is all that was written; of what is shown, the last may be half a secret.
            var result = new Masking(secrets, kept::output);
            var output = new Masking(secrets, (bytes, length) -> {
                kept.log(bytes, length);
                relay.output(bytes, length);
            });
            var error = new Masking(secrets, (bytes, length) -> {
                kept.log(bytes, length);
                relay.error(bytes, length);
            });
            var readers = List.of(
                    reading(process.getInputStream(), (bytes, length) -> {
                        result.take(bytes, length);
                        output.take(bytes, length);
                    }),
                    reading(process.getErrorStream(), error));
            var inTime = waitsUnlessAsked(process, order.timeout());
            if (process.isAlive()) {
                end(
                        process,
                        new Started(folder, process),
                        order.timeout().compareTo(TO_FINISH) < 0 ? order.timeout() : TO_FINISH);
            }
            for (var reader : readers) {
                readsTheRest(reader, kept);
            }
            result.end(!inTime || process.exitValue() >= Meaning.SIGNALS);
            output.end(true);
            error.end(true);
            kept.settle();
            var took = Duration.ofNanos(time.nanos() - start);
            return new Exit(process.exitValue(), !inTime, took, kept.written(), kept.trouble());
        }
    }

    private static Exit notStarted(String why) {
        return new Exit(Exit.NOT_STARTED, false, Duration.ZERO, 0, why);
    }

    /** In a session of its own, so that a signal can reach all that it starts and nothing else. */
    private Process start(Order order) throws IOException {
        var command = new ArrayList<String>();
        command.add("setsid");
        command.addAll(order.command());
        var builder = new ProcessBuilder(command)
                .directory(order.directory().toFile())
                .redirectInput(folder.input().toFile());
        asItWas(builder.environment());
        builder.environment().remove(Started.OF_A_MINDER);
        builder.environment().putAll(order.more());
        builder.environment().remove(CommandEnvironment.STORE, "");
        builder.environment().remove(CommandEnvironment.TRACEPARENT, "");
        return builder.start();
    }

    /** The launcher needs a locale of its own, and notes the one that it found; a command gets that. */
    private static void asItWas(Map<String, String> environment) {
        var found = environment.remove("PAWL_LC_ALL");
        if (found != null && found.isEmpty()) {
            environment.remove("LC_ALL");
        } else if (found != null) {
            environment.put("LC_ALL", found);
        }
    }

    private static Thread reading(InputStream stream, KeptOutput.Sink sink) {
        return Thread.ofPlatform().daemon().start(() -> {
            var buffer = new byte[64 * 1024];
            try (stream) {
                for (var read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                    sink.take(buffer, read);
                }
            } catch (IOException e) {
                // Whoever wrote has gone.
            }
        });
    }

    /** Waits for what was written before the end, as long as any of it still comes in; what its children write for ever is not waited for. */
    private static void readsTheRest(Thread reader, KeptOutput kept) {
        try {
            var before = -1L;
            for (var i = 0; i < MOST_ROUNDS && kept.total() != before; i++) {
                before = kept.total();
                if (reader.join(FOR_THE_REST)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a minder", e);
        }
    }

    /** Waits until it ends, or is asked to. Returns false when it did not end in time, and nobody had asked. */
    private boolean waitsUnlessAsked(Process process, Duration longest) {
        var until = time.nanos() + longest.toNanos();
        while (true) {
            var left = Duration.ofNanos(until - time.nanos());
            if (waits(process, left.compareTo(LOOK) < 0 ? left : LOOK) || folder.isToEnd()) {
                return true;
            }
            if (!left.isPositive()) {
                return false;
            }
        }
    }

    static boolean waits(Process process, Duration longest) {
        try {
            return process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a minder", e);
        }
    }

    /** Asks the command and all that it started to end, and makes those end that do not. */
    private static void end(Process process, Started started, Duration toFinish) throws IOException {
        var elsewhere = started.elsewhere(process);
        signal("TERM", process);
        elsewhere.forEach(ProcessHandle::destroy);
        waits(process, toFinish);
        signal("KILL", process);
        elsewhere.addAll(started.elsewhere(process));
        elsewhere.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        waits(process, Duration.ofDays(1));
        areGone(elsewhere);
    }

    /** Waits for a while until what was killed is gone. */
    private static void areGone(Set<ProcessHandle> killed) {
        var left = TO_BE_GONE.toMillis();
        for (var one : killed) {
            while (!Started.isGone(one) && left > 0) {
                left -= A_MOMENT;
                pause(one);
            }
        }
    }

    private static void pause(ProcessHandle until) {
        try {
            until.onExit().get(A_MOMENT, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // It is looked at again.
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a minder", e);
        }
    }

    /** Sends a signal to the command, if it runs. */
    void signal(String name) {
        var process = running;
        try {
            if (process != null && process.isAlive()) {
                signal(name, process);
            }
        } catch (IOException e) {
            System.err.println("pawl: " + folder.path() + " could not be signalled: " + e);
        }
    }

    /** To the command's own session, which nobody else can be in. */
    private static void signal(String name, Process process) throws IOException {
        var kill = new ProcessBuilder("kill", "-s", name, "--", "-" + process.pid())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        waits(kill, Duration.ofSeconds(10));
    }
}
