package dev.pawl.checks.bench.postgres;

import dev.pawl.checks.bench.LedgerRows;
import dev.pawl.checks.bench.Reads;
import dev.pawl.checks.bench.Resume;
import dev.pawl.checks.bench.Spread;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.time.Time;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Measures Pawl on PostgreSQL: contenders take turns, round after round, each in a new database of the same server. */
public final class OnPostgres implements AutoCloseable {
    /** The lone job comes last: by then everybody's machine code is there. */
    private static final List<Integer> DEPTHS = List.of(128, 16, 1);

    private static final Time TIME = Time.system();

    /** Each round begins with so much that does not count: connections, plans, caches. */
    private static final Duration SETTLING = Duration.ofSeconds(1);

    /** Rounds that do not count, in which machine code comes to be. */
    private static final int WARMING = 2;

    private static final int RESUMES = 20;
    private static final int SAMPLES = 400;

    private final Cluster cluster = new Cluster();
    private final Options options;
    private final Printer printer;

    /**
     * What was asked for.
     *
     * @param json one line of JSON a figure
     * @param rounds how many
     * @param window how long each round counts
     * @param only what to measure; empty for all
     * @param depth jobs in flight; 0 for each of them
     * @param jobs how many have ended where looks are measured
     * @param subjects whom to measure; empty for all
     */
    public record Options(
            boolean json, int rounds, Duration window, String only, int depth, int jobs, Set<String> subjects) {
        boolean wants(String bench) {
            return only.isEmpty() || only.equals(bench);
        }

        boolean wantsSubject(String name) {
            return subjects.isEmpty() || subjects.contains(name);
        }
    }

    public OnPostgres(Options options) {
        this.options = options;
        this.printer = new Printer(options.json());
    }

    /** Measures what was asked for. */
    public void measure() throws Exception {
        if (options.wants("w1")) {
            for (var depth : DEPTHS) {
                if (options.depth() == 0 || options.depth() == depth) {
                    stepping(depth);
                }
            }
        }
        if (options.wants("w2")) {
            draining();
        }
        if (options.wants("w3")) {
            resuming();
        }
        if (options.wants("submit")) {
            listing();
        }
        if (options.wants("idle")) {
            idle();
        }
        if (options.wants("takeover")) {
            takeover();
        }
        // Five million rows take a while: only who asks for it waits for it.
        if (options.only().equals("history")) {
            history();
        }
        if (options.only().equals("ledger")) {
            ledger();
        }
        if (options.only().equals("reads")) {
            reads();
        }
    }

    private void ledger() throws Exception {
        try (var one = cluster.database();
                var other = cluster.database()) {
            PostgresStore.open(other.url()).close();
            try (var store = PostgresStore.open(one.url());
                    var bare = other.connect()) {
                new LedgerRows("postgres", store, bare, "pawl.", options.jobs())
                        .measure()
                        .forEach(System.out::println);
            }
        }
        try (var one = cluster.database();
                var other = cluster.database()) {
            try (var beside = PostgresStore.open(one.url());
                    var empty = PostgresStore.open(other.url())) {
                System.out.println(LedgerRows.claims("postgres", beside, empty, options.jobs() / 10));
            }
        }
    }

    private void reads() throws Exception {
        var now = TIME.now();
        try (var few = cluster.database();
                var many = cluster.database()) {
            fill(few, Reads.FEW, now);
            fill(many, options.jobs(), now);
            try (var small = PostgresStore.open(few.url());
                    var large = PostgresStore.open(many.url())) {
                new Reads()
                        .measure("postgres", small, large, options.jobs(), now)
                        .forEach(System.out::println);
            }
        }
    }

    private static void fill(Database database, int ended, Instant now) throws SQLException {
        PostgresStore.open(database.url()).close();
        try (var connection = database.connect()) {
            Reads.fill(connection, false, ended, now);
        }
    }

    private void stepping(int inFlight) throws Exception {
        var contenders = List.of(
                new PawlContender(),
                new Bound(Bound.Tables.OF_PAWL),
                new Bound(Bound.Tables.OF_ITS_OWN),
                new Dbos(),
                new DbScheduler());
        var rounds = new Rounds();
        for (var round = -WARMING; goesOn(round, rounds); round++) {
            for (var contender : contenders) {
                if (!options.wantsSubject(contender.name())) {
                    continue;
                }
                var figure = stepping(contender, inFlight);
                if (round >= 0) {
                    rounds.add(contender.name(), figure);
                }
            }
        }
        printer.stepping(inFlight, rounds);
    }

    /** As many rounds as were asked for, and more until it is known how far they lie apart. */
    private boolean goesOn(int round, Rounds rounds) {
        return round < options.rounds()
                || (round < Spread.most(options.rounds())
                        && rounds.has("pawl")
                        && rounds.has("bound")
                        && !rounds.ratio("pawl", "bound", Figure::perSecond).isKnown());
    }

