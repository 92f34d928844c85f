package dev.pawl.checks.simulation;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Event;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.SqlStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the user's SQL is promised: it is committed with its record, once, whatever the store answers. */
class TransactionPromisesTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    @TempDir
    private Path folder;

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger ran = new AtomicInteger();

    /** Decides what becomes of a transaction that is asked for the {@code time}-th time. */
    private interface Fate {
        Applied of(int time, Transaction transaction) throws Exception;
    }

    private interface Transaction {
        Applied commit() throws Exception;
    }

    private Path file() {
        return folder.resolve("pawl.db");
    }

    private StoredJob run(Fate fate, Workflow.Body<String, String> body) throws InterruptedException {
        try (var real = SqliteStore.open(file(), Time.system());
                var engine = new LocalEngine(
                        new DelegatingStore(real) {
                            @Override
                            public Optional<SqlStore> sql() {
                                return super.sql().map(sql -> fated(sql, fate));
                            }
                        },
                        EnginePorts.system(events::add),
                        EngineOptions.usual("w").poll(Duration.ofMillis(20)))) {
            engine.work(List.of(W.implementedBy(body)));
            var identity = new Identity("w", Key.of("x"));
            engine.submit(identity, "\"in\"");
            return engine.await(engine.find(identity).orElseThrow().id(), Duration.ofSeconds(60))
                    .orElseThrow();
        }
    }

    private SqlStore fated(SqlStore sql, Fate fate) {
        return new SqlStore() {
            @Override
            public Applied transact(Change.Hold hold, long id, Work work, Duration longest) throws Exception {
                return fate.of(asked.incrementAndGet(), () -> sql.transact(hold, id, work, longest));
            }

            @Override
            public Applied submitWithin(Connection connection, Change.SubmitJob submission) {
                return sql.submitWithin(connection, submission);
            }
        };
    }

    private Workflow.Body<String, String> adding() {
        return (run, input) -> run.transaction(
                named("add").timeout(Duration.ofSeconds(20)),
                input,
                TypeToken.of(String.class),
                (request, connection) -> {
                    ran.incrementAndGet();
                    try (var statement = connection.createStatement()) {
                        statement.execute("create table if not exists mine (x text)");
                        statement.execute("insert into mine values ('" + request + "')");
                    }
                    return "added";
                });
    }

    private int rows() throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from mine")) {
            return row.getInt(1);
        }
    }

    @Test
    void a_transaction_that_is_committed_but_not_answered_is_asked_for_again_and_done_once() throws Exception {
        var job = run(
                (time, transaction) -> {
                    var applied = transaction.commit();
                    if (time < 3) {
                        throw new StoreFailure(Move.ASK_AGAIN, "planned: no answer", null);
                    }
                    return applied;
                },
                adding());
        assertThat(job.outcome().result()).isEqualTo("\"added\"");
        assertThat(rows()).isEqualTo(1);
        assertThat(ran).hasValue(1);
        assertThat(events).extracting(Event::name).doesNotContain("lease-lost");
    }

    @Test
    void a_store_that_answers_nothing_for_long_loses_the_run_and_the_job_goes_on_in_another() throws Exception {
        var job = run(
                (time, transaction) -> {
                    if (time <= 5) {
                        throw new StoreFailure(Move.ASK_AGAIN, "planned: not now", null);
                    }
                    return transaction.commit();
                },
                adding());
        assertThat(job.state()).isEqualTo(JobState.DONE);
        assertThat(asked).hasValue(6);
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void what_only_an_operator_can_mend_is_not_asked_for_again_by_the_same_run() throws Exception {
        var job = run(
                (time, transaction) -> {
                    if (time == 1) {
                        throw new StoreFailure(Move.OPERATOR, "planned: broken", null);
                    }
                    return transaction.commit();
                },
                adding());
        assertThat(job.state()).isEqualTo(JobState.DONE);
        assertThat(events).extracting(Event::name).containsOnlyOnce("lease-lost");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_transaction_under_a_lost_lease_is_somebody_elses() throws Exception {
        var job = run((time, transaction) -> time == 1 ? new Applied.LeaseLost() : transaction.commit(), adding());
        assertThat(job.state()).isEqualTo(JobState.DONE);
        assertThat(ran).hasValue(1);
    }

    @Test
    void a_transaction_that_fails_is_rolled_back_and_tried_again() throws Exception {
        var job = run((time, transaction) -> transaction.commit(), (run, input) -> {
            run.random("rides-along");
            var added = run.transaction("add", input, String.class, (request, connection) -> {
                try (var statement = connection.createStatement()) {
                    statement.execute("create table if not exists mine (x text)");
                    statement.execute("insert into mine values (1)");
                }
                if (ran.incrementAndGet() == 1) {
                    throw new IllegalStateException("not yet");
                }
                return "added";
            });
            run.sleep("nap", Duration.ofMillis(1));
            return added;
        });
        assertThat(job.outcome().result()).isEqualTo("\"added\"");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_transaction_in_which_the_job_was_called_is_rolled_back_and_the_job_fails_at_once() throws Exception {
        var job = run(
                (time, transaction) -> transaction.commit(),
                (run, input) -> run.transaction("add", input, String.class, (request, connection) -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute("create table mine (x text)");
                    }
                    ran.incrementAndGet();
                    var unused = catchThrowable(() -> run.step("inside", String.class, () -> ""));
                    return "added";
                }));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(ran).hasValue(1);
        assertThat(catchThrowable(this::rows)).hasMessageContaining("no such table");
    }
}
