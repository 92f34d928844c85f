package dev.pawl;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Attempt;
import dev.pawl.event.Event;
import dev.pawl.event.Events;
import dev.pawl.failure.NotSent;
import dev.pawl.fence.FencedTable;
import dev.pawl.gate.Rate;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.store.StoreFailure;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Workers that share one database and know nothing else of each other. */
class WorkersOnPostgresTest {
    private static final Workflow<Integer, Integer> W = Workflow.named("w", Integer.class, Integer.class);
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final Time TIME = Time.system();
    private static final int LIMIT = 4;

    private final List<Event> events = new CopyOnWriteArrayList<>();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static Pawl worker(String schema, PawlOptions options) {
        return Pawl.openOrCreate(SERVER.url() + "&pawlSchema=" + schema, options);
    }

    private static void joinAll(Pawl pawl, int jobs) throws InterruptedException {
        var submitted = new ArrayList<Submission<Integer>>();
        for (var i = 0; i < jobs; i++) {
            submitted.add(pawl.submit(W, Key.of(i), i));
        }
        for (var one : submitted) {
            one.join();
        }
    }

    @Test
    void a_limit_holds_for_all_of_them_together() throws Exception {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var workflow = W.implementedBy((job, input) -> job.step("s", Integer.class, () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            // As many as may are there at once; then there is time for one more.
            while (most.get() < LIMIT) {
                TIME.await(Duration.ofMillis(5));
            }
            TIME.await(Duration.ofMillis(30));
            now.decrementAndGet();
            return input;
        }));
        var options = PawlOptions.usual().slots(8).log(Events.NOWHERE);
        try (var one = worker("limited", options);
                var two = worker("limited", options);
                var three = worker("limited", options)) {
            one.limitQueue("", LIMIT);
            one.work(workflow);
            two.work(workflow);
            three.work(workflow);
            joinAll(one, 60);
        }
        assertThat(most.get()).isEqualTo(LIMIT);
    }

    /** As if the server's clock had been ahead by so much when all this was written. */
    private static void writtenAhead(String schema, Duration by) throws Exception {
        try (var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            statement.execute("update " + schema + ".job set created = created + " + by.toMillis()
                    + ", changed = changed + " + by.toMillis() + ", due = due + " + by.toMillis());
            statement.execute("update " + schema + ".journal set at = at + " + by.toMillis());
        }
    }

    @Test
    void jobs_that_were_stored_while_the_clock_was_ahead_do_not_wait_until_then_and_that_is_told() throws Exception {
        var sleeps = W.implementedBy((job, input) -> {
            job.sleep(named("nap"), Duration.ofMillis(input));
            return input;
        });
        var options = PawlOptions.usual().slots(4).log(events::add);
        try (var pawl = worker("ahead", options)) {
            pawl.work(sleeps);
            // Long enough for its worker to leave, and for the clock to be set back under it.
            var identity = pawl.submit(W, Key.of(1), 2_000).identity();
            while (pawl.find(identity).orElseThrow().state() != JobState.WAITING) {
                TIME.await(Duration.ofMillis(5));
            }
        }
        try (var pawl = worker("ahead", PawlOptions.usual())) {
            pawl.submit(W, Key.of(2), 0);
        }
        writtenAhead("ahead", Duration.ofDays(365));
        try (var pawl = worker("ahead", options)) {
            pawl.work(sleeps);
            assertThat(pawl.submit(W, Key.of(2), 0).join()).isZero();
            assertThat(pawl.submit(W, Key.of(1), 2_000).join()).isEqualTo(2_000);
        }
        assertThat(events.stream().filter(event -> event.name().equals("times-mended")))
                .as("what a submission holds just then is mended, and told, a moment later")
                .hasSizeBetween(1, 2)
                .allSatisfy(told -> assertThat(told.line())
                        .as("the one that sleeps may have woken before the clock was set back")
                        .containsPattern("jobs=[12] ")
                        .contains("the store's clock was ahead"));
    }

    @Test
    void a_worker_of_very_many_slots_makes_several_commits_at_once_and_every_job_is_done_once() throws Exception {
        var runs = new AtomicInteger();
        try (var pawl = worker("many", PawlOptions.usual().slots(300).log(Events.NOWHERE))) {
            pawl.work(W.implementedBy((job, input) -> job.step("s", Integer.class, () -> {
                runs.incrementAndGet();
                return input;
            })));
            joinAll(pawl, 600);
        }
        assertThat(runs.get()).isEqualTo(600);
    }

    @Test
    void a_database_is_one_store_however_its_address_is_spelled() {
        var options = PawlOptions.usual().log(Events.NOWHERE);
        try (var one = worker("spelled", options);
                var other = worker("spelled&ApplicationName=other", options);
                var another = worker("apart", options)) {
            assertThat(one.operator().storeIdentity())
                    .isPresent()
                    .isEqualTo(other.operator().storeIdentity());
            assertThat(one.operator().storeIdentity())
                    .isNotEqualTo(another.operator().storeIdentity());
        }
    }

    @Test
    void a_long_list_is_there_once_however_often_it_is_submitted() {
        var inputs = new LinkedHashMap<Key, Integer>();
        for (var i = 0; i < 3_000; i++) {
            inputs.put(Key.of(i), i);
        }
        try (var pawl = worker("list", PawlOptions.usual().log(Events.NOWHERE))) {
            assertThat(pawl.submitAll(W, inputs).values()).hasSize(3_000).containsOnly(Submission.Arrival.NEW);
            assertThat(pawl.submitAll(W, inputs).values()).hasSize(3_000).containsOnly(Submission.Arrival.SAME);
        }
    }

    @Test
    void a_rate_holds_for_all_of_them_together() throws Exception {
        var begun = new ConcurrentLinkedQueue<Long>();
        var workflow = W.implementedBy((job, input) -> job.step(named("s").through("provider"), Integer.class, () -> {
            begun.add(TIME.nanos());
            return input;
        }));
        var options = PawlOptions.usual()
                .slots(8)
                .rate(new Rate("provider", 4, Duration.ofSeconds(1)))
                .log(Events.NOWHERE);
        var start = 0L;
        try (var one = worker("rated", options);
                var two = worker("rated", options);
                var three = worker("rated", options)) {
            one.work(workflow);
            two.work(workflow);
            three.work(workflow);
            start = TIME.nanos();
            joinAll(two, 14);
        }
        assertThat(begun).hasSize(14);
        // Four in each second from the first on: the last two come in the fourth.
        assertThat(Duration.ofNanos(Collections.max(begun) - start)).isGreaterThan(Duration.ofMillis(2_950));
    }

    @Test
    void a_long_transaction_in_one_item_of_a_job_keeps_no_other_item_waiting() throws Exception {
        var effect = new CountDownLatch(1);
        try (var pawl = worker("items", PawlOptions.usual().log(Events.NOWHERE))) {
            pawl.work(W.implementedBy((job, input) -> job.map(
                            "all", List.of("books", "sends"), item -> item, (each, item) -> {
                                if (item.equals("books")) {
                                    return each.transaction(
                                            named("book"), 1, TypeToken.of(Integer.class), (request, connection) -> {
                                                effect.await();
                                                return request;
                                            });
                                }
                                each.effect("send", idempotent(), 1, Integer.class, (request, attempt) -> request);
                                var sent = each.step("after", Integer.class, () -> 2);
                                effect.countDown();
                                return sent;
                            })
                    .size()));
            assertThat(pawl.submit(W, Key.of("1"), 1).join()).isEqualTo(2);
        }
    }

    @Test
    void a_person_who_holds_a_job_in_the_database_holds_up_nobody_else() throws Exception {
        var begun = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        var options = PawlOptions.usual().slots(8).term(Duration.ofSeconds(9)).log(events::add);
        try (var pawl = worker("held", options);
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            pawl.work(W.implementedBy((job, input) -> {
                if (input == 0) {
                    begun.countDown();
                    job.step("waits", Integer.class, () -> {
                        held.await();
                        return 1;
                    });
                }
                job.effect("e", idempotent(), input, Integer.class, (request, attempt) -> request);
                return job.step("s", Integer.class, () -> input);
            }));
            var first = pawl.submit(W, Key.of(0), 0);
            begun.await();
            connection.setAutoCommit(false);
            statement.execute("select 1 from held.job for update");
            held.countDown();
            assertThatThrownBy(() -> pawl.cancel(
                            pawl.find(first.identity()).orElseThrow(), new Audit("anna", "she changed her mind")))
                    .as("a person is told, after a while")
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("holds a lock");
            // Others go on all the while, and so do the worker's beats.
            var beat = beat("held");
            var took = new ArrayList<Long>();
            while (took.size() < 40 || beat("held") < beat + 2) {
                var number = took.size() + 1;
                var start = TIME.nanos();
                assertThat(pawl.submit(W, Key.of(number), number).join()).isEqualTo(number);
                took.add(TIME.nanos() - start);
            }
            Collections.sort(took);
            assertThat(Duration.ofNanos(took.get(took.size() / 2)))
                    .as("what most of them took: less than whoever waits for a lock does")
                    .isLessThan(Duration.ofSeconds(1));
            connection.rollback();
            assertThat(first.join()).isEqualTo(0);
        }
        assertThat(events)
                .extracting(Event::name)
                .doesNotContain("store-failed", "worker-lost", "lease-lost", "took-over", "rescued");
    }

    /** The number that the only worker there raises while it lives. */
    private static long beat(String schema) throws SQLException {
        try (var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement();
                var row = statement.executeQuery("select beat from " + schema + ".worker")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void a_table_with_fences_lets_nobody_through_who_comes_late() throws Exception {
        var table = FencedTable.named("public.pawl_fences");
        try (var connection = DriverManager.getConnection(SERVER.url())) {
            table.create(connection);
            table.create(connection);
            assertThatThrownBy(() -> table.admit(connection, attempt(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("begin one");
            connection.setAutoCommit(false);
            table.admit(connection, attempt(1));
            table.admit(connection, attempt(1));
            table.admit(connection, attempt(3));
            connection.commit();
            assertThatThrownBy(() -> table.admit(connection, attempt(2)))
                    .isInstanceOf(NotSent.class)
                    .hasMessageContaining("fence 2 is old");
            connection.rollback();
            table.admit(connection, attempt(4));
            connection.rollback();
            table.admit(connection, attempt(3));
        }
    }

    private static Attempt attempt(long fence) {
        return new Attempt("key", fence, 1, Duration.ofMinutes(1), TIME);
    }
}
