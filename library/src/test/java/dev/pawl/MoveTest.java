package dev.pawl;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Verdict;
import dev.pawl.event.Events;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.retry.Rejected;
import dev.pawl.store.Change;
import dev.pawl.store.EndedJobs;
import dev.pawl.store.JobQuery;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import dev.pawl.store.TimeWindow;
import dev.pawl.store.Wanted;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that moves from a file to a database, with everything that is in flight. */
class MoveTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final Duration NAP = Duration.ofSeconds(3);
    private static final int TABLES = 15;

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
        return PawlOptions.usual().events(Events.NOWHERE);
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
            try (var pawl = Pawl.open(file, options())) {
                pawl.work(W.implementedBy(MoveTest::body));
                pawl.submit(W, Key.of(key), "nap");
                while (!Set.of(JobState.WAITING, JobState.DONE)
                        .contains(job(pawl, key).state())) {
                    new Signal().await(Time.system(), 0, Duration.ofMillis(20));
                }
            }
            try (var pawl = Pawl.open(file, options())) {
                if (job(pawl, key).state() == JobState.WAITING) {
                    return key;
                }
            }
        }
    }

    private Path fill() throws InterruptedException {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.open(file, options())) {
            pawl.work(W.implementedBy(MoveTest::body));
            for (var input : List.of("done", "ask", "fail", "old")) {
                pawl.submit(W, Key.of(input), input);
            }
            awaitState(pawl, "old", JobState.DONE);
            awaitState(pawl, "done", JobState.DONE);
            awaitState(pawl, "ask", JobState.PAUSED);
            awaitState(pawl, "fail", JobState.FAILED);
            assertThatThrownBy(() -> Pawl.move(file, SERVER.url() + "&pawlSchema=busy", table -> {}))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("stop that first");
        }
        nap = nap(file);
        try (var pawl = Pawl.open(file, options())) {
            pawl.submit(W, Key.of("ready"), "ready");
            pawl.keepPrices(PRICES, new Audit("anna", "ours"));
            var many = new LinkedHashMap<Key, String>();
            for (var i = 0; i < MANY; i++) {
                many.put(Key.of("many", i), "many");
            }
            pawl.submitAll(W, many);
        }
        try (var store = SqliteStore.open(file, Time.system())) {
            // A worker that died.
            store.exchange(
                    List.of(new Change.Enlist(99, "dead", Duration.ofSeconds(30), Taking.of("w"))), Wanted.NOTHING);
        }
        return file;
    }

    @Test
    void a_file_is_sealed_only_when_there_is_room_for_it_at_the_other_side() throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.open(file, options())) {
            pawl.submit(W, Key.of("a"), "many");
        }
        var taken = SERVER.url() + "&pawlSchema=taken";
        try (var pawl = Pawl.make(taken, options())) {
            pawl.submit(W, Key.of("b"), "many");
        }
        assertThatThrownBy(() -> Pawl.move(file, "jdbc:postgresql://127.0.0.1:1/x", table -> {}))
                .hasMessageContaining("does not answer");
        assertThatThrownBy(() -> Pawl.move(file, SERVER.url("nowhere"), table -> {}))
                .hasMessageContaining("the database is not there");
        assertThatThrownBy(() -> Pawl.move(file, taken, table -> {})).hasMessageContaining("of its own");
        try (var pawl = Pawl.open(file, options())) {
            assertThat(job(pawl, "a").state()).isEqualTo(JobState.READY);
        }
        Pawl.move(file, SERVER.url() + "&pawlSchema=room", table -> {});
        try (var pawl = Pawl.open(SERVER.url() + "&pawlSchema=room", options())) {
            assertThat(job(pawl, "a").state()).isEqualTo(JobState.READY);
        }
    }

    @Test
    void everything_that_is_in_flight_goes_on_at_the_other_side_however_often_the_move_is_interrupted()
            throws Exception {
        var file = fill();
        var jobs = 0;
        try (var pawl = Pawl.open(file, options())) {
            jobs = pawl.jobs(JobQuery.all().most(1_000)).jobs().size();
        }
        var to = SERVER.url() + "&pawlSchema=moved";
        var arrived = new ArrayList<String>();
        for (var i = 0; i < TABLES; i++) {
            assertThatThrownBy(() -> Pawl.move(file, to, table -> {
                        arrived.add(table);
                        throw new IllegalStateException("interrupted");
                    }))
                    .hasMessage("interrupted");
            assertThatThrownBy(() -> Pawl.open(file, options()))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("was moved to jdbc:postgresql://127.0.0.1:" + SERVER.port());
            assertThatThrownBy(() -> Pawl.open(to, options()))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("moving in");
        }
        Pawl.move(file, to, arrived::add);
        // Once more, in case nobody heard that it was done.
        Pawl.move(file, to, arrived::add);
        assertThat(arrived).hasSize(TABLES).doesNotHaveDuplicates().contains("job: " + jobs);
        assertThatThrownBy(() -> Pawl.move(file, SERVER.url() + "&pawlSchema=elsewhere", arrived::add))
                .hasMessageContaining("was moved to");
        try (var pawl = Pawl.open(to, options())) {
            assertThat(pawl.prices().orElseThrow().prices()).isEqualTo(PRICES);
            assertThat(job(pawl, "done").state()).isEqualTo(JobState.DONE);
            assertThat(job(pawl, "fail").state()).isEqualTo(JobState.FAILED);
            assertThat(pawl.jobs(JobQuery.in(JobState.FAILED, JobState.DONE)).jobs())
                    .as("what has ended is listed and counted there too")
                    .hasSize(3);
            assertThat(pawl.ended(TimeWindow.EVER).stream()
                            .mapToLong(EndedJobs::many)
                            .sum())
                    .isEqualTo(3);
            pawl.work(W.implementedBy(MoveTest::body));
            awaitState(pawl, "ready", JobState.DONE);
            assertThat(pawl.submit(W, Key.of("many", MANY - 1), "many").join()).isEqualTo("many!");
            awaitState(pawl, nap, JobState.DONE);
            pawl.decide(job(pawl, "ask"), new Decision(Verdict.DONE, "\"sent\"", false, new Audit("anna", "I saw it")));
            assertThat(pawl.submit(W, Key.of("ask"), "ask").join()).isEqualTo("sent");
            assertThat(pawl.submit(W, Key.of("done"), "done").how()).isEqualTo(Submission.Arrival.SAME);
            assertThat(pawl.submit(W, Key.of("new"), "new").join()).isEqualTo("new!");
        }
    }

    @Test
    void
            a_move_that_an_earlier_pawl_began_goes_on_without_the_tables_that_it_did_not_know_and_under_their_earlier_names()
                    throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.open(file, options())) {
            pawl.submit(W, Key.of("a"), "many");
        }
        var to = SERVER.url() + "&pawlSchema=earlier";
        assertThatThrownBy(() -> Pawl.move(file, to, table -> {
                    throw new IllegalStateException("interrupted");
                }))
                .hasMessage("interrupted");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("drop table prices");
            statement.execute("drop index job_ending");
            statement.execute("drop index job_named");
            statement.execute("alter table job drop column ending");
            statement.execute("alter table job rename column end_number to ended");
            statement.execute("drop table tally");
            statement.execute("alter table claim_group rename to line");
            statement.execute("alter table job rename column claim_group to line");
            statement.execute("pragma user_version = 4");
        }
        // It called the first table otherwise, so nobody knows that it has arrived.
        try (var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            statement.execute("delete from earlier.meta where name = 'moved.claim_group'");
            statement.execute("delete from earlier.claim_group");
        }
        Pawl.move(file, to, table -> {});
        try (var pawl = Pawl.open(to, options())) {
            assertThat(job(pawl, "a").state()).isEqualTo(JobState.READY);
            assertThat(pawl.prices()).isEmpty();
        }
    }

    @Test
    void nothing_moves_where_something_is() throws Exception {
        var to = SERVER.url() + "&pawlSchema=full";
        try (var pawl = Pawl.make(to, options())) {
            pawl.submit(W, Key.of("there"), "x");
        }
        var file = folder.resolve("pawl.db");
        Pawl.open(file, options()).close();
        assertThatThrownBy(() -> Pawl.move(file, to, table -> {}))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("jobs or workers of its own");
        assertThatThrownBy(() -> Pawl.move(file, "elsewhere.db", table -> {}))
                .isInstanceOf(IllegalArgumentException.class);
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
        try (var pawl = Pawl.open(file, options())) {
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
        assertThatThrownBy(() -> Pawl.move(file, to, table -> {}))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("holds tables that are not Pawl's: Orders, checked, scratch")
                .hasMessageContaining("--with-tables Orders,checked,scratch")
                .hasMessageContaining("--leave-tables Orders,checked,scratch");
        assertThatThrownBy(() -> Pawl.move(file, to, Set.of("Orders"), Set.of("scratch", "nowhere"), table -> {}))
                .hasMessageContaining("has no table nowhere");
        assertThatThrownBy(() -> Pawl.move(file, to, Set.of("Orders", "checked"), Set.of("scratch"), table -> {}))
                .hasMessageContaining("table checked cannot be taken along, because it says \"check\"");
        try (var pawl = Pawl.open(file, options())) {
            assertThat(job(pawl, "a").state()).as("nothing was moved").isEqualTo(JobState.READY);
        }

        var own = Set.of("Orders");
        var left = Set.of("checked", "scratch");
        assertThatThrownBy(() -> Pawl.move(file, to, own, left, table -> {
                    throw new IllegalStateException("interrupted after " + table);
                }))
                .hasMessage("interrupted after Orders: 2");
        assertThatThrownBy(() -> run("jdbc:sqlite:" + file, "insert into Orders (name) values ('late')"))
                .hasMessageContaining("was moved");
        // What moves was said when the file was sealed.
        Pawl.move(file, to, table -> {});
        try (var pawl = Pawl.open(to, options())) {
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
    void who_has_the_file_open_while_it_moves_is_told() throws Exception {
        var file = folder.resolve("pawl.db");
        try (var pawl = Pawl.open(file, options())) {
            Pawl.move(file, SERVER.url() + "&pawlSchema=open", table -> {});
            assertThatThrownBy(() -> pawl.submit(W, Key.of("late"), "x")).hasMessageContaining("was moved");
        }
    }
}
