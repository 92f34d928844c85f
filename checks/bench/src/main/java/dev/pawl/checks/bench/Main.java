package dev.pawl.checks.bench;

import dev.pawl.checks.bench.postgres.OnPostgres;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Runs W1 at 1, 16 and 128 jobs in flight, subjects interleaved, and prints each speed as a share of its bound. */
public final class Main {

    private static final List<Integer> DEPTHS = List.of(1, 16, 128);
    private static final List<Subject> SUBJECTS = List.of(new RawRows(), new Skeleton(), new PawlSubject());

    private final boolean json;
    private final int rounds;
    private final Duration window;
    private final Path folder;

    private Main(boolean json, int rounds, Duration window, Path folder) {
        this.json = json;
        this.rounds = rounds;
        this.window = window;
        this.folder = folder;
    }

    /** {@code --json} for one line a figure; {@code --rounds N}; {@code --seconds N}; {@code --depth N}; {@code --only w1|w2|w3|memory|typed|reads|ledger}; {@code --store sqlite|postgres}; {@code --subjects A,B}. */
    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        var folder = Files.createTempDirectory(
                Path.of(System.getProperty("pawl.bench.dir", "target")).toAbsolutePath(), "bench");
        var main = new Main(
                words.contains("--json"),
                number(words, "--rounds", 5),
                Duration.ofSeconds(number(words, "--seconds", 3)),
                folder);
        var only = word(words, "--only");
        var store = word(words, "--store");
        var subjects = word(words, "--subjects");
        if (!store.equals("postgres")) {
            main.onSqlite(only, words);
        }
        Files.delete(folder);
        if (!store.equals("sqlite")) {
            var asked = new OnPostgres.Options(
                    main.json,
                    main.rounds,
                    main.window,
                    only,
                    number(words, "--depth", 0),
                    number(words, "--jobs", 1_000_000),
                    subjects.isEmpty() ? Set.of() : Set.of(subjects.split(",")));
            try (var postgres = new OnPostgres(asked)) {
                postgres.measure();
            }
        }
    }

    private void onSqlite(String only, List<String> words) throws Exception {
        for (var depth : DEPTHS) {
            if ((only.isEmpty() || only.equals("w1")) && number(words, "--depth", depth) == depth) {
                measure(depth);
            }
        }
        if (only.isEmpty() || only.equals("w2")) {
            drain();
        }
        if (only.isEmpty() || only.equals("w3")) {
            resume();
        }
        if (only.equals("memory")) {
            Memory.measure(folder.resolve("memory.db"), json);
            delete(folder);
        }
        if (only.equals("reads")) {
            reads(number(words, "--jobs", 1_000_000));
            delete(folder);
        }
        if (only.equals("ledger")) {
            ledger(number(words, "--rows", 1_000_000));
            delete(folder);
        }
        if (only.equals("typed")) {
            var typed = new Typed(Path.of(System.getProperty("pawl.command")), folder, rounds, json);
            typed.measure();
            typed.many(number(words, "--rows", 1_000_000));
            delete(folder);
        }
    }

    private void ledger(int rows) throws Exception {
        var bound = folder.resolve("bound.db");
        SqliteStore.open(bound, Time.system()).close();
        try (var store = SqliteStore.open(folder.resolve("ledger.db"), Time.system());
                var bare = DriverManager.getConnection("jdbc:sqlite:" + bound)) {
            try (var statement = bare.createStatement()) {
                statement.execute("pragma journal_mode = wal");
                statement.execute("pragma synchronous = full");
                statement.execute("pragma cache_size = -32000");
            }
            new LedgerRows("sqlite", store, bare, "", rows).measure().forEach(System.out::println);
        }
        try (var beside = SqliteStore.open(folder.resolve("beside.db"), Time.system());
                var empty = SqliteStore.open(folder.resolve("empty.db"), Time.system())) {
            System.out.println(LedgerRows.claims("sqlite", beside, empty, rows / 10));
        }
    }

    private void reads(int ended) throws Exception {
        var now = Time.system().now();
        var few = readable("few.db", Reads.FEW, now);
        var many = readable("many.db", ended, now);
        try (var small = SqliteStore.open(few, Time.system());
                var large = SqliteStore.open(many, Time.system())) {
            new Reads().measure("sqlite", small, large, ended, now).forEach(System.out::println);
        }
    }

    private Path readable(String name, int ended, Instant now) throws Exception {
        var file = folder.resolve(name);
        SqliteStore.open(file, Time.system()).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            Reads.fill(connection, true, ended, now);
        }
        return file;
    }

    private static String word(List<String> words, String option) {
        var at = words.indexOf(option);
        return at < 0 ? "" : words.get(at + 1);
    }

    private static int number(List<String> words, String option, int otherwise) {
        var at = words.indexOf(option);
        return at < 0 ? otherwise : Integer.parseInt(words.get(at + 1));
    }

    private void measure(int inFlight) throws Exception {
        Map<String, List<Double>> figures = new LinkedHashMap<>();
        for (var subject : SUBJECTS) {
            once(subject, inFlight, window);
            figures.put(subject.name(), new ArrayList<>());
        }
        for (var round = 0;
                round < rounds
                        || (round < Spread.most(rounds)
                                && !share(figures, "pawl", "skeleton").isKnown());
                round++) {
            for (var subject : SUBJECTS) {
                figures.getOrDefault(subject.name(), List.of()).add(once(subject, inFlight, window));
            }
        }
        print("raw", inFlight, figures, "raw");
        print("skeleton", inFlight, figures, "raw");
        print("pawl", inFlight, figures, "skeleton");
    }

    private static Spread share(Map<String, List<Double>> figures, String subject, String bound) {
        return Spread.ratio(figures.getOrDefault(subject, List.of()), figures.getOrDefault(bound, List.of()));
    }

    private void drain() throws Exception {
        var bare = new ArrayList<Double>();
        var pawl = new ArrayList<Double>();
        for (var round = -1;
                round < rounds
                        || (round < Spread.most(rounds)
                                && !Spread.ratio(pawl, bare).isKnown());
                round++) {
            var bound = Drain.bare(folder.resolve("w2.db"));
            delete(folder);
            var own = Drain.pawl(folder.resolve("w2.db"));
            delete(folder);
            if (round >= 0) {
                bare.add(bound);
                pawl.add(own);
            }
        }
        var share = Spread.ratio(pawl, bare);
        say(
                new FigureLine("W2", "sqlite", "pawl")
                        .with("claim", Drain.CLAIM)
                        .with("perSecond", Spread.of(pawl).median(), 0)
                        .with("boundPerSecond", Spread.of(bare).median(), 0)
                        .with("shareOfBound", share),
                String.format(
                        Locale.ROOT,
                        "W2 sqlite  claim %4d  bare %9.0f jobs/s, pawl %9.0f jobs/s    %5.1f %% of bare      %s",
                        Drain.CLAIM,
                        Spread.of(bare).median(),
                        Spread.of(pawl).median(),
                        100 * share.median(),
                        share.text(1, 100)));
    }

    private void resume() throws Exception {
        var bulk = new ArrayList<Double>();
        var pawl = new ArrayList<Double>();
        for (var round = 0; round <= rounds; round++) {
            var times = Resume.measure(folder.resolve("w3.db"), 40);
            delete(folder);
            if (round > 0) {
                bulk.add(Spread.of(times.bulk()).median());
                pawl.add(Spread.of(times.pawl()).median());
            }
        }
        var times = Spread.ratio(pawl, bulk);
        say(
                new FigureLine("W3", "sqlite", "pawl")
                        .with("millis", Spread.of(pawl).median(), 2)
                        .with("boundMillis", Spread.of(bulk).median(), 2)
                        .with("timesBound", times),
                String.format(
                        Locale.ROOT,
                        "W3 sqlite  bulk read and decode %9.2f ms, pawl to step 1,001 %9.2f ms: %5.2f times bulk  %s",
                        Spread.of(bulk).median(),
                        Spread.of(pawl).median(),
                        times.median(),
                        times.text(2, 1)));
    }

    private void say(FigureLine machines, String people) {
        System.out.println(json ? machines.toString() : people);
    }

    private double once(Subject subject, int inFlight, Duration howLong) throws Exception {
        var file = folder.resolve("w1.db");
        try {
            return subject.stepsPerSecond(file, inFlight, howLong);
        } finally {
            delete(folder);
        }
    }

    private void print(String subject, int inFlight, Map<String, List<Double>> figures, String bound) {
        var perSecond = Spread.of(figures.getOrDefault(subject, List.of())).median();
        var share = share(figures, subject, bound);
        say(
                new FigureLine("W1", "sqlite", subject)
                        .with("inFlight", inFlight)
                        .with("perSecond", perSecond, 0)
                        .with("bound", bound)
                        .with("shareOfBound", share),
                String.format(
                        Locale.ROOT,
                        "W1 sqlite  %-9s %4d in flight %9.0f steps/s   %5.1f %% of %-9s %s",
                        subject,
                        inFlight,
                        perSecond,
                        100 * share.median(),
                        bound,
                        share.text(1, 100)));
    }

    private static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(folder)) {
                    Files.delete(path);
                }
            }
        }
    }
}
