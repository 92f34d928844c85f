package dev.pawl.checks.crash.storm;

import dev.pawl.checks.crash.Jvm;
import dev.pawl.checks.crash.Tally;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.testkit.postgres.PostgresServer.Querying;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Three workers on one server, random small workflows, and one trouble after the other. Judged from outside: what arrived at the destination, how often,
 * and what stands in the user's own table.
 */
public final class Storm implements AutoCloseable {
    private static final int WORKERS = 3;
    private static final Time TIME = Time.system();
    private static final int PAGE = 1_000;

    /** How long the last worker may take for what is left: so long, and so much for each job. Then it is stuck. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(150);

    private static final Duration FOR_EACH = Duration.ofMillis(50);

    /** What happens to workers, server and wire. */
    private enum Trouble {
        KILL,
        FREEZE,
        TERMINATE,
        CRASH,
        CRASH_TWICE,
        PROMOTE,
        CUT,
        DEAD_WIRE,
        SLOW_WIRE
    }

    /**
     * What came of it.
     *
     * @param jobs how many there were, children too
     * @param done how many are done
     * @param asking how many ask a person
     * @param reported how many effects happened twice and were reported
     * @param troubles how often each trouble came
     * @param broken the promises that were broken
     */
    public record Report(
            int jobs, int done, int asking, int reported, Map<String, Integer> troubles, List<String> broken) {
        private long count(String what) {
            return broken.stream().filter(one -> one.startsWith(what)).count();
        }
    }

    private final int jobs;
    private final Random random;
    private PostgresServer server = PostgresServer.start();
    private final Wire wire;
    private final Tally tally = new Tally();
    private final List<Jvm> workers = new ArrayList<>();
    private final Map<Trouble, Integer> troubles = new EnumMap<>(Trouble.class);

    private Storm(int jobs, long seed) throws IOException {
        this.jobs = jobs;
        this.random = new Random(seed);
        this.wire = new Wire(server.port());
    }

