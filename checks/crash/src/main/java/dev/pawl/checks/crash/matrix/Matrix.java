package dev.pawl.checks.crash.matrix;

import dev.pawl.store.Change;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the cells of the matrix, a few at once, and says what came of them in one line of JSON. */
public final class Matrix {
    /** More than there are cores: a cell often waits for a lease to end. */
    private static final int AT_ONCE = 2 * Runtime.getRuntime().availableProcessors();

    /** Made by timing, not by the job's kind: every row has cells for them anyway. */
    private static final Set<String> BY_CHANCE = Set.of("Beat", "TakeOver", "Retire");

    /** Made only where one change is about more than a thousand jobs: the simulation, whose pages are small, and {@code ./verify crowd} make them. */
    private static final Set<String> OF_CROWDS = Set.of("GoOn");

    /** Pinned: rows times changes times ways to die. */
    private static final int CELLS = 3_074;

    private final Path folder;
    private final List<Verdict> verdicts = new ArrayList<>();

    Matrix(Path folder) {
        this.folder = folder;
    }

    /** The changes that each row makes, found out by running it. */
    Map<Row, Set<String>> rehearse() throws IOException, InterruptedException {
        var told = new EnumMap<Row, Future<Set<String>>>(Row.class);
        var made = new EnumMap<Row, Set<String>>(Row.class);
        // The first one alone: it leaves behind the archive of classes that the others start with.
        made.put(Row.PURE, rehearse(Row.PURE));
        try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
            for (var row : Row.values()) {
                if (row != Row.FENCED && row != Row.PURE) {
                    told.put(row, pool.submit(() -> rehearse(row)));
                }
            }
            for (var row : told.keySet()) {
                made.put(row, told.get(row).get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a row could not be rehearsed: " + e.getCause(), e);
        }
        return made;
    }

    private Set<String> rehearse(Row row) throws IOException, InterruptedException {
        var kinds = new TreeSet<>(Trial.rehearse(fresh("rehearsal-" + row), row));
        kinds.removeAll(BY_CHANCE);
        return kinds;
    }

    /** All cells, those about a freeze between check and send at the end. */
    List<Cell> cells() throws IOException, InterruptedException {
        var all = new ArrayList<>(Cell.all(rehearse()));
        all.addAll(Cell.frozenBeforeSending());
        return all;
    }

    /** What a matrix with these cells lacks, in a sentence; empty when it has every cell and every kind of change there is. */
    static String missing(List<Cell> cells) {
        var lacking = new TreeSet<String>(kinds(Change.class));
        lacking.removeAll(OF_CROWDS);
        cells.forEach(cell -> lacking.remove(cell.trip().change()));
        return (cells.size() == CELLS ? "" : "there are " + cells.size() + " cells and not " + CELLS + "; ")
                + (lacking.isEmpty() ? "" : "no row makes " + lacking);
    }

    private static Set<String> kinds(Class<?> sealed) {
        var kinds = new TreeSet<String>();
        for (var permitted : sealed.getPermittedSubclasses()) {
            kinds.addAll(permitted.isSealed() ? kinds(permitted) : Set.of(permitted.getSimpleName()));
        }
        return kinds;
    }

    /** Every {@code step}-th of them, the last one first. */
    static List<Cell> every(int step, List<Cell> all) {
        var some = new ArrayList<Cell>();
        for (var i = all.size() - 1; i >= 0; i -= step) {
            some.add(all.get(i));
        }
        return some;
    }

    /** Runs {@code cells}; each that breaks a promise is told on standard error. */
    List<Verdict> run(List<Cell> cells) throws InterruptedException {
        var told = new ArrayList<Future<Verdict>>();
        try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
            for (var i = 0; i < cells.size(); i++) {
                var cell = cells.get(i);
                var place = "cell-" + i;
                told.add(pool.submit(() -> run(cell, place)));
            }
            for (var i = 0; i < cells.size(); i++) {
                verdicts.add(verdict(told.get(i), cells.get(i)));
            }
        }
        return verdicts;
    }

    private static Verdict verdict(Future<Verdict> told, Cell cell) throws InterruptedException {
        try {
            return told.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cell " + cell + " could not be judged: " + e.getCause(), e);
        }
    }

    private Verdict run(Cell cell, String place) throws IOException, InterruptedException {
        var here = fresh(place);
        var verdict = new Trial(here, cell).run();
        if (!verdict.clean()) {
            System.err.println("VIOLATION " + cell + ": " + verdict.why() + " (see " + here + ")");
        } else {
            delete(here);
        }
        return verdict;
    }

    private Path fresh(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private static void delete(Path here) throws IOException {
        try (var files = Files.walk(here)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Those of one row, or every so many-th of all. */
    private static List<Cell> some(String which, List<Cell> all) {
        return which.chars().allMatch(Character::isDigit)
                ? every(Integer.parseInt(which), all)
                : all.stream().filter(cell -> cell.row().name().equals(which)).toList();
    }

    /** Arguments: a folder to work in, and every how many-th cell to run, or the row whose cells to run. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var start = Time.system().nanos();
        var matrix = new Matrix(Path.of(arguments[0]));
        var all = matrix.cells();
        var some = some(arguments[1], all);
        System.err.println("cells: " + all.size() + ", running " + some.size());
        var verdicts = matrix.run(some);
        var seconds = (Time.system().nanos() - start) / 1_000_000_000;
        System.out.println(json(verdicts, seconds));
        var missing = missing(all);
        if (!missing.isEmpty()) {
            System.err.println("VIOLATION of the matrix itself: " + missing);
        }
        System.exit(verdicts.stream().allMatch(Verdict::clean) && !verdicts.isEmpty() && missing.isEmpty() ? 0 : 1);
    }

    private static String json(List<Verdict> verdicts, long seconds) {
        return String.format(
                Locale.ROOT,
                "{\"name\":\"crash\",\"runs\":%d,\"lost\":%d,\"duplicated\":%d,\"stuck\":%d,\"paused\":%d,\"seeds\":0,\"seconds\":%d}",
                verdicts.size(),
                verdicts.stream().mapToInt(Verdict::lost).sum(),
                verdicts.stream().mapToInt(Verdict::duplicated).sum(),
                verdicts.stream().mapToInt(Verdict::stuck).sum(),
                verdicts.stream().mapToInt(Verdict::paused).sum(),
                seconds);
    }
}
