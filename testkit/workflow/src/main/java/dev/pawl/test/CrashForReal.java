package dev.pawl.test;

import dev.pawl.job.Workflow;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.json.Values;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Like {@link CrashEverywhere}, with processes of their own over an SQLite file: each crash is a {@code kill -9}. A crash takes a second or two.
 *
 * @param <I> the workflow's input
 * @param <O> its output
 */
public final class CrashForReal<I, O> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration ROUND = Duration.ofMillis(5);
    private static final int AT_ONCE =
            Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));

    private final Class<? extends Crashable<I, O>> subject;
    private final List<Message> signals;

    CrashForReal(Class<? extends Crashable<I, O>> subject, List<Message> signals) {
        this.subject = subject;
        this.signals = List.copyOf(signals);
    }

    /** The same, with a signal that comes as soon as the job is there. */
    public CrashForReal<I, O> signalled(String name, Object payload) {
        return new CrashForReal<>(subject, CrashEverywhere.with(signals, name, payload));
    }

    /** Runs a job with this key and input once without a crash, and once for each crash; says what came of it. */
    public CrashReport run(Key key, I input) {
        var identity = new Identity(workflow().name(), key);
        var json = Json.canonical(Values.write(input));
        var report = new CrashReport.Builder(identity.toString());
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            var trials = new ArrayDeque<Future<Trial>>();
            var points = CrashEverywhere.points().iterator();
            while (points.hasNext() || !trials.isEmpty()) {
                while (points.hasNext() && trials.size() < AT_ONCE) {
                    var point = points.next();
                    trials.add(threads.submit(() -> trial(key, json, identity, point)));
                }
                var trial = trials.remove().get();
                if (trial.pastTheEnd()) {
                    return report.build();
                }
                report.add(trial.where(), trial.run(), trial.outside());
            }
        } catch (ExecutionException e) {
            throw new AssertionError(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
        throw new IllegalStateException("job " + identity + " makes too many commits");
    }

    /**
     * What came of one crash.
     *
     * @param where it was; empty when the job ended without one
     * @param pastTheEnd whether the job makes no such commit
     */
    private record Trial(String where, CrashEverywhere.CrashedRun run, Outside outside, boolean pastTheEnd) {}

    private Trial trial(Key key, String input, Identity identity, CrashPoint point)
            throws IOException, InterruptedException {
        var folder = fresh();
        try {
            var where = live(errand(folder, key, input, point));
            var ended = errand(folder, key, input, point);
            return new Trial(
                    where.isEmpty() ? "" : (point.after() ? "after " : "before ") + where,
                    new CrashEverywhere.CrashedRun(where, job(ended, identity), new Witness(ended.notebook())),
                    new Outside(ended.notebook()),
                    point.commit() > 0 && where.isEmpty());
        } finally {
            delete(folder);
        }
    }

    private Workflow<I, O> workflow() {
        try {
            var made = subject.getDeclaredConstructor();
            made.setAccessible(true);
            return made.newInstance().code(new Outside()).workflow();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    subject.getName() + " needs a constructor without parameters, and must not be an inner class", e);
        }
    }

    private CrashedProcess.Errand errand(Path folder, Key key, String input, CrashPoint point) {
        return new CrashedProcess.Errand(
                subject.getName(), folder.toString(), key.encoded(), input, signals, point.commit(), point.after());
    }

    /** Works at the job until it has ended, in a second process if the first is killed. Returns where that was. */
    private static String live(CrashedProcess.Errand errand) throws IOException, InterruptedException {
        var first = lastWords(errand);
        if (!first.startsWith("at ")) {
            return "";
        }
        var again = new CrashedProcess.Errand(
                errand.subject(), errand.folder(), errand.key(), errand.input(), errand.signals(), 0, false);
        lastWords(again);
        return first.substring("at ".length());
    }

    private static String lastWords(CrashedProcess.Errand errand) throws IOException, InterruptedException {
        var said = Path.of(errand.folder(), "said");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashedProcess.class.getName(),
                        Json.write(errand))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            var start = Time.system().nanos();
            while (!Files.exists(errand.lastWord())) {
                var waited = Duration.ofNanos(Time.system().nanos() - start);
                if (!process.isAlive() && !Files.exists(errand.lastWord())) {
                    throw new AssertionError("a process ended without a word; it said:\n" + Files.readString(said));
                }
                if (waited.compareTo(PATIENCE) > 0) {
                    throw new AssertionError(
                            "the job did not end within " + PATIENCE + "; does it wait for a signal that nobody"
                                    + " sends? Its process said:\n" + Files.readString(said));
                }
                new Signal().await(Time.system(), 0, ROUND);
            }
            return Files.readString(errand.lastWord());
        } finally {
            process.destroyForcibly().waitFor();
            Files.deleteIfExists(errand.lastWord());
        }
    }

    private static StoredJob job(CrashedProcess.Errand errand, Identity identity) {
        try (var store = SqliteStore.open(errand.store(), errand.clock())) {
            return store.find(identity).orElseThrow();
        }
    }

    private static Path fresh() {
        try {
            return Files.createTempDirectory("pawl-crash");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        var all = new ArrayList<Path>();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(all::add);
            for (var file : all) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