    /** Arguments: how many jobs, how many troubles, a seed. Prints one line of JSON. */
    public static void main(String[] arguments) throws Exception {
        var start = TIME.nanos();
        var report = run(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        System.out.printf(
                "{\"name\":\"postgres\",\"runs\":%d,\"lost\":%d,\"duplicated\":%d,\"stuck\":%d,\"paused\":%d,\"seeds\":%d,\"seconds\":%d,"
                        + "\"done\":%d,\"reportedTwice\":%d,\"troubles\":\"%s\"}%n",
                report.jobs(),
                report.count("lost"),
                report.count("silently repeated"),
                report.count("stuck"),
                report.asking(),
                report.troubles().values().stream().mapToInt(many -> many).sum(),
                Duration.ofNanos(TIME.nanos() - start).toSeconds(),
                report.done(),
                report.reported(),
                report.troubles());
        report.broken().forEach(System.err::println);
        System.exit(report.broken().isEmpty() && report.done() > report.jobs() / 2 ? 0 : 1);
    }

    /** Runs so many jobs through so many troubles. */
    public static Report run(int jobs, int troubles, long seed) throws Exception {
        try (var storm = new Storm(jobs, seed)) {
            storm.sql("create table book (number int not null, operation int not null)");
            storm.rage(troubles);
            storm.finish();
            return storm.judge();
        }
    }

    private String address() {
        return "jdbc:postgresql://127.0.0.1:" + wire.port() + "/postgres?user=postgres";
    }

    private Jvm worker() throws IOException {
        return Jvm.start(StormWorker.class, address(), tally.address().toString(), Integer.toString(jobs));
    }

    private static void pause(Duration howLong) throws InterruptedException {
        new Signal().await(TIME, 0, howLong);
    }

    // ---- trouble

    private void rage(int howOften) throws Exception {
        for (var i = 0; i < WORKERS; i++) {
            workers.add(worker());
        }
        awaitArrivals(5);
        var each = new ArrayList<>(List.of(Trouble.values()));
        Collections.shuffle(each, random);
        for (var i = 0; i < howOften; i++) {
            // Each of them once, then whichever.
            var trouble = i < each.size() ? each.get(i) : each.get(random.nextInt(each.size()));
            troubles.merge(trouble, 1, Integer::sum);
            make(trouble);
            awaitArrivals(1 + random.nextInt(20));
        }
    }

    /** Waits until some more effects have arrived; not for long, and not when all is done and every worker has gone. */
    private void awaitArrivals(int more) throws InterruptedException {
        var until = TIME.nanos() + Duration.ofSeconds(8).toNanos();
        var start = tally.arrived().count();
        while (tally.arrived().count() < start + more
                && TIME.nanos() < until
                && workers.stream().anyMatch(Jvm::alive)) {
            tally.arrived().await(TIME, tally.arrived().count(), Duration.ofMillis(200));
        }
    }

    private void make(Trouble trouble) throws Exception {
        switch (trouble) {
            case KILL -> {
                var one = random.nextInt(workers.size());
                workers.get(one).kill();
                workers.set(one, worker());
            }
            case FREEZE -> {
                var frozen = workers.get(random.nextInt(workers.size()));
                if (frozen.alive()) {
                    frozen.stop();
                    pause(Duration.ofMillis(2_500 + random.nextInt(1_500)));
                    frozen.goOn();
                }
            }
            case TERMINATE ->
                sql(
                        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'");
            case CRASH -> {
                server.crash();
                server.startAgain();
            }
            case CRASH_TWICE -> {
                server.crash();
                server.startForAMoment();
                server.startAgain();
            }
            case PROMOTE -> promote();
            case CUT -> wire.cut();
            case DEAD_WIRE -> {
                wire.carriesNothing(true);
                pause(Duration.ofMillis(500 + random.nextInt(2_500)));
                if (random.nextBoolean()) {
                    wire.cut();
                }
                wire.carriesNothing(false);
            }
            case SLOW_WIRE -> {
                wire.slow(Duration.ofMillis(20));
                pause(Duration.ofSeconds(1));
                wire.slow(Duration.ZERO);
            }
        }
    }

    /**
     * The server dies at once, and a standby that has all that was ever acknowledged takes its place. A standby that lags does not; nothing that anybody
     * does afterwards brings back what it never heard of.
     */
    private void promote() throws Exception {
        PostgresServer standby;
        try (var connection = DriverManager.getConnection(server.url())) {
            standby = server.replica(Querying.on(connection));
            // It takes a moment until commits wait for a standby: one waits for somebody who never comes, and from then
            // on
            // all wait, also while that is changed to the one that is there.
            waitFor("nobody");
            var together = commit();
            while (!anyCommitWaits(connection)) {
                together = together.isDone() ? commit() : together;
                pause(Duration.ofMillis(5));
            }
            waitFor("*");
            // A commit waits for the standby, and so for all before it, until that says how far it is: it does when
            // there is
            // something new.
            for (together = commit(); !together.isDone(); pause(Duration.ofMillis(50))) {
                Querying.on(connection).first("select pg_switch_wal()");
            }
            together.get();
        }
        pause(Duration.ofMillis(random.nextInt(500)));
        server.close();
        try (var connection = DriverManager.getConnection(standby.url())) {
            PostgresServer.promote(Querying.on(connection));
        }
        server = standby;
        wire.leadsTo(standby.port());
        wire.cut();
    }

    private void waitFor(String standby) throws SQLException {
        sql("alter system set synchronous_standby_names = '" + standby + "'");
        server.reload();
    }

    private CompletableFuture<Void> commit() {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        sql("create table if not exists together (); drop table together");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    private static boolean anyCommitWaits(Connection connection) {
        return !Querying.on(connection)
                .first("select count(*) from pg_stat_activity where wait_event = 'SyncRep'")
                .equals("0");
    }

    private void finish() throws Exception {
        for (var worker : workers) {
            worker.kill();
        }
        workers.clear();
        try (var last = worker()) {
            last.linesUntil(line -> line.startsWith("finished"), AFTERWARDS.plus(FOR_EACH.multipliedBy(jobs)));
            last.ends(60);
        }
    }

    private void sql(String statement) throws SQLException {
        try (var connection = DriverManager.getConnection(server.url());
                var running = connection.createStatement()) {
            running.execute(statement);
        }
    }

    // ---- judgement

    private Report judge() throws SQLException {
        var broken = new ArrayList<String>();
        var all = new ArrayList<StoredJob>();
        var counts = new int[2];
        var twice = 0;
        var booked = booked();
        try (var store = PostgresStore.open(server.url())) {
            for (var page = store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, PAGE);
                    !page.isEmpty();
                    page = store.wholeJobs(
                            null, EnumSet.allOf(JobState.class), page.getLast().id(), PAGE)) {
                all.addAll(page);
            }
            var asking = new HashSet<String>();
            for (var job : all) {
                if (job.state() == JobState.DONE) {
                    counts[0]++;
                } else if (job.state() == JobState.PAUSED) {
                    counts[1]++;
                    asking.add(job.identity().toString());
                }
            }
            for (var job : all) {
                var reported = new HashSet<String>();
                for (var line : store.journal(job.id())) {
                    if (line.entry() instanceof Entry.Duplicated duplicated) {
                        reported.add(duplicated.place().name());
                    }
                }
                twice += reported.size();
                judge(job, reported, booked, asking, broken);
            }
        }
        if (all.size() < jobs) {
            broken.add("lost: there are " + all.size() + " jobs of " + jobs);
        }
        var named = new java.util.TreeMap<String, Integer>();
        troubles.forEach((trouble, many) -> named.put(trouble.name(), many));
        return new Report(all.size(), counts[0], counts[1], twice, named, broken);
    }

    private Set<String> booked() throws SQLException {
        var rows = new HashSet<String>();
        try (var connection = DriverManager.getConnection(server.url());
                var statement = connection.createStatement();
                var row = statement.executeQuery("select number || '/' || operation, count(*) from book group by 1")) {
            while (row.next()) {
                rows.add(row.getString(1) + "x" + row.getInt(2));
            }
        }
        return rows;
    }

    private void judge(
            StoredJob job, Set<String> reported, Set<String> booked, Set<String> asking, List<String> broken) {
        var number = Integer.parseInt(job.input());
        var done = job.state() == JobState.DONE;
        var waitsForChild = job.state() == JobState.WAITING && asking.contains("small/" + Program.childOf(number));
        if (!done && job.state() != JobState.PAUSED && !waitsForChild) {
            broken.add("stuck: " + job.identity() + " is " + job.state());
        }
        var operations = Program.of(number).operations();
        for (var n = 0; n < operations.size(); n++) {
            var name = Program.name(n);
            var key = EffectKey.of(job.identity(), new Place("", name, ""), 0);
            switch (operations.get(n)) {
                case ONCE -> {
                    if (done && !tally.once().containsKey(key)) {
                        broken.add("lost: " + job.identity() + " " + name);
                    }
                }
                case SHIP, MAIL -> {
                    var times = tally.each().getOrDefault(key, 0);
                    if (done && times == 0) {
                        broken.add("lost: " + job.identity() + " " + name);
                    }
                    if (times > 1 && !reported.contains(name)) {
                        broken.add("silently repeated: " + job.identity() + " " + name + " " + times + " times");
                    }
                }
                case BOOK -> {
                    if (done && !booked.contains(number + "/" + n + "x1")) {
                        broken.add("lost or booked twice: " + job.identity() + " " + name);
                    }
                }
                case STEP, NAP, CHILD -> {}
            }
        }
    }

    @Override
    public void close() throws IOException {
        workers.forEach(Jvm::close);
        wire.close();
        tally.close();
        server.close();
    }
}
