package dev.pawl;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.event.Events;
import dev.pawl.export.LineSums;
import dev.pawl.failure.Rejected;
import dev.pawl.gate.GateNames;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobQuery;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.store.Change;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreProvider;
import dev.pawl.store.Wanted;
import dev.pawl.store.postgres.PostgresProvider;
import dev.pawl.store.sqlite.SqliteProvider;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that moves from a file to a database, with everything that is in flight. */
class MoveTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final Duration NAP = Duration.ofSeconds(3);

    private static final int MANY = 600;
    private static final Prices PRICES = Prices.parse("ours", "big, 3.00, 15.00");

    @TempDir
    private Path folder;

    private String nap = "";

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static PawlOptions options() {
        return PawlOptions.usual().log(Events.NOWHERE);
    }

    private static String body(Job job, String input) {
        var first = job.step("first", String.class, () -> input + "!");
        return switch (input) {
            case "nap" -> {
                job.sleep("nap", NAP);
                yield first;
            }
            case "ask" ->
                String.valueOf(job.effect(named("send"), none(), input, String.class, (request, a) -> {
                    throw new IllegalStateException("the line went dead");
                }));
            case "fail" ->
                job.step("never", String.class, () -> {
                    throw new Rejected("no");
                });
            case "many" -> first;
            default -> {
                job.artifact("page", "text/plain", input.getBytes(StandardCharsets.UTF_8));
                yield first;
            }
        };
    }

    private static StoredJob job(Pawl pawl, String key) {
        return pawl.find(new Identity("w", Key.of(key))).orElseThrow();
    }

    private static void awaitState(Pawl pawl, String key, JobState state) throws InterruptedException {
        while (job(pawl, key).state() != state) {
            new Signal().await(Time.system(), 0, Duration.ofMillis(20));
        }
    }

    /** Leaves a job behind that sleeps: on a machine that is slow it has slept before anybody looks, and then the next one may. */
    private static String nap(Path file) throws InterruptedException {
        for (var i = 1; ; i++) {
            var key = "nap-" + i;
            try (var pawl = Pawl.openOrCreate(file, options())) {
                pawl.work(W.implementedBy(MoveTest::body));
                pawl.submit(W, Key.of(key), "nap");
                while (!Set.of(JobState.WAITING, JobState.DONE)
                        .contains(job(pawl, key).state())) {
                    new Signal().await(Time.system(), 0, Duration.ofMillis(20));
                }
            }
            try (var pawl = Pawl.openOrCreate(file, options())) {
                if (job(pawl, key).state() == JobState.WAITING) {
                    return key;
                }
            }
        }
    }

    private Path fill() throws InterruptedException {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            pawl.work(W.implementedBy(MoveTest::body));
            for (var input : List.of("done", "ask", "fail", "old")) {
                pawl.submit(W, Key.of(input), input);
            }
            awaitState(pawl, "old", JobState.DONE);
            awaitState(pawl, "done", JobState.DONE);
            awaitState(pawl, "ask", JobState.PAUSED);
            awaitState(pawl, "fail", JobState.FAILED);
            assertThatThrownBy(() -> move(file, SERVER.url() + "&pawlSchema=busy"))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("stop that first");
        }
        nap = nap(file);
        try (var pawl = Pawl.openOrCreate(file, options())) {
            pawl.submit(W, Key.of("ready"), "ready");
            pawl.operator().keepPrices(PRICES, new Audit("anna", "ours"));
            var many = new LinkedHashMap<Key, String>();
            for (var i = 0; i < MANY; i++) {
                many.put(Key.of("many", i), "many");
            }
            pawl.submitAll(W, many);
        }
        try (var store = SqliteStore.open(file, Time.system())) {
            // A worker that died.
            store.exchange(
                    List.of(new Change.Enlist(99, "dead", Duration.ofMillis(10), Taking.of("w"))), Wanted.NOTHING);
        }
        return file;
    }

    @Test
    void a_file_is_sealed_only_when_there_is_room_for_it_at_the_other_side() throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            pawl.submit(W, Key.of("a"), "many");
        }
        var taken = SERVER.url() + "&pawlSchema=taken";
        try (var pawl = Pawl.openOrCreate(taken, options())) {
            pawl.submit(W, Key.of("b"), "many");
        }
        assertThatThrownBy(() -> move(file, "jdbc:postgresql://127.0.0.1:1/x")).hasMessageContaining("does not answer");
        assertThatThrownBy(() -> move(file, SERVER.url("nowhere"))).hasMessageContaining("the database is not there");
        assertThatThrownBy(() -> move(file, taken)).hasMessageContaining("of its own");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            assertThat(job(pawl, "a").state()).isEqualTo(JobState.READY);
        }
        move(file, SERVER.url() + "&pawlSchema=room");
        try (var pawl = Pawl.openOrCreate(SERVER.url() + "&pawlSchema=room", options())) {
            assertThat(job(pawl, "a").state()).isEqualTo(JobState.READY);
        }
    }

    private static Map<String, LineSums.Sum> move(Path file, String to) {
        return move(file.toString(), to, Set.of(), Set.of());
    }

    private static Map<String, LineSums.Sum> move(String from, String to, Set<String> moving, Set<String> staying) {
        return StoreAddress.of(from).moveTo(StoreAddress.of(to), moving, staying);
    }

    /** Moves, and is interrupted after so many lines. */
    private static void interrupted(String from, String to, Set<String> moving, Set<String> staying, int after) {
        StoreProvider provider = from.startsWith("jdbc:") ? new PostgresProvider() : new SqliteProvider();
        try (var departure = provider.depart(
                        from,
                        new OutgoingStore.Destination(StoreAddress.of(to).place(), moving, staying),
                        token -> {});
                var arriving = StoreAddress.of(to).open(OpenMode.MOVING_IN)) {
            assertThatThrownBy(() -> arriving.receive(new IncomingStore(departure.token(), told -> {
                        var many = new int[1];
                        departure.tell(line -> {
                            if (many[0]++ == after) {
                                throw new IllegalStateException("interrupted");
                            }
                            told.accept(line);
                        });
                    })))
                    .hasMessage("interrupted");
        }
    }

    private static Map<String, LineSums.Sum> told(String address) {
        var sums = new LineSums();
        try (var store = StoreAddress.of(address).openThere(OpenMode.TO_LOOK)) {
            store.export(sums::add);
        }
        return sums.byWord();
    }

    @Test
    void everything_that_is_in_flight_goes_from_any_place_to_any_other_however_often_that_is_interrupted()
            throws Exception {
        var file = fill();
        var before = told(file.toString());
        var places = List.of(
                file.toString(),
                folder.resolve("second.db").toString(),
                SERVER.url() + "&pawlSchema=third",
                SERVER.url() + "&pawlSchema=fourth",
                folder.resolve("fifth.db").toString(),
                SERVER.url() + "&pawlSchema=moved");
        for (var i = 1; i < places.size(); i++) {
            var from = places.get(i - 1);
            var to = places.get(i);
            var beyond = places.get((i + 2) % places.size());
            for (var after : List.of(0, 1, MANY, MANY + 5)) {
                interrupted(from, to, Set.of(), Set.of(), after);
                assertThatThrownBy(() -> Pawl.openOrCreate(from, options()))
                        .isInstanceOf(StoreFailure.class)
                        .hasMessageContaining(
                                "was moved to " + StoreAddress.of(to).place());
                assertThatThrownBy(() -> Pawl.openOrCreate(to, options()))
                        .isInstanceOf(StoreFailure.class)
                        .hasMessageContaining("moving in");
            }
            assertThatThrownBy(() -> interrupted(from, beyond, Set.of(), Set.of(), 0))
                    .hasMessageContaining("was moved to");
            assertThat(move(from, to, Set.of(), Set.of())).isEqualTo(before);
            assertThat(move(from, to, Set.of(), Set.of()))
                    .as("once more, in case nobody heard that it was done")
                    .isEmpty();
            assertThat(told(to)).as(to).isEqualTo(before);
        }
        var to = places.getLast();
        try (var pawl = Pawl.openOrCreate(to, options())) {
            assertThat(pawl.operator().prices().orElseThrow().prices()).isEqualTo(PRICES);
            assertThat(job(pawl, "done").state()).isEqualTo(JobState.DONE);
            assertThat(job(pawl, "fail").state()).isEqualTo(JobState.FAILED);
            assertThat(pawl.jobs(JobQuery.in(JobState.FAILED, JobState.DONE)).jobs())
                    .as("what has ended is listed and counted there too")
                    .hasSize(3);
            assertThat(pawl.operator().ended(TimeWindow.EVER).stream()
                            .mapToLong(EndedJobs::many)
                            .sum())
                    .isEqualTo(3);
            pawl.work(W.implementedBy(MoveTest::body));
            awaitState(pawl, "ready", JobState.DONE);
            assertThat(pawl.submit(W, Key.of("many", MANY - 1), "many").join()).isEqualTo("many!");
            awaitState(pawl, nap, JobState.DONE);
            pawl.decide(job(pawl, "ask"), Decision.done("sent").by(new Audit("anna", "I saw it")));
            assertThat(pawl.submit(W, Key.of("ask"), "ask").join()).isEqualTo("sent");
            assertThat(pawl.submit(W, Key.of("done"), "done").how()).isEqualTo(Submission.Arrival.SAME);
            assertThat(pawl.submit(W, Key.of("new"), "new").join()).isEqualTo("new!");
        }
    }

    @Test
    void an_export_becomes_a_store_whose_jobs_wait_until_somebody_has_looked() throws Exception {
        var file = fill();
        var export = folder.resolve("store.jsonl");
        try (var pawl = Pawl.openOrCreate(file, options());
                var writer = Files.newBufferedWriter(export)) {
            pawl.operator().export(writer);
        }
        for (var to : List.of(folder.resolve("copy.db").toString(), SERVER.url() + "&pawlSchema=copy")) {
            var there = StoreAddress.of(to);
            var lines = Files.readAllLines(export);
            var cut = Files.write(folder.resolve("cut.jsonl"), lines.subList(0, lines.size() - 1));
            assertThatThrownBy(() -> there.receive(cut)).hasMessageContaining("line " + lines.size() + " is missing");
            there.receive(export);
            assertThatThrownBy(() -> there.receive(export)).hasMessageContaining("jobs or workers of its own");
            try (var pawl = Pawl.openOrCreate(to, options())) {
                assertThat(pawl.operator().restored()).isPresent();
                pawl.work(W.implementedBy(MoveTest::body));
                awaitState(pawl, "ready", JobState.WAITING);
                assertThat(job(pawl, "ready").outcome().gate()).isEqualTo(GateNames.RESTORED);
                for (var gate : pawl.closedGates()) {
                    pawl.openGate(gate, new Audit("anna", "nothing was done since"));
                }
                awaitState(pawl, "ready", JobState.DONE);
                assertThat(pawl.submit(W, Key.of("done"), "done").how()).isEqualTo(Submission.Arrival.SAME);
            }
        }
    }

    @Test
    void nothing_moves_where_something_is() throws Exception {
        var to = SERVER.url() + "&pawlSchema=full";
        try (var pawl = Pawl.openOrCreate(to, options())) {
            pawl.submit(W, Key.of("there"), "x");
        }
        var file = folder.resolve("pawl.db");
        Pawl.openOrCreate(file, options()).close();
        assertThatThrownBy(() -> move(file, to))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("jobs or workers of its own");
        assertThatThrownBy(() -> StoreAddress.of("mongodb://elsewhere")).isInstanceOf(IllegalArgumentException.class);
    }

    private static void run(String address, String... statements) throws SQLException {
        try (var connection = DriverManager.getConnection(address);
                var statement = connection.createStatement()) {
            for (var one : statements) {
                statement.execute(one);
            }
        }
    }

    private static List<String> rows(String address, String query) throws SQLException {
        try (var connection = DriverManager.getConnection(address);
                var statement = connection.createStatement();
                var found = statement.executeQuery(query)) {
            var all = new ArrayList<String>();
            while (found.next()) {
                all.add(found.getString(1));
            }
            return all;
        }
    }

    @Test
    void tables_that_are_not_pawls_are_named_and_move_or_stay_as_somebody_says() throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            pawl.submit(W, Key.of("a"), "many");
        }
        run(
                "jdbc:sqlite:" + file,
                "create table Orders (id integer primary key, name varchar(20) not null default 'none', price real, paid numeric, day date, blob blob)",
                "create unique index by_name on Orders (name, day)",
                "insert into Orders values (7, 'it''s \u00e9', 1.5, 12.30, '2026-04-12', x'00ff'), (9, 'b', null, null, null, null)",
                "create table checked (n int check (n > 0))",
                "create table scratch (x)");
        var to = SERVER.url() + "&pawlSchema=owned";
        assertThatThrownBy(() -> move(file, to))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("holds tables that are not Pawl's: Orders, checked, scratch")
                .hasMessageContaining("--with-tables Orders,checked,scratch")
                .hasMessageContaining("--leave-tables Orders,checked,scratch");
        assertThatThrownBy(() -> move(file.toString(), to, Set.of("Orders"), Set.of("scratch", "nowhere")))
                .hasMessageContaining("has no table nowhere");
        assertThatThrownBy(() -> move(file.toString(), to, Set.of("Orders", "checked"), Set.of("scratch")))
                .hasMessageContaining("table checked cannot be taken along, because it says \"check\"");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            assertThat(job(pawl, "a").state()).as("nothing was moved").isEqualTo(JobState.READY);
        }

        var own = Set.of("Orders");
        var left = Set.of("checked", "scratch");
        interrupted(file.toString(), to, own, left, 2);
        assertThatThrownBy(() -> run("jdbc:sqlite:" + file, "insert into Orders (name) values ('late')"))
                .hasMessageContaining("was moved");
        // What moves was said when the file was sealed.
        move(file, to);
        try (var pawl = Pawl.openOrCreate(to, options())) {
            assertThat(job(pawl, "a").state()).isEqualTo(JobState.READY);
        }
        assertThat(rows(
                        SERVER.url(),
                        "select concat_ws('|', id, name, price, paid, day, blob) from orders order by id"))
                .containsExactly("7|it's \u00e9|1.5|12.3|2026-04-12|\\x00ff", "9|b");
        run(SERVER.url(), "insert into orders (price) values (2)");
        assertThat(rows(SERVER.url(), "select id || name from orders where price = 2"))
                .containsExactly("10none");
        assertThatThrownBy(() -> run(SERVER.url(), "insert into orders (name, day) values ('x', 'y'), ('x', 'y')"))
                .hasMessageContaining("duplicate key");
        assertThat(rows(SERVER.url(), "select to_regclass('scratch')")).containsExactly((String) null);
    }

    @Test
    void tables_move_from_file_to_file_and_stay_in_a_database() throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            pawl.submit(W, Key.of("a"), "many");
        }
        run(
                "jdbc:sqlite:" + file,
                "create table \"or ders\" (a text, b integer, c numeric, primary key (a, b))",
                "create index c_too on \"or ders\" (c, a)",
                "insert into \"or ders\" values ('x', 1, 10.50), ('x', 2, null)");
        var to = folder.resolve("other.db");
        assertThat(move(file.toString(), to.toString(), Set.of("or ders"), Set.of()))
                .containsKeys("table", "table-row");
        assertThat(rows("jdbc:sqlite:" + to, "select a || b || coalesce(c, '-') from \"or ders\" order by b"))
                .containsExactly("x110.5", "x2-");
        assertThatThrownBy(() -> run("jdbc:sqlite:" + to, "insert into \"or ders\" values ('x', 1, 0)"))
                .hasMessageContaining("UNIQUE");

        var schema = "leaves";
        var database = SERVER.url() + "&pawlSchema=" + schema;
        move(to.toString(), database, Set.of(), Set.of("or ders"));
        run(SERVER.url(), "create table " + schema + ".mine (x int)");
        var back = folder.resolve("back.db").toString();
        assertThatThrownBy(() -> move(database, back, Set.of("mine"), Set.of())).hasMessageContaining("pg_dump");
        assertThatThrownBy(() -> move(database, back, Set.of(), Set.of()))
                .hasMessageContaining("holds tables that are not Pawl's: mine")
                .hasMessageContaining("--leave-tables mine");
        try (var open = Pawl.openOrCreate(database, options())) {
            assertThat(move(database, back, Set.of(), Set.of("mine"))).containsKey("job");
            assertThatThrownBy(() -> open.submit(W, Key.of("late"), "x")).hasMessageContaining("was moved");
        }
    }

    @Test
    void a_store_that_has_arrived_arrives_nowhere_else_and_none_moves_to_where_it_is() throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            pawl.submit(W, Key.of("a"), "many");
        }
        var relative = Path.of("").toAbsolutePath().relativize(folder.resolve("there.db"));
        assertThatThrownBy(() -> move(file, file.getParent() + "/./pawl.db")).hasMessageContaining("already");
        move(file, relative.toString());
        assertThatThrownBy(() -> Pawl.openOrCreate(file, options()))
                .hasMessageContaining(
                        "was moved to " + folder.resolve("there.db").toRealPath());
        Files.move(folder.resolve("there.db"), folder.resolve("renamed.db"));
        assertThatThrownBy(() -> move(file, folder.resolve("there.db").toString()))
                .hasMessageContaining("has arrived at")
                .hasMessageContaining("would do again");
        var spelled = SERVER.url() + "&pawlSchema=itself";
        try (var pawl = Pawl.openOrCreate(spelled, options())) {
            pawl.operator().keepPrices(PRICES, new Audit("anna", "ours"));
        }
        assertThatThrownBy(() -> move(spelled, spelled + "&ApplicationName=x", Set.of(), Set.of()))
                .hasMessageContaining("already");
        Pawl.openOrCreate(spelled, options()).close();
    }

    @Test
    void what_somebody_has_begun_at_the_other_side_meanwhile_is_not_lost() throws Exception {
        for (var to : List.of(folder.resolve("taken.db").toString(), SERVER.url() + "&pawlSchema=meanwhile")) {
            var file = folder.resolve(to.hashCode() + ".db");
            try (var pawl = Pawl.openOrCreate(file, options())) {
                pawl.submit(W, Key.of("a"), "many");
            }
            try (var early = Pawl.openOrCreate(to, options())) {
                interrupted(file.toString(), to, Set.of(), Set.of(), 0);
                early.submit(W, Key.of("early"), "x");
                assertThatThrownBy(() -> move(file, to)).hasMessageContaining("jobs or workers of its own");
                assertThat(job(early, "early").state()).isEqualTo(JobState.READY);
            }
        }
    }

    @Test
    void values_that_would_arrive_as_others_do_not_move() throws Exception {
        var file = folder.resolve("pawl.db");
        Pawl.openOrCreate(file, options()).close();
        run(
                "jdbc:sqlite:" + file,
                "create table whole (n integer)",
                "insert into whole values (9.99)",
                "create table dated (d date)",
                "insert into dated values (1760000000)",
                "create table counted (id integer primary key autoincrement)",
                "create table sorted (t text)",
                "create index down on sorted (t desc)");
        for (var table : List.of("whole", "dated", "counted", "sorted")) {
            var others = new java.util.TreeSet<>(Set.of("whole", "dated", "counted", "sorted"));
            others.remove(table);
            assertThatThrownBy(
                            () -> move(file.toString(), folder.resolve("to.db").toString(), Set.of(table), others))
                    .as(table)
                    .hasMessageContaining("table " + table + " cannot be taken along");
        }
        assertThat(folder.resolve("to.db")).doesNotExist();
    }

    @Test
    void who_has_the_file_open_while_it_moves_is_told() throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.openOrCreate(file, options())) {
            move(file, SERVER.url() + "&pawlSchema=open");
            assertThatThrownBy(() -> pawl.submit(W, Key.of("late"), "x")).hasMessageContaining("was moved");
        }
    }
}
