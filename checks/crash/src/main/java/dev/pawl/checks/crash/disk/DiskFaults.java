package dev.pawl.checks.crash.disk;

import dev.pawl.checks.crash.Acknowledger;
import dev.pawl.checks.crash.Jvm;
import dev.pawl.checks.crash.disk.PowerLoss.Reader;
import dev.pawl.checks.crash.disk.Trace.Event;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Lets the k-th write or sync of a run fail, once or from then on, for every k until a run has no k-th; the run makes its store, or opens one that
 * a killed process left. Then the power fails, too, or the disk is mended and the work goes on: nothing that was acknowledged may be gone, and
 * nothing may stay stuck. A control that does not sync must lose something in the same way.
 */
public final class DiskFaults {
    private static final int JOBS = 6;
    private static final int JOBS_BEFORE = 4;
    private static final int ROWS_OF_CONTROL = 60;
    private static final int FAILS_AT = 60;
    private static final int ENOUGH_TROUBLE = 3;
    private static final String STORE = "pawl.db";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private int before;

    private DiskFaults(Path folder) {
        this.folder = folder;
    }

    /**
     * One way to fail.
     *
     * @param left whether the run begins with what a killed process left
     * @param call which system call
     * @param error with what
     * @param forEver from the k-th on, or the k-th only
     */
    private record Way(boolean left, String call, String error, boolean forEver) {
        private String name(int k) {
            return (left ? "left-" : "new-") + call + "-" + error + (forEver ? "-for-ever-" : "-once-") + k;
        }

        private List<String> tracing(Path output, int k) {
            var command = new ArrayList<>(Trace.command(output));
            command.add("-e");
            command.add("inject=" + call + ":error=" + error + ":when=" + k + (forEver ? "+" : ""));
            return command;
        }
    }

    /** What came of runs. */
    private record Tally(int runs, int lost, int stuck) {
        private Tally plus(Tally other) {
            return new Tally(runs + other.runs, lost + other.lost, stuck + other.stuck);
        }
    }

