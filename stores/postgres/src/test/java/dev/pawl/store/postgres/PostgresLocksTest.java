package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.HeldChange;
import dev.pawl.store.SqlStore;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for whom on a database that many write to, and who does not. */
class PostgresLocksTest {
    private static final Place EFFECT = StoreDriver.EFFECT;

    private final String schema = TestDatabase.newSchema();
    private final PostgresStore store = open();
    private final PostgresStore other = open();
    private final StoreDriver driver = new StoreDriver(store);
    private int asked;

    private PostgresStore open() {
        return PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema);
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
    }

    private static Connection begin() throws SQLException {
        var connection = TestDatabase.source().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql.replace("pawl.", schema + "."));
        }
    }

    private long number(String sql) throws SQLException {
        try (var connection = TestDatabase.source().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql.replace("pawl.", schema + "."))) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void what_somebody_holds_is_named_and_everything_else_is_done_without_it() throws Exception {
        driver.enlist(1);
        var a = driver.hold("a", 1);
        var b = driver.hold("b", 1);
        var c = driver.hold("c", 1);
        var d = driver.hold("d", 1);
        var e = driver.hold("e", 1);
        try (var person = begin()) {
            run(person, "select 1 from pawl.job where seq = " + a.job().id() + " for update");
            run(person, "select 1 from pawl.job where seq = " + d.job().id() + " for share");
            var stepOfA = a.step("s", "1");
            var held = catchThrowableOfType(
                    HeldChange.class,
                    () -> store.exchange(
                            List.of(b.step("s", "1"), stepOfA, c.step("s", "2"), d.finish("3"), e.intend(1)),
                            Wanted.NOTHING));
            assertThat(held.changes()).containsExactly(1, 3);
            assertThat(held).hasMessageContaining("holds a lock").hasMessageContaining("pg_stat_activity");
            assertThat(driver.apply(c.step("t", "3"))).isInstanceOf(Applied.Now.class);
            assertThat(driver.apply(d.step("t", "3")))
                    .as("what only adds may go on beside who only keeps it as it is")
                    .isInstanceOf(Applied.Now.class);
            person.rollback();
            assertThat(driver.apply(stepOfA)).isInstanceOf(Applied.Now.class);
        }
    }

    @Test
    void what_somebody_holds_is_named_also_where_changes_are_made_row_by_row() throws Exception {
        driver.enlist(1);
        var a = driver.hold("a", 1);
        var b = driver.hold("b", 1);
        var rate = new Rate("bank", 5, Duration.ofMinutes(1));
        var changes = List.<Change>of(
                new Change.PassGateIfOwned(a.hold(), a.id(0), rate),
                new Change.PassGateIfOwned(b.hold(), b.id(0), rate));
        try (var person = begin()) {
            run(person, "select 1 from pawl.job where seq = " + b.job().id() + " for update");
            var held = catchThrowableOfType(HeldChange.class, () -> store.exchange(changes, Wanted.NOTHING));
            assertThat(held.changes()).containsExactly(1);
            assertThat(number("select count(*) from pawl.passed"))
                    .as("what was made with it was undone")
                    .isZero();
            person.rollback();
        }
        assertThat(store.exchange(changes, Wanted.NOTHING).applied()).allMatch(Applied.Now.class::isInstance);
    }

    @Test
    void who_waits_at_a_gate_and_is_held_by_somebody_is_passed_by_and_goes_on_later() throws Exception {
        driver.enlist(1);
        var waiting = List.of(driver.hold("a", 1), driver.hold("b", 1), driver.hold("c", 1));
        for (var held : waiting) {
            driver.apply(new Change.WaitAtGateIfOwned(
                    held.hold(),
                    held.id(0),
                    List.of(),
                    new Gate.Wish("g", new Gate.Reason(Gate.Cause.ACCOUNT, "no credit", null, null)),
                    null));
        }
        try (var person = begin()) {
            run(
                    person,
                    "select 1 from pawl.job where seq = " + waiting.get(1).job().id() + " for update");
            assertThat(driver.apply(new Change.OpenGate("g", 1, StoreDriver.ANNA)))
                    .isInstanceOf(Applied.Now.class);
            assertThat(driver.state(waiting.get(0))).isEqualTo(JobState.READY);
            assertThat(driver.state(waiting.get(2))).isEqualTo(JobState.READY);
            var left = store.followUps(0, 10);
            assertThat(left).hasSize(1);
            assertThat(driver.apply(left.getFirst().goOn()))
                    .as("nothing comes of it, and nothing is written")
                    .isInstanceOf(Applied.NotYet.class);
            assertThat(store.followUps(0, 10)).isEqualTo(left);
            person.rollback();
            assertThat(driver.apply(left.getFirst().goOn())).isInstanceOf(Applied.Now.class);
        }
        assertThat(driver.state(waiting.get(1))).isEqualTo(JobState.READY);
        assertThat(store.followUps(0, 10)).isEmpty();
    }

    @Test
    void what_somebody_else_goes_on_with_is_passed_by() throws Exception {
        try (var connection = begin()) {
            run(
                    connection,
                    "insert into pawl.follow_up (job, kind, rest) values (0, 3, '{\"gate\":\"g\",\"closings\":1}')");
            connection.commit();
            var left = store.followUps(0, 10).getFirst();
            run(connection, "select 1 from pawl.follow_up for update");
            assertThat(driver.apply(left.goOn())).isInstanceOf(Applied.Already.class);
            connection.rollback();
            assertThat(driver.apply(left.goOn())).isInstanceOf(Applied.Now.class);
        }
        assertThat(store.followUps(0, 10)).isEmpty();
    }

    /** A transaction of the user's that begins on a thread of its own and stays open until it is told. */
    private CompletableFuture<Applied> transact(
            StoreDriver.Held held, long id, String name, CountDownLatch under, CountDownLatch over) {
        SqlStore.Work work = connection -> {
            under.countDown();
            over.await();
            return List.of(new Entry.StepDone(new Place("", name, ""), "1"));
        };
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return store.sql().orElseThrow().transact(held.hold(), id, work, Duration.ofSeconds(60));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    @Test
    void a_transaction_of_the_users_in_one_item_keeps_no_other_item_from_what_it_does() throws Exception {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        var under = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        var transaction = transact(held, Changes.owned(held.hold().fence(), 1_000), "books", under, over);
        under.await();
        assertThat(driver.apply(held.step("step", "1"))).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(held.intend(1))).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(held.happened(1)).done()).isTrue();
        var takeOver = new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL);
        assertThatThrownBy(() -> other.exchange(List.of(takeOver), Wanted.NOTHING))
                .as("whoever would take it over waits for the transaction")
                .isInstanceOf(HeldChange.class);
        over.countDown();
        assertThat(transaction.get()).isInstanceOf(Applied.Now.class);
        assertThat(store.journal(held.job().id()))
                .extracting(line -> line.entry().place().name())
                .contains("books", "step", EFFECT.name());
    }

    @Test
    void users_transactions_leave_connections_for_beats() throws Exception {
        driver.enlist(1);
        var many = 12;
        var over = new CountDownLatch(1);
        var under = new CountDownLatch(4);
        var all = new ArrayList<CompletableFuture<Applied>>();
        for (var i = 0; i < many; i++) {
            var held = driver.hold("job-" + i, 1);
            all.add(transact(held, Changes.owned(held.hold().fence(), 0), "t", under, over));
        }
        under.await();
        // Whoever else wanted a connection has one by now, or waits for his turn.
        Time.system().await(Duration.ofMillis(500));
        for (var beat = 1; beat <= 3; beat++) {
            assertThat(driver.apply(new Change.Beat(1, beat)).done()).isTrue();
        }
        over.countDown();
        for (var one : all) {
            one.get();
        }
    }

    @Test
    void a_constraint_of_the_users_that_is_looked_at_when_they_commit_is_their_failure() throws Exception {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        try (var connection = TestDatabase.source().getConnection()) {
            run(connection, "create table pawl.person (id int primary key)");
            run(
                    connection,
                    "create table pawl.letter (person int references pawl.person deferrable initially deferred)");
        }
        var id = Changes.owned(held.hold().fence(), 0);
        assertThatThrownBy(() -> store.sql()
                        .orElseThrow()
                        .transact(
                                held.hold(),
                                id,
                                connection -> {
                                    run(connection, "insert into pawl.letter values (1)");
                                    return List.of(new Entry.StepDone(new Place("", "t", ""), "1"));
                                },
                                Duration.ofSeconds(20)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("letter");
        assertThat(store.journal(held.job().id())).isEmpty();
        assertThat(number("select count(*) from pawl.letter")).isZero();
    }

    @Test
    void a_failure_that_the_users_code_swallows_is_told_as_what_it_is() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        assertThatThrownBy(() -> store.sql()
                        .orElseThrow()
                        .transact(
                                held.hold(),
                                Changes.owned(held.hold().fence(), 0),
                                connection -> {
                                    try {
                                        run(connection, "select 1 / 0");
                                    } catch (SQLException ignored) {
                                        // As if nothing had happened.
                                    }
                                    return List.of(new Entry.StepDone(new Place("", "t", ""), "1"));
                                },
                                Duration.ofSeconds(20)))
                .hasMessageContaining("let the exception through");
        assertThat(store.journal(held.job().id())).isEmpty();
    }

    @Test
    void two_lists_of_the_same_jobs_in_different_order_do_not_wait_in_a_circle() throws Exception {
        var before = deadlocks();
        for (var round = 0; round < 10; round++) {
            var keys = new ArrayList<String>();
            for (var i = 0; i < 300; i++) {
                keys.add(round + "-" + i);
            }
            var forward = submissions(keys);
            Collections.reverse(keys);
            var backward = submissions(keys);
            var one = TestDatabase.meanwhile(() -> TestDatabase.insist(store, forward));
            var two = TestDatabase.meanwhile(() -> TestDatabase.insist(other, backward));
            assertThat(one.get()).allMatch(Applied::done);
            assertThat(two.get()).allMatch(Applied::done);
        }
        assertThat(number("select count(*) from pawl.job")).isEqualTo(3_000);
        assertThat(deadlocks()).isEqualTo(before);
    }

    private static List<Change> submissions(List<String> keys) {
        return keys.stream()
                .<Change>map(key -> new Change.SubmitJob(StoreDriver.identity(key), "1", null))
                .toList();
    }

    private long deadlocks() throws Exception {
        // The server says so in its log, where everything before a line is known once the line is.
        var line = schema + "_asked_" + ++asked;
        assertThatThrownBy(() -> number("select " + line)).isInstanceOf(SQLException.class);
        var log = TestDatabase.server().data().resolve("log");
        var said = Files.readString(log, StandardCharsets.ISO_8859_1);
        while (!said.contains(line)) {
            Time.system().await(Duration.ofMillis(5));
            said = Files.readString(log, StandardCharsets.ISO_8859_1);
        }
        return said.lines().filter(one -> one.contains("deadlock detected")).count();
    }

    @Test
    void a_call_of_a_job_that_somebody_is_submitting_waits_for_him() throws Exception {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        var child = StoreDriver.identity("child");
        try (var theirs = begin()) {
            other.submitWithin(theirs, new Change.SubmitJob(child, "1", null));
            var call =
                    parent.call("call", new Change.CalledJob(child, new StoredJob.Given("1", Handling.usual()), false));
            var calling = TestDatabase.meanwhile(() -> TestDatabase.insist(store, call));
            TestDatabase.awaitWaiting(theirs);
            assertThat(calling).isNotDone();
            theirs.commit();
            assertThat(calling.get().done()).isTrue();
        }
        assertThat(store.children(parent.job().id()))
                .extracting(StoredJob::identity)
                .containsExactly(child);
        assertThat(number("select count(*) from pawl.job where called = 1")).isEqualTo(1);
    }

    @Test
    void pruning_leaves_alone_what_somebody_takes_up_again() throws Exception {
        driver.enlist(1);
        var old = driver.hold("old", 1);
        driver.apply(old.step("s", "1"));
        driver.apply(old.finish("1"));
        var newer = driver.hold("newer", 1);
        driver.apply(newer.finish("1"));
        try (var person = begin()) {
            run(person, "select 1 from pawl.job where seq = " + old.job().id() + " for update");
            var pruning = TestDatabase.meanwhile(() -> other.exchange(
                    List.of(new Change.PruneJobs(Instant.ofEpochMilli(Long.MAX_VALUE), 10)), Wanted.NOTHING));
            assertThat(pruning.get().applied()).containsExactly(new Applied.Pruned(0));
            person.commit();
        }
        driver.apply(new Change.ResubmitJob(old.job().id(), driver.newId(), StoreDriver.ANNA));
        assertThat(driver.job(old.job().id()).state()).isEqualTo(JobState.READY);
        assertThat(store.journal(old.job().id())).isNotEmpty();
    }

    /** A job whose owner has changed after its first attempt: whoever had it before, and whoever has it now. */
    private record Twice(StoreDriver.Held before, StoreDriver.Held now) {}

    private Twice takenOver() {
        driver.enlist(1);
        driver.enlist(2);
        var before = driver.hold("a", 1);
        driver.apply(before.intend(1));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        return new Twice(before, driver.claimed(driver.claim(2, 1).getFirst()));
    }

    /** What whoever adds to a job does first. */
    private void lockJob(Connection connection, StoreDriver.Held held) throws SQLException {
        run(
                connection,
                "select pg_advisory_xact_lock(" + Locks.OURS + ", hashtext('\"" + schema + "\"." + Locks.JOB
                        + held.job().id() + "'))");
    }

    @Test
    void a_late_answer_waits_for_a_new_attempt_under_way_and_settles_it() throws Exception {
        var twice = takenOver();
        var answer = twice.before().happened(1);
        try (var intending = begin()) {
            lockJob(intending, twice.now());
            run(
                    intending,
                    "insert into pawl.attempt select job, resubmission, place, 2, 0, intended, remembered from pawl.attempt");
            var answering = TestDatabase.meanwhile(() -> TestDatabase.insist(store, answer));
            TestDatabase.awaitWaiting(intending);
            assertThat(answering).isNotDone();
            intending.commit();
            assertThat(answering.get()).isInstanceOf(Applied.Now.class);
        }
        assertThat(number("select status from pawl.attempt where number = 1")).isEqualTo(1);
        assertThat(number("select status from pawl.attempt where number = 2"))
                .as("it no longer matters")
                .isEqualTo(4);
    }

    @Test
    void a_new_attempt_waits_for_a_late_answer_under_way_and_is_not_made() throws Exception {
        var twice = takenOver();
        var intent = twice.now().intend(2);
        try (var answering = begin()) {
            lockJob(answering, twice.now());
            run(answering, "update pawl.attempt set status = 1");
            var intending = TestDatabase.meanwhile(() -> TestDatabase.insist(other, intent));
            TestDatabase.awaitWaiting(answering);
            assertThat(intending).isNotDone();
            answering.commit();
            assertThat(intending.get()).isInstanceOf(Applied.Conflict.class);
        }
    }

    @Test
    void effects_of_many_jobs_are_intended_and_answered_at_once_and_each_that_is_not_plain_as_it_must()
            throws Exception {
        driver.enlist(1);
        var all = new ArrayList<StoreDriver.Held>();
        for (var i = 0; i < 20; i++) {
            all.add(driver.hold("job-" + i, 1));
        }
        var calledOff = all.get(3);
        driver.apply(new Change.CancelJob(calledOff.job().id(), driver.newId(), StoreDriver.ANNA));
        var intents = all.stream().map(held -> (Change) held.intend(1)).toList();
        var intended = store.exchange(intents, Wanted.NOTHING).applied();
        for (var i = 0; i < intended.size(); i++) {
            assertThat(intended.get(i)).isInstanceOf(i == 3 ? Applied.CalledOff.class : Applied.Now.class);
        }
        assertThat(store.exchange(intents, Wanted.NOTHING).applied())
                .as("asked again")
                .filteredOn(Applied.Already.class::isInstance)
                .hasSize(19);
        assertThat(number("select count(*) from pawl.attempt where status = 0")).isEqualTo(19);

        var answers = new ArrayList<Change>();
        for (var i = 0; i < all.size(); i++) {
            if (i != 3) {
                answers.add(i == 5 ? all.get(i).didNotHappen(1) : all.get(i).happened(1));
            }
        }
        var answered = store.exchange(answers, Wanted.NOTHING).applied();
        assertThat(answered).allMatch(Applied.Now.class::isInstance);
        assertThat(answered).allSatisfy(one -> assertThat(one.stored()).isNotNull());
        assertThat(store.exchange(answers, Wanted.NOTHING).applied())
                .as("asked again")
                .allMatch(Applied.Already.class::isInstance);
        assertThat(number("select count(*) from pawl.attempt where status = 1")).isEqualTo(18);
        assertThat(number("select count(*) from pawl.journal where kind = 6")).isEqualTo(19);
        assertThat(driver.apply(all.get(5).intend(2))).isInstanceOf(Applied.Now.class);
    }

    @Test
    void whoever_holds_the_limits_keeps_others_from_claiming_and_from_nothing_else() throws Exception {
        driver.enlist(1);
        driver.apply(new Change.LimitQueue("", 3));
        var held = driver.hold("a", 1);
        driver.submit("b", "1");
        try (var person = begin()) {
            run(person, "update pawl.queue set most = 5");
            var nothing = driver.ask(driver.want(1, 1));
            assertThat(nothing.claimed()).isEmpty();
            assertThat(nothing.next()).as("when to look again").isNotNull();
            assertThat(driver.apply(held.step("s", "1"))).isInstanceOf(Applied.Now.class);
            person.rollback();
        }
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    @Test
    void children_of_two_parents_that_end_at_once_in_different_order_do_not_wait_in_a_circle() throws Exception {
        var before = deadlocks();
        for (var round = 0; round < 10; round++) {
            var worker = round + 1L;
            driver.enlist(worker);
            var parents = List.of(driver.hold("p" + round, worker), driver.hold("q" + round, worker));
            var children = new ArrayList<StoreDriver.Held>();
            for (var i = 0; i < 4; i++) {
                var child = StoreDriver.identity("c" + round + "-" + i);
                driver.apply(parents.get(i == 0 || i == 3 ? 0 : 1)
                        .call(
                                "call-" + i,
                                new Change.CalledJob(child, new StoredJob.Given("1", Handling.usual()), false)));
            }
            driver.claim(worker, 4).forEach(claimed -> children.add(driver.claimed(claimed)));
            assertThat(children).hasSize(4);
            var one =
                    List.<Change>of(children.get(0).finish("1"), children.get(1).finish("1"));
            var two =
                    List.<Change>of(children.get(2).finish("1"), children.get(3).finish("1"));
            var first = TestDatabase.meanwhile(() -> TestDatabase.insist(store, one));
            var second = TestDatabase.meanwhile(() -> TestDatabase.insist(other, two));
            assertThat(first.get()).allMatch(Applied::done);
            assertThat(second.get()).allMatch(Applied::done);
        }
        assertThat(deadlocks()).isEqualTo(before);
    }
}
