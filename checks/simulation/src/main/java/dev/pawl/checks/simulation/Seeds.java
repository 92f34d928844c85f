package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Simulation.Report;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs many seeds on all cores, stops at the first that breaks a promise, makes it smaller, and says what was covered. Each core has a process of
 * its own: two simulations in one process could meet at a lock of the JDK's or of a library, and a seed would no longer be the same night twice.
 */
public final class Seeds {
    private static final int PROCESSES =
            Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));

    /** So many seeds see every pair of a feature and a fault. */
    static final int ENOUGH_FOR_ALL = 5_000;

    private static final String FAILED = "failed ";

    private final Coverage coverage = new Coverage();
    private final List<Process> processes = new ArrayList<>();
    private final AtomicLong failed = new AtomicLong(-1);

    private Seeds() {}

    /**
     * What came of them.
     *
     * @param coverage what they covered
     * @param failed one that was found to break a promise, made smaller; null when none did
     */
    public record Outcome(Coverage coverage, @Nullable Report failed) {}

    /** Runs {@code count} seeds from {@code first} on. */
    public static Outcome run(long first, long count) throws IOException, InterruptedException {
        return run(first, count, Clock.RIGHT);
    }

    /** Runs {@code count} seeds from {@code first} on, on machines of which every other has such a clock. */
    public static Outcome run(long first, long count, Clock clock) throws IOException, InterruptedException {
        return run(first, count, clock, failed -> Shrinker.shrink(failed, clock));
    }

    private static Outcome run(long first, long count, Clock clock, LongFunction<Report> again)
            throws IOException, InterruptedException {
        var seeds = new Seeds();
        for (var i = 0; i < PROCESSES; i++) {
            seeds.processes.add(start(first + i, first + count, clock));
        }
        // Whoever hears of a failure ends all of them: they are there before anybody listens.
        var readers = new ArrayList<Thread>();
        for (var process : seeds.processes) {
            readers.add(Thread.ofPlatform().start(() -> seeds.read(process)));
        }
        for (var reader : readers) {
            reader.join();
        }
        var failed = seeds.failed.get();
        if (failed < 0 && seeds.coverage.seeds() != count) {
            throw new IllegalStateException("only " + seeds.coverage.seeds() + " of " + count
                    + " seeds were run to their end: a process died; what it said stands above");
        }
        return new Outcome(seeds.coverage, failed < 0 ? null : again.apply(failed));
    }

    private static Process start(long first, long end, Clock clock) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-Djdk.trackAllThreads=false",
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Seeds.class.getName(),
                        "work",
                        String.valueOf(first),
                        String.valueOf(end),
                        String.valueOf(PROCESSES),
                        clock.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void read(Process process) {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(FAILED)) {
                    failed.compareAndSet(-1, Long.parseLong(line.substring(FAILED.length())));
                    processes.forEach(Process::destroy);
                } else {
                    coverage.add(line);
                }
            }
        } catch (IOException e) {
            if (failed.get() < 0) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Runs every {@code step}-th seed from {@code first} to before {@code end}. */
    private static void work(long first, long end, long step, Clock clock) {
        var coverage = new Coverage();
        for (var seed = first; seed < end; seed += step) {
            var report = Simulation.run(seed, clock);
            if (!report.violations().isEmpty()) {
                System.out.println(FAILED + seed);
                return;
            }
            coverage.add(report);
        }
        System.out.println(coverage.line());
    }

    /**
     * Runs {@code arguments[1]} seeds from {@code arguments[0]} on; a single one prints its trace. One that fails is made smaller, unless it is
     * to stay {@code whole}.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments[0].equals("work")) {
            work(
                    Long.parseLong(arguments[1]),
                    Long.parseLong(arguments[2]),
                    Long.parseLong(arguments[3]),
                    Clock.valueOf(arguments[4]));
            return;
        }
        var first = Long.parseLong(arguments[0]);
        var count = Long.parseLong(arguments[1]);
        if (count == 1) {
            show(first, Clock.RIGHT);
        }
        var start = Time.system().nanos();
        var whole = arguments.length > 2 && arguments[2].equals("whole");
        var outcome = whole ? run(first, count, Clock.RIGHT, Simulation::run) : run(first, count);
        var seconds = (Time.system().nanos() - start) / 1_000_000_000;
        System.err.println(outcome.coverage());
        if (outcome.failed() == null && !outcome.coverage().missing().isEmpty()) {
            System.err.println("not covered: " + outcome.coverage().missing());
        }
        var failed = outcome.failed();
        if (failed != null) {
            tell(failed);
        }
        System.out.println(json("sim", outcome, count, seconds));
        var enough = outcome.coverage().done() > 0
                && (count < ENOUGH_FOR_ALL || outcome.coverage().isEnough());
        System.exit(failed == null && enough ? 0 : 1);
    }

    /** Prints the trace of one seed, and ends. */
    static void show(long seed, Clock clock) {
        var report = Simulation.run(seed, clock);
        System.out.println(report.tail());
        System.out.println("seed " + seed + ", hash " + report.hash() + ": " + report.violations());
        System.exit(report.violations().isEmpty() ? 0 : 1);
    }

    /** Says on standard error how a seed failed. */
    static void tell(Report failed) {
        System.err.println(failed.tail());
        System.err.println("seed " + failed.seed() + ": " + failed.violations());
    }

    /** The one line for programs; {@code otherwise} counts promises that were broken in another way: too early, over a budget, without approval. */
    static String json(String name, Outcome outcome, long count, long seconds) {
        var failed = outcome.failed();
        var lost = count(failed, "lost", "changed", "evidence");
        var duplicated = count(failed, "repeated", "twice");
        var stuck = count(failed, "stuck");
        return String.format(
                Locale.ROOT,
                "{\"name\":\"%s\",\"runs\":%d,\"lost\":%d,\"duplicated\":%d,\"stuck\":%d,\"paused\":%d,\"seeds\":%d,\"seconds\":%d,\"otherwise\":%d}",
                name,
                outcome.coverage().done(),
                lost,
                duplicated,
                stuck,
                outcome.coverage().asked(),
                count,
                seconds,
                failed == null ? 0 : failed.violations().size() - lost - duplicated - stuck);
    }

    private static int count(@Nullable Report failed, String... kinds) {
        var many = 0;
        for (var violation : failed == null ? List.<String>of() : failed.violations()) {
            for (var kind : kinds) {
                many += violation.startsWith(kind + ":") ? 1 : 0;
            }
        }
        return many;
    }
}
