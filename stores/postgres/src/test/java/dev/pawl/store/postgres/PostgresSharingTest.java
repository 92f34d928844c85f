package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Happened;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only a store shows that several processes write to at once. */
class PostgresSharingTest {
    private static final Time TIME = Time.system();

    private final String schema = TestDatabase.newSchema();
    private final PostgresStore store = open();
    private final PostgresStore other = open();
    private final StoreDriver driver = new StoreDriver(store);

    private PostgresStore open() {
        return PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema);
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
    }

    private Connection connect() throws SQLException {
        return TestDatabase.source().getConnection();
    }

    private static Change.RecordStepIfOwned step(StoreDriver.Held held, int n) {
        return new Change.RecordStepIfOwned(
                held.hold(),
                Changes.owned(held.hold().fence(), n),
                List.of(new Entry.StepDone(new Place("", "step-" + n, ""), "1")));
    }

    @Test
    void a_record_under_way_holds_off_whoever_would_take_the_job_over() throws Exception {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        try (var connection = connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // What a record does before it commits.
            statement.execute("select 1 from " + schema + ".job where seq = "
                    + held.hold().job() + " for share");
            var taking = CompletableFuture.supplyAsync(() -> other.exchange(
                    List.of(new Change.TakeOver(1, 0, Change.TakeOver.How.BEAT_STOOD_STILL)), Wanted.NOTHING));
            assertThat(isDoneWithin(taking, 300)).isFalse();
            connection.commit();
            assertThat(taking.get(10, TimeUnit.SECONDS).applied().getFirst()).isInstanceOf(Applied.TookOver.class);
        }
        assertThat(driver.apply(step(held, 0))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(store.journal(held.hold().job())).noneMatch(line -> line.entry() instanceof Entry.StepDone);
    }

    private static boolean isDoneWithin(CompletableFuture<?> future, long millis) throws Exception {
        try {
            future.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (java.util.concurrent.TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void jobs_that_somebody_has_locked_hold_nobody_up() throws Exception {
        driver.enlist(1);
        driver.submit("a", "1");
        driver.submit("b", "1");
        try (var connection = connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 1 from " + schema + ".job where key like '%a%' order by seq limit 1 for update");
            assertThat(driver.claim(1, 5)).hasSize(1);
            connection.rollback();
        }
        assertThat(driver.claim(1, 5)).hasSize(1);
    }

    @Test
    void every_job_is_claimed_once_however_many_claim_at_once() throws Exception {
        var jobs = 400;
        for (var i = 0; i < jobs; i++) {
            driver.submit("job-" + i, "1");
        }
        var claims = new ArrayList<CompletableFuture<List<Long>>>();
        for (var worker = 1; worker <= 4; worker++) {
            var mine = new StoreDriver(worker % 2 == 0 ? store : other);
            var number = worker;
            mine.enlist(number);
            claims.add(CompletableFuture.supplyAsync(() -> {
                var got = new ArrayList<Long>();
                for (var claimed = mine.claim(number, 7); !claimed.isEmpty(); claimed = mine.claim(number, 7)) {
                    claimed.forEach(one -> got.add(one.job().id()));
                }
                return got;
            }));
        }
        var all = new ArrayList<Long>();
        for (var claim : claims) {
            all.addAll(claim.get(60, TimeUnit.SECONDS));
        }
        assertThat(all).hasSize(jobs);
        assertThat(new HashSet<>(all)).hasSize(jobs);
    }

    @Test
    void whoever_waits_is_told_that_there_is_something() throws Exception {
        var told = new Signal();
        store.onReady(told::raise);
        driver.enlist(1);
        assertThat(driver.claim(1, 1)).isEmpty();
        var idler = new StoreDriver(other);
        var until = TIME.nanos() + Duration.ofSeconds(20).toNanos();
        var heard = false;
        for (var i = 0; !heard && TIME.nanos() < until; i++) {
            var seen = told.count();
            idler.submit("job-" + i, "1");
            heard = told.await(TIME, seen, Duration.ofSeconds(1));
        }
        assertThat(heard).isTrue();
    }

    @Test
    void who_reads_by_cursor_misses_nothing_that_commits_late() throws Exception {
        driver.submit("first", "1");
        try (var connection = connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // A submission that has its number and is not committed yet.
            statement.execute("select pg_current_xact_id()");
            statement.execute("insert into " + schema + ".job (workflow, key, input, state, created, changed, line)"
                    + " select workflow, key, input, 4, created, changed, line from " + schema
                    + ".job limit 1");
            driver.submit("third", "1");
            var before = other.happened(Happened.Cursor.START, 10);
            assertThat(before).extracting(Happened::job).doesNotContain(3L);
            connection.commit();
            var cursor =
                    before.isEmpty() ? Happened.Cursor.START : before.getLast().cursor();
            var after = new ArrayList<>(before);
            after.addAll(other.happened(cursor, 10));
            assertThat(after).extracting(Happened::job).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void a_finish_tells_a_caller_that_came_at_the_last_moment() {
        driver.enlist(1);
        var child = driver.hold("child", 1);
        var parent = driver.hold("parent", 1);
        var call = new Change.CallIfOwned(
                parent.hold(),
                Changes.owned(parent.hold().fence(), 0),
                List.of(new Entry.Called(new Place("", "call", ""), StoreDriver.identity("child"))),
                new Change.Call(
                        StoreDriver.identity("child"),
                        new dev.pawl.store.StoredJob.Given("1", dev.pawl.job.Handling.usual()),
                        false));
        assertThat(driver.apply(call).done()).isTrue();
        var finished = driver.apply(new Change.FinishJob(
                child.hold(),
                Changes.owned(child.hold().fence(), 0),
                List.of(),
                new Change.FinishJob.Ending.Done("2")));
        assertThat(finished.stored()).as("somebody was told").isNotNull();
        assertThat(store.journal(parent.hold().job())).anyMatch(line -> line.entry() instanceof Entry.Delivered);
        assertThat(driver.job(child.hold().job()).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void limits_hold_although_many_claim_at_once() throws Exception {
        driver.apply(new Change.LimitQueue("", 3));
        for (var i = 0; i < 40; i++) {
            driver.submit("job-" + i, "1");
        }
        var claims = new ArrayList<CompletableFuture<Integer>>();
        for (var worker = 1; worker <= 4; worker++) {
            var mine = new StoreDriver(worker % 2 == 0 ? store : other);
            var number = worker;
            mine.enlist(number);
            claims.add(CompletableFuture.supplyAsync(() -> mine.claim(number, 5).size()));
        }
        var all = 0;
        for (var claim : claims) {
            all += claim.get(60, TimeUnit.SECONDS);
        }
        assertThat(all).isEqualTo(3);
    }

    @Test
    void a_taking_that_names_queues_takes_from_those() {
        driver.enlist(1);
        driver.submit("a", "1");
        assertThat(driver.ask(new Wanted(1, 99, new Taking(List.of("w"), List.of("mail"), List.of()), 5, true))
                        .claimed())
                .isEmpty();
    }
}