    private Figure stepping(Contender contender, int inFlight) throws Exception {
        try (var database = cluster.database();
                var runs = contender.stepping(database, inFlight)) {
            var numbers = new AtomicLong();
            var steps = new AtomicLong();
            var failed = new AtomicReference<@Nullable Exception>();
            var over = new AtomicReference<>(false);
            var drivers = new Thread[inFlight];
            for (var i = 0; i < inFlight; i++) {
                drivers[i] = Thread.ofVirtual().start(() -> {
                    try {
                        while (!over.get()) {
                            runs.job(numbers.incrementAndGet());
                            steps.addAndGet(Contender.STEPS);
                        }
                    } catch (Exception e) {
                        failed.set(e);
                    }
                });
            }
            TIME.await(SETTLING);
            var window = new Window(cluster, steps.get());
            TIME.await(options.window());
            var figure = window.figure(steps.get());
            over.set(true);
            for (var driver : drivers) {
                driver.join();
            }
            var why = failed.get();
            if (why != null) {
                throw why;
            }
            return figure;
        }
    }

    /** From one moment to another. */
    private static final class Window {
        private final Cluster cluster;
        private final long count;
        private final double cpu;
        private final long start = TIME.nanos();

        Window(Cluster cluster, long count) {
            this.cluster = cluster;
            this.count = count;
            this.cpu = cluster.cpuMicros();
        }

        Figure figure(long now) {
            var many = now - count;
            // Of nothing, nothing can be said: the round is void.
            return many <= 0
                    ? new Figure(0, Double.NaN)
                    : new Figure(many * 1e9 / (TIME.nanos() - start), (cluster.cpuMicros() - cpu) / many);
        }
    }

    private void draining() throws Exception {
        var drains = List.of(
                PawlDrain.recorded(),
                PawlDrain.oneStep(),
                new BoundDrain(),
                new Dbos(),
                new DbScheduler(),
                new Jobrunr());
        var rounds = new Rounds();
        for (var round = -1; goesOn(round, rounds); round++) {
            for (var drain : drains) {
                if (!options.wantsSubject(drain.name())) {
                    continue;
                }
                var figure = draining(drain);
                if (round >= 0) {
                    rounds.add(drain.name(), figure);
                }
            }
        }
        printer.draining(rounds);
    }

    /** There is more to do than can be done, so that the end is never seen. */
    private Figure draining(Drains drains) throws Exception {
        try (var database = cluster.database();
                var draining = drains.fill(database, drains.jobs());
                var connection = database.connect();
                var left = connection.prepareStatement(draining.left())) {
            draining.start();
            TIME.await(SETTLING);
            var window = new Window(cluster, -number(left));
            TIME.await(options.window());
            var now = number(left);
            if (now == 0) {
                throw new IllegalStateException(drains.name() + " has nothing left to drain");
            }
            return window.figure(-now);
        }
    }

    private void resuming() throws Exception {
        var bulk = new ArrayList<Double>();
        var pawl = new ArrayList<Double>();
        var dbos = new ArrayList<Double>();
        for (var round = -1; round < options.rounds(); round++) {
            Resume.Times times;
            try (var database = cluster.database()) {
                times = Resuming.pawl(database, RESUMES);
            }
            List<Double> theirs;
            try (var database = cluster.database()) {
                theirs = Resuming.dbos(database, RESUMES / 2);
            }
            if (round >= 0) {
                bulk.add(Spread.of(times.bulk()).median());
                pawl.add(Spread.of(times.pawl()).median());
                dbos.add(Spread.of(theirs).median());
            }
        }
        printer.resuming(bulk, pawl, dbos);
    }

    private void listing() throws Exception {
        var bare = new ArrayList<Double>();
        var pawl = new ArrayList<Double>();
        for (var round = -WARMING; round < options.rounds(); round++) {
            double bound;
            try (var database = cluster.database()) {
                bound = Listing.bare(database, options.window());
            }
            double own;
            try (var database = cluster.database()) {
                own = Listing.pawl(database, options.window());
            }
            if (round >= 0) {
                bare.add(bound);
                pawl.add(own);
            }
        }
        printer.listing(bare, pawl);
    }

    private void idle() throws Exception {
        try (var database = cluster.database()) {
            printer.latencies("idle", Idle.told(database, SAMPLES));
        }
        try (var database = cluster.database()) {
            printer.latencies("polling", Idle.polling(database, SAMPLES / 10));
        }
    }

    private void takeover() throws Exception {
        var terms = new ArrayList<Double>();
        for (var round = 0; round < options.rounds(); round++) {
            try (var database = cluster.database()) {
                terms.add(Takeover.measure(database));
            }
        }
        printer.takeover(terms);
    }

    private void history() throws Exception {
        try (var none = cluster.database();
                var grown = cluster.database();
                var empty = new History(none, 0, 0);
                var full = new History(grown, 4_000_000, 1_000_000)) {
            var without = new ArrayList<Double>();
            var with = new ArrayList<Double>();
            var first = full.claimAll();
            empty.claimAll();
            for (var round = 0; round < 4 * options.rounds(); round++) {
                without.add(Spread.of(empty.claimAll()).median());
                with.add(Spread.of(full.claimAll()).median());
            }
            printer.history(first, without, with);
        }
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (var row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
