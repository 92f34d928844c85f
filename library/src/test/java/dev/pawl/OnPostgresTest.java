package dev.pawl;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.Decision;
import dev.pawl.effect.Contract;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.event.Events;
import dev.pawl.failure.JobPaused;
import dev.pawl.failure.Rejected;
import dev.pawl.job.Finding;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.JobQuery;
import dev.pawl.store.StoreFailure;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pawl on a database that the user's own tables are in. */
class OnPostgresTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final PostgresServer SERVER = PostgresServer.start();

    @BeforeAll
    static void tables() {
        run(
                "create table account (name text primary key, balance int not null)",
                "insert into account values ('anna', 0), ('bert', 0)");
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url());
    }

    private static void run(String... statements) {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int number(String query) {
        try (var connection = connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Pawl open(String schema) {
        return Pawl.openOrCreate(
                SERVER.url() + "&pawlSchema=" + schema, PawlOptions.usual().log(Events.NOWHERE));
    }

    @Test
    void a_worker_with_room_hears_of_every_job_at_once_and_not_by_looking_now_and_then() throws Exception {
        var never =
                new PawlOptions(EngineOptions.usual("never-looks").slots(2).poll(Duration.ofHours(1)), Events.NOWHERE);
        // Whoever only submits looks now and then whether a job has ended.
        var submits = new PawlOptions(EngineOptions.usual("submits").poll(Duration.ofMillis(5)), Events.NOWHERE);
        try (var worker = Pawl.openOrCreate(SERVER.url() + "&pawlSchema=hears", never);
                var submitter = Pawl.openOrCreate(SERVER.url() + "&pawlSchema=hears", submits)) {
            worker.work(W.implementedBy((job, input) -> input));
            while (number("select count(*) from hears.worker where idle = 1") == 0) {
                Time.system().await(Duration.ofMillis(5));
            }
            for (var i = 0; i < 50; i++) {
                var submitted = submitter.submit(W, Key.of(i), "x");
                assertThat(submitted.join(Duration.ofMinutes(4))).as("job " + i).contains("x");
            }
        }
    }

    @Test
    void users_sql_commits_with_its_record_or_not_at_all_however_often_its_connection_is_killed() throws Exception {
        var jobs = 200;
        var ran = new AtomicInteger();
        var killed = new AtomicInteger();
        try (var pawl = open("killed")) {
            pawl.work(W.implementedBy((job, input) ->
                    job.transaction(named("add"), input, TypeToken.of(String.class), (request, connection) -> {
                        try (var statement = connection.createStatement()) {
                            statement.execute("update account set balance = balance + 1 where name = 'anna'");
                            if (ran.incrementAndGet() % 2 == 1 && killed.getAndIncrement() < jobs) {
                                kill(connection);
                            }
                        }
                        return request;
                    })));
            var submitted = new ArrayList<Submission<String>>();
            for (var i = 0; i < jobs; i++) {
                submitted.add(pawl.submit(W, Key.of(i), "x"));
            }
            for (var one : submitted) {
                assertThat(one.join()).isEqualTo("x");
            }
            assertThat(pawl.jobs(JobQuery.in(JobState.DONE).most(1_000)).jobs()).hasSize(jobs);
        }
        assertThat(killed.get()).as("how often it was killed").isGreaterThanOrEqualTo(jobs);
        assertThat(number("select balance from account where name = 'anna'")).isEqualTo(jobs);
    }

    /** Between the user's SQL and the commit. */
    private static void kill(Connection theirs) throws SQLException {
        try (var statement = theirs.createStatement();
                var row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            run("select pg_terminate_backend(" + row.getInt(1) + ", 5000)");
        }
    }

    @Test
    void a_job_that_is_submitted_in_a_transaction_is_there_when_that_commits_and_never_was_when_it_does_not()
            throws Exception {
        run("create table orders (id int primary key)");
        try (var pawl = open("outbox");
                var connection = connect()) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("insert into orders values (1)");
                assertThat(pawl.submit(connection, W, Key.of("1"), "one")).isEqualTo(Submission.Arrival.NEW);
                assertThat(pawl.find(new Identity("w", Key.of("1")))).isEmpty();
                connection.rollback();
                assertThat(pawl.find(new Identity("w", Key.of("1")))).isEmpty();

                statement.execute("insert into orders values (2)");
                assertThat(pawl.submit(connection, W, Key.of("2"), "too")).isEqualTo(Submission.Arrival.NEW);
                assertThat(pawl.submit(connection, W, Key.of("2"), "two")).isEqualTo(Submission.Arrival.REPLACED);
                assertThat(pawl.submit(connection, W, Key.of("2"), "two")).isEqualTo(Submission.Arrival.SAME);
                connection.commit();
            }
            assertThat(pawl.find(new Identity("w", Key.of("2"))).orElseThrow().state())
                    .isEqualTo(JobState.READY);
            pawl.work(W.implementedBy((job, input) -> input + "!"));
            assertThat(pawl.submit(W, Key.of("2"), "two").join()).isEqualTo("two!");
        }
        assertThat(number("select count(*) from orders")).isEqualTo(1);
    }

    @Test
    void a_data_source_of_ones_own_leads_to_the_store_in_the_schema_that_is_named() throws Exception {
        var source = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, values) -> connect());
        try (var pawl = Pawl.openOrCreate(source, "theirs", PawlOptions.usual().log(Events.NOWHERE))) {
            pawl.work(W.implementedBy((job, input) -> job.step("s", String.class, () -> input + "!")));
            assertThat(pawl.submit(W, Key.of("1"), "one").join()).isEqualTo("one!");
        }
        assertThat(number("select count(*) from theirs.job")).isEqualTo(1);
    }

    @Test
    void a_transaction_elsewhere_or_none_at_all_is_told() throws Exception {
        run("create database elsewhere");
        try (var pawl = open("told");
                var elsewhere = DriverManager.getConnection(SERVER.url("elsewhere"));
                var alone = connect()) {
            elsewhere.setAutoCommit(false);
            assertThatThrownBy(() -> pawl.submit(elsewhere, W, Key.of("1"), "one"))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("does not lead to");
            assertThatThrownBy(() -> pawl.submit(alone, W, Key.of("1"), "one"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("begin a transaction");
        }
    }

    // ---- a data source that hands out connections of running transactions

    /** Hands out the connection of the calling thread's transaction, which closing does not close; else one of its own. */
    private static class TransactionAware implements DataSource {
        private static final ThreadLocal<Connection> TRANSACTION = new ThreadLocal<>();

        void begin() throws SQLException {
            var connection = connect();
            connection.setAutoCommit(false);
            TRANSACTION.set(connection);
        }

        void rollback() throws SQLException {
            try (var connection = TRANSACTION.get()) {
                TRANSACTION.remove();
                connection.rollback();
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            var running = TRANSACTION.get();
            return running == null
                    ? connect()
                    : (Connection) Proxy.newProxyInstance(
                            TransactionAware.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (proxy, method, arguments) ->
                                    method.getName().equals("close") ? null : method.invoke(running, arguments));
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public PrintWriter getLogWriter() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLogWriter(PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }

    /** Called as Spring calls it. */
    private static final class TransactionAwareDataSourceProxy extends TransactionAware {}

    private static final String NAMES_THE_CALL = "pawl.submit(connection, …)";

    private static int balance() {
        return number("select balance from account where name = 'bert'");
    }

    @Test
    void a_source_that_hands_out_the_connection_of_a_running_transaction_is_refused_and_that_is_not_committed()
            throws Exception {
        var source = new TransactionAware();
        var before = balance();
        for (var begun : new String[] {"", "update account set balance = balance + 100 where name = 'bert'"}) {
            source.begin();
            try (var connection = source.getConnection();
                    var statement = connection.createStatement()) {
                if (!begun.isEmpty()) {
                    statement.execute(begun);
                }
                assertThatThrownBy(() -> Pawl.openOrCreate(source, "aware", PawlOptions.usual()))
                        .isInstanceOf(StoreFailure.class)
                        .hasMessageContaining(NAMES_THE_CALL);
            } finally {
                source.rollback();
            }
        }
        assertThat(balance()).as("it was rolled back, and not committed by us").isEqualTo(before);
        assertThat(number("select count(*) from pg_namespace where nspname = 'aware'"))
                .isZero();
    }

    @Test
    void a_transaction_that_begins_after_such_a_source_was_opened_is_not_committed_either() throws Exception {
        var source = new TransactionAware();
        var before = balance();
        try (var pawl =
                Pawl.openOrCreate(source, "aware_later", PawlOptions.usual().log(Events.NOWHERE))) {
            source.begin();
            try (var connection = source.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("update account set balance = balance + 100 where name = 'bert'");
                assertThatThrownBy(() -> pawl.find(new Identity("w", Key.of("x"))))
                        .isInstanceOf(StoreFailure.class)
                        .hasMessageContaining(NAMES_THE_CALL);
                pawl.submit(W, Key.of("apart"), "in");
            } finally {
                source.rollback();
            }
            assertThat(balance()).isEqualTo(before);
            assertThat(pawl.find(new Identity("w", Key.of("apart"))))
                    .as("submitted by itself, as on every other source")
                    .isPresent();
        }
    }

    @Test
    void springs_own_source_is_refused_before_any_transaction_runs() {
        assertThatThrownBy(
                        () -> Pawl.openOrCreate(new TransactionAwareDataSourceProxy(), "spring", PawlOptions.usual()))
                .hasMessageContaining(NAMES_THE_CALL)
                .hasMessageContaining("the data source behind it");
    }

    @Test
    void a_source_whose_connections_all_arrive_in_transactions_is_taken() throws Exception {
        var source = new TransactionAware() {
            @Override
            public Connection getConnection() throws SQLException {
                var connection = connect();
                connection.setAutoCommit(false);
                return connection;
            }
        };
        try (var pawl =
                Pawl.openOrCreate(source, "all_manual", PawlOptions.usual().log(Events.NOWHERE))) {
            pawl.work(W.implementedBy((job, input) -> input));
            assertThat(pawl.submit(W, Key.of("x"), "in").join()).isEqualTo("in");
        }
    }

    @Test
    void what_a_person_saw_ended_elsewhere_is_owed_no_more_also_where_a_transaction_follows()
            throws InterruptedException {
        try (var pawl = open("owes")) {
            pawl.work(W.implementedBy((job, input) -> {
                var begins = Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                    throw new Rejected("it has ended");
                });
                job.effect("begin", begins, input, String.class, (topic, attempt) -> topic);
                var rhythm = Rhythm.every(Duration.ofHours(1), Duration.ofHours(1));
                var seen = job.await("session", String.class, rhythm, () -> Finding.needs("look there"));
                return job.transaction("save", input, String.class, (request, connection) -> seen);
            }));
            var job = pawl.submit(W, Key.of("owes"), "x");
            assertThatExceptionOfType(JobPaused.class).isThrownBy(job::join);
            pawl.decide(
                    pawl.find(W, Key.of("owes")).orElseThrow(),
                    Decision.done("as anna saw it").by("anna", "it has ended"));
            assertThat(job.join()).isEqualTo("as anna saw it");
            assertThat(pawl.find(W, Key.of("owes")).orElseThrow().standing().owes())
                    .isZero();
        }
    }
}
