package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.FakeTime;
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
import java.util.concurrent.atomic.AtomicInteger;
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
            var taking = TestDatabase.meanwhile(
                    () -> TestDatabase.insist(other, new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL)));
            TestDatabase.awaitWaiting(connection);
            assertThat(taking).isNotDone();
            connection.commit();
            assertThat(taking.get()).isInstanceOf(Applied.TookOver.class);
        }
        assertThat(driver.apply(step(held, 0))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(store.journal(held.hold().job())).noneMatch(line -> line.entry() instanceof Entry.StepDone);
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
    void a_time_that_could_not_be_mended_because_somebody_held_its_job_is_mended_later() throws Exception {
        driver.submit("a", "1");
        driver.submit("b", "1");
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("update " + schema
                    + ".job set created = created + 86400000, changed = changed + 86400000," + " due = due + 86400000");
            connection.setAutoCommit(false);
            statement.execute("select 1 from " + schema + ".job where key like '%a%' for update");
            assertThat(driver.apply(new Change.MendTimes(10))).isInstanceOfSatisfying(Applied.Mended.class, mended -> {
                assertThat(mended.jobs()).isEqualTo(1);
                assertThat(mended.more()).as("one is held").isTrue();
            });
            connection.rollback();
        }
        assertThat(driver.apply(new Change.MendTimes(10))).isInstanceOfSatisfying(Applied.Mended.class, mended -> {
            assertThat(mended.jobs()).isEqualTo(1);
            assertThat(mended.more()).isFalse();
        });
        driver.enlist(1);
        assertThat(driver.claim(1, 5)).hasSize(2);
    }

    @Test
    void every_job_is_claimed_once_however_many_claim_at_once() throws Exception {
        var jobs = 400;
        for (var i = 0; i < jobs; i++) {
            driver.submit("job-" + i, "1");
        }
        var claims = new ArrayList<CompletableFuture<List<Long>>>();
        var taken = new AtomicInteger();
        for (var worker = 1; worker <= 4; worker++) {
            var mine = new StoreDriver(worker % 2 == 0 ? store : other);
            var number = worker;
            mine.enlist(number);
            claims.add(TestDatabase.meanwhile(() -> {
                var got = new ArrayList<Long>();
                // Nothing is there for a moment while the others look at the last ones.
                while (taken.get() < jobs) {
                    var claimed = mine.claim(number, 7);
                    claimed.forEach(one -> got.add(one.job().id()));
                    taken.addAndGet(claimed.size());
                }
                return got;
            }));
        }
        var all = new ArrayList<Long>();
        for (var claim : claims) {
            all.addAll(claim.get());
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
        var heard = false;
        // It listens a moment after it has enlisted.
        for (var i = 0; !heard; i++) {
            var seen = told.count();
            idler.submit("job-" + i, "1");
            heard = told.await(TIME, seen, Duration.ofSeconds(1));
        }
    }

    @Test
    void who_reads_by_cursor_misses_nothing_that_commits_late() throws Exception {
        driver.submit("first", "1");
        try (var connection = connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // A submission that has its number and is not committed yet.
            statement.execute("select pg_current_xact_id()");
            statement.execute(
                    "insert into " + schema + ".job (workflow, key, input, state, created, changed, claim_group)"
                            + " select workflow, key, input, 4, created, changed, claim_group from " + schema
                            + ".job limit 1");
            driver.submit("third", "1");
            var before = other.happened(Cursor.START, 10);
            assertThat(before).extracting(Occurrence::job).doesNotContain(3L);
            connection.commit();
            var cursor = before.isEmpty() ? Cursor.START : before.getLast().cursor();
            var after = new ArrayList<>(before);
            after.addAll(other.happened(cursor, 10));
            assertThat(after).extracting(Occurrence::job).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void who_looks_again_while_somebody_is_under_way_sees_no_further_and_is_not_kept_by_who_began_later()
            throws Exception {
        driver.submit("first", "1");
        try (var early = connect();
                var late = connect();
                var statement = early.createStatement();
                var later = late.createStatement()) {
            early.setAutoCommit(false);
            late.setAutoCommit(false);
            statement.execute("select pg_current_xact_id()");
            driver.submit("second", "1");
            for (var look = 0; look < 3; look++) {
                assertThat(other.happened(Cursor.START, 10))
                        .as("somebody may still bring a lower number")
                        .extracting(Occurrence::job)
                        .doesNotContain(2L);
            }
            later.execute("select pg_current_xact_id()");
            early.commit();
            var seen = other.happened(Cursor.START, 10);
            // The server may have something of its own under way.
            while (seen.size() < 2) {
                seen = other.happened(Cursor.START, 10);
            }
            assertThat(seen).extracting(Occurrence::job).containsExactly(1L, 2L);
            driver.submit("third", "1");
            assertThat(other.happened(Cursor.START, 10))
                    .as("who began later may still bring a lower number than this one")
                    .extracting(Occurrence::job)
                    .containsExactly(1L, 2L);
            late.rollback();
        }
    }

    @Test
    void a_claim_that_is_asked_again_of_another_handle_gives_what_it_gave() {
        driver.enlist(1);
        driver.submit("a", "1");
        driver.submit("b", "1");
        var wanted = driver.want(1, 1);
        var given = driver.ask(wanted).claimed();
        assertThat(given).hasSize(1);
        assertThat(other.exchange(List.of(), wanted).claimed())
                .extracting(one -> one.job().id())
                .containsExactly(given.getFirst().job().id());
        assertThat(driver.claim(1, 5)).hasSize(1);
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
                new Change.CalledJob(
                        StoreDriver.identity("child"),
                        new dev.pawl.look.StoredJob.Given("1", dev.pawl.job.Handling.usual()),
                        false));
        assertThat(driver.apply(call).done()).isTrue();
        var finished = driver.apply(new Change.FinishJob(
                child.hold(),
                Changes.owned(child.hold().fence(), 0),
                List.of(),
                new Change.FinishJob.FinalState.Done("2")));
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
            claims.add(TestDatabase.meanwhile(() -> mine.claim(number, 5).size()));
        }
        var all = 0;
        for (var claim : claims) {
            all += claim.get();
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

    @Test
    void a_claim_that_arrives_late_takes_nothing_once_it_was_asked_again() throws Exception {
        driver.enlist(1);
        var elsewhere = new StoreDriver(other);
        elsewhere.enlist(2);
        driver.submit("taken", "1");
        var wanted = driver.want(1, 5);
        try (var person = connect();
                var statement = person.createStatement()) {
            person.setAutoCommit(false);
            statement.execute("select 1 from " + schema + ".worker where id = 1 for update");
            assertThatThrownBy(() -> driver.ask(wanted))
                    .as("sent, and not answered")
                    .isInstanceOf(StoreFailure.class);
            person.rollback();
        }
        assertThat(elsewhere.claim(2, 1)).hasSize(1);
        assertThat(driver.ask(wanted).claimed()).as("asked again").isEmpty();
        driver.submit("a", "1");
        var settings = new Settings(schema, Settings.Clock.OF_THE_SERVER, new Settings.Ways(true, false));
        try (var connection = connect()) {
            // What the server gets when the first one was on its way for long, and whoever sent it is gone.
            var remembered = new Bulk.Remembered(new PostgresClaimGroups(), new ClaimPositions(TIME));
            var late = new Bulk(settings, new ExchangeTexts(settings), remembered, 1, List.of(), wanted);
            late.run(new Session(connection, settings));
            assertThat(late.told().claimed()).isEmpty();
        }
        assertThat(driver.claim(1, 5)).hasSize(1);
    }

    @Test
    void who_submits_under_two_numbers_leaves_no_job_with_nobody() {
        driver.enlist(1);
        driver.enlist(2);
        var changes = new ArrayList<Change>();
        for (var i = 0; i < 10; i++) {
            changes.add(new Change.SubmitJob(
                    StoreDriver.identity("job-" + i), "1", new Change.SubmitJob.Claim(1 + i % 2, 1_000 + i)));
        }
        var exchanged = store.exchange(changes, Wanted.NOTHING);
        var claimed = new HashSet<Long>();
        exchanged.claimed().forEach(one -> claimed.add(one.job().id()));
        assertThat(claimed).isNotEmpty();
        for (var i = 0; i < changes.size(); i++) {
            var job = store.find(StoreDriver.identity("job-" + i)).orElseThrow();
            assertThat(job.state() == JobState.RUNNING).isEqualTo(claimed.contains(job.id()));
            if (job.state() == JobState.RUNNING) {
                assertThat(job.standing().owner()).isEqualTo(1 + i % 2);
            }
        }
    }

    @Test
    void a_job_that_was_submitted_before_the_last_claim_and_committed_after_it_is_found_soon() throws Exception {
        var time = new FakeTime();
        var settings = Settings.Ways.find(true);
        try (var timed = PostgresStore.open(
                        TestDatabase.source(),
                        schema,
                        "test server",
                        settings,
                        () -> time.now().toEpochMilli(),
                        time);
                var theirs = connect()) {
            var claiming = new StoreDriver(timed);
            claiming.enlist(1);
            theirs.setAutoCommit(false);
            timed.submitWithin(theirs, new Change.SubmitJob(StoreDriver.identity("late"), "1", null));
            for (var i = 0; i < 3; i++) {
                time.advance(Duration.ofSeconds(5));
                claiming.submit("job-" + i, "1");
                assertThat(claiming.claim(1, 1)).hasSize(1);
            }
            theirs.commit();
            time.advance(Duration.ofSeconds(1));
            assertThat(claiming.claim(1, 1))
                    .extracting(one -> one.job().identity())
                    .containsExactly(StoreDriver.identity("late"));
        }
    }

    @Test
    void a_claim_brings_so_many_bytes_of_journals_and_leaves_the_rest_for_the_next() {
        driver.enlist(1);
        var large = "\"" + "x".repeat(5 << 20) + "\"";
        var all = new ArrayList<StoreDriver.Held>();
        for (var i = 0; i < 6; i++) {
            all.add(driver.hold("job-" + i, 1));
        }
        for (var held : all) {
            assertThat(driver.apply(held.step("large", large)).done()).isTrue();
            assertThat(driver.apply(held.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO))
                            .done())
                    .isTrue();
        }
        var got = new ArrayList<Integer>();
        for (var claimed = driver.claim(1, 10); !claimed.isEmpty(); claimed = driver.claim(1, 10)) {
            assertThat(claimed.stream().mapToInt(one -> one.journal().size())).containsOnly(2);
            got.add(claimed.size());
        }
        assertThat(got).containsExactly(4, 2);
    }

    @Test
    void more_than_fits_into_one_statement_is_done_all_the_same() {
        driver.enlist(1);
        var large = "\"" + "x".repeat(6 << 20) + "\"";
        var changes = new ArrayList<Change>();
        for (var i = 0; i < 5; i++) {
            changes.add(driver.hold("job-" + i, 1).step("large", large));
        }
        assertThat(store.exchange(changes, Wanted.NOTHING).applied()).allMatch(Applied::done);
        for (var change : changes) {
            assertThat(store.journal(change.job())).hasSize(1);
        }
    }

    @Test
    void what_is_handed_back_is_told_to_whoever_waits() throws Exception {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        var told = new Signal();
        other.onReady(told::raise);
        var waiting = new StoreDriver(other);
        waiting.enlist(2);
        // Both listen a moment after they have enlisted.
        TestDatabase.await("select count(*) = 2 from pg_stat_activity where state = 'idle' and query = 'listen \""
                + schema + "\"'");
        // It looks once more by itself after it has marked itself.
        for (var quiet = false; !quiet; ) {
            assertThat(waiting.claim(2, 1)).isEmpty();
            quiet = !told.await(TIME, told.count(), Duration.ofMillis(500));
        }
        var seen = told.count();
        driver.apply(held.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO));
        assertThat(told.await(TIME, seen, Duration.ofMinutes(4))).isTrue();
        assertThat(waiting.claim(2, 1)).hasSize(1);
    }
}