    /** Arguments: a folder to work in, and of how many k one is tried. */
    public static void main(String[] arguments) throws Exception {
        var start = Time.system().nanos();
        var faults = new DiskFaults(Path.of(arguments[0]).toRealPath());
        var step = Integer.parseInt(arguments[1]);
        faults.leaveBehind();
        var control = faults.control();
        if (control == 0) {
            System.err.println("the control lost nothing, so this harness shows nothing");
        }
        var all = new Tally(0, 0, 0);
        try (var threads = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            var tallies = new ArrayList<Future<Tally>>();
            for (var way : ways()) {
                tallies.add(threads.submit(() -> faults.everyK(way, step)));
            }
            for (var tally : tallies) {
                all = all.plus(tally.get());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "{\"name\":\"disk\",\"runs\":%d,\"lost\":%d,\"duplicated\":0,\"stuck\":%d,\"paused\":0,\"seeds\":0,\"seconds\":%d,\"control\":%d}%n",
                all.runs(),
                all.lost(),
                all.stuck(),
                (Time.system().nanos() - start) / 1_000_000_000,
                control);
        System.exit(all.runs() > 0 && all.lost() == 0 && all.stuck() == 0 && control > 0 ? 0 : 1);
    }

    private static List<Way> ways() {
        var ways = new ArrayList<Way>();
        for (var left : List.of(false, true)) {
            for (var call : List.of("pwrite64", "fsync")) {
                for (var error : List.of("EIO", "ENOSPC")) {
                    ways.add(new Way(left, call, error, false));
                    ways.add(new Way(left, call, error, true));
                }
            }
        }
        return ways;
    }

    private Path left() {
        return folder.resolve("left");
    }

    /** Kills a process in the midst of its work; what it leaves has a log that whoever opens it next has to recover. */
    private void leaveBehind() throws IOException, InterruptedException {
        var file = Files.createDirectories(left()).resolve(STORE);
        try (var killed = Jvm.start(List.of(), Acknowledger.class, file.toString(), "100000")) {
            killed.linesUntil(line -> line.equals("ack " + JOBS_BEFORE));
            killed.signal("KILL");
            var more = killed.allLinesWithin(PATIENCE).stream()
                    .filter(line -> line.startsWith("ack "))
                    .count();
            before = JOBS_BEFORE + Math.toIntExact(more);
        }
        if (Files.size(left().resolve(STORE + "-wal")) == 0) {
            throw new IllegalStateException("the killed process left no log to recover");
        }
    }

    /** How much a program loses that acknowledges without a sync. */
    private int control() throws IOException, InterruptedException {
        var way = new Way(false, "pwrite64", "EIO", true);
        var here = Files.createDirectories(folder.resolve("control"));
        var output = folder.resolve("control.trace");
        try (var run = Jvm.start(
                way.tracing(output, FAILS_AT),
                Careless.class,
                here.resolve(STORE).toString(),
                String.valueOf(ROWS_OF_CONTROL))) {
            run.allLinesWithin(PATIENCE);
        }
        return afterPowerFails(Trace.read(output, here), new Disk(), numbers(0), "control", PowerLoss::rows)
                .size();
    }

    /** As many as there were before, and some more: what was recovered is written on. */
    private int jobs(Way way) {
        return JOBS + (way.left() ? before : 0);
    }

    private static Set<Integer> numbers(int last) {
        var numbers = new HashSet<Integer>();
        for (var number = 1; number <= last; number++) {
            numbers.add(number);
        }
        return numbers;
    }

    private Tally everyK(Way way, int step) throws IOException, InterruptedException {
        var all = new Tally(0, 0, 0);
        for (var k = 1; ; k += step) {
            var one = once(way, k);
            if (one.runs() == 0) {
                System.err.println(way + ": k to " + (k - 1) + ", " + all);
                return all;
            }
            all = all.plus(one);
        }
    }

    /** Runs once with the k-th call failing; a run that had no k-th call does not count. */
    private Tally once(Way way, int k) throws IOException, InterruptedException {
        var name = way.name(k);
        var here = Files.createDirectories(folder.resolve(name));
        var output = folder.resolve(name + ".trace");
        var files = way.left() ? Disk.files(left()) : Map.<String, byte[]>of();
        Disk.lay(files, here);
        var file = here.resolve(STORE);
        List<String> said;
        try (var run = Jvm.start(
                way.tracing(output, k),
                Acknowledger.class,
                file.toString(),
                String.valueOf(jobs(way)),
                String.valueOf(ENOUGH_TROUBLE))) {
            said = run.allLinesWithin(PATIENCE);
        }
        if (!Files.readString(output, StandardCharsets.ISO_8859_1).contains("(INJECTED)")) {
            return new Tally(0, 0, 0);
        }
        var problems = new ArrayList<String>();
        var last = said.isEmpty() ? "nothing" : said.getLast();
        if (!last.equals("finished") && !(way.forEver() && last.equals("gave up"))) {
            problems.add("stuck: its last word was " + last);
        }
        said.stream()
                .filter(line -> line.startsWith("trouble ") && !line.contains("the disk of "))
                .forEach(line -> problems.add("stuck: nobody was told that it is the disk: " + line));
        var known = numbers(way.left() ? before : 0);
        problems.addAll(afterPowerFails(Trace.read(output, here), new Disk(files), known, name, PowerLoss::jobs));
        problems.addAll(onceMended(file, known, jobs(way)));
        problems.forEach(problem -> System.err.println(name + ": " + problem));
        PowerLoss.delete(here);
        Files.delete(output);
        return new Tally(
                1,
                (int) problems.stream()
                        .filter(problem -> problem.startsWith("lost"))
                        .count(),
                (int) problems.stream()
                        .filter(problem -> problem.startsWith("stuck"))
                        .count());
    }

    /** The power fails right after an acknowledgement, or at the end; what is acknowledged until then is known afterwards. */
    private List<String> afterPowerFails(
            List<Event> events, Disk disk, Set<Integer> acknowledged, String name, Reader reader) throws IOException {
        var problems = new ArrayList<String>();
        for (var event : events) {
            disk.apply(event);
            if (event instanceof Event.Acknowledged ack) {
                acknowledged.add(ack.number());
            }
            if (event instanceof Event.Acknowledged || event.equals(events.getLast())) {
                for (var image : disk.images(event)) {
                    var place = Files.createDirectories(folder.resolve(name + ".image"));
                    Disk.lay(image, place);
                    problems.addAll(missing(reader, place.resolve(STORE), acknowledged));
                    PowerLoss.delete(place);
                }
            }
        }
        return problems;
    }

    private static List<String> missing(Reader reader, Path file, Set<Integer> acknowledged) {
        try {
            var there = reader.numbers(file);
            return there.containsAll(acknowledged)
                    ? List.of()
                    : List.of("lost after a power failure: acknowledged " + acknowledged + ", there " + there);
        } catch (SQLException | StoreFailure failure) {
            return List.of("stuck after a power failure: " + failure.getMessage());
        }
    }

    /** The disk is well again, and somebody starts the same work once more. */
    private static List<String> onceMended(Path file, Set<Integer> acknowledged, int jobs) {
        var problems = new ArrayList<String>();
        try (var store = SqliteStore.open(file, Time.system())) {
            var there = PowerLoss.jobs(store);
            if (!there.containsAll(acknowledged)) {
                problems.add("lost: acknowledged " + acknowledged + ", there " + there);
            }
            for (var number = 1; number <= jobs; number++) {
                store.exchange(List.of(Acknowledger.job(number)), Wanted.NOTHING);
            }
            if (!PowerLoss.jobs(store).containsAll(numbers(jobs))) {
                problems.add("stuck: only " + PowerLoss.jobs(store) + " are there in the end");
            }
        } catch (StoreFailure failure) {
            problems.add("stuck once mended: " + failure.getMessage());
        }
        return problems;
    }
}
