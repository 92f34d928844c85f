package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.effect.Answer;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.SqlStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose file, disk, neighbours or users make trouble says so, and goes on when it is over. */
class SqliteTroubleTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private SqliteStore store;

    @SuppressWarnings("NullAway.Init")
    private StoreDriver driver;

    @BeforeEach
    void open() {
        store = SqliteStore.open(file(), Time.system(), SHORT);
        driver = new StoreDriver(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Path file() {
        return folder.resolve("pawl.db");
    }

    private Applied transact(StoreDriver.Held held, SqlStore.Work work, Duration longest) throws Exception {
        return store.sql()
                .orElseThrow()
                .transact(held.hold(), held.step("s", "1").id(), work, longest);
    }

    // ---- users

    @Test
    void a_transaction_that_takes_too_long_without_any_sql_is_rolled_back() {
        var held = driver.hold("a", driver.enlist(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> transact(held, connection -> List.of(), Duration.ofNanos(1)))
                .withMessageContaining("took longer than");
        assertThat(driver.apply(held.step("after", "1")).done()).isTrue();
    }

    @Test
    void the_users_own_sql_hears_what_the_database_says() throws Exception {
        var held = driver.hold("a", driver.enlist(1));
        var heard = new ArrayList<String>();
        var applied = transact(
                held,
                connection -> {
                    try (var statement = connection.prepareStatement("no sql at all")) {
                        statement.execute();
                    } catch (SQLException e) {
                        heard.add(String.valueOf(e.getMessage()));
                    }
                    return List.of();
                },
                LONG);
        assertThat(heard).singleElement().asString().contains("syntax error");
        assertThat(applied.done()).isTrue();
    }

    @Test
    void what_a_job_owes_is_not_changed_by_a_transaction_of_the_users() throws Exception {
        var held = driver.hold("a", driver.enlist(1));
        for (var entry : List.of(
                new Entry.Owes(StoreDriver.EFFECT, StoreDriver.EFFECT), new Entry.OwesNoMore(StoreDriver.EFFECT))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transact(held, connection -> List.of(entry), LONG))
                    .withMessageContaining("changes in a commit of its own");
        }
        assertThat(driver.entries(held)).isEmpty();
        assertThat(driver.job(held.job().id()).standing().owes()).isZero();
        assertThat(transact(held, connection -> List.of(), LONG).done()).isTrue();
    }

    @Test
    void an_error_of_the_users_leaves_the_file_unlocked() {
        var held = driver.hold("a", driver.enlist(1));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> transact(
                        held,
                        connection -> {
                            throw new AssertionError("the user's own");
                        },
                        LONG));
        try (var other = SqliteStore.open(file(), Time.system(), SHORT)) {
            assertThat(new StoreDriver(other).submit("b", "1").done()).isTrue();
        }
        assertThat(driver.apply(held.step("after", "1")).done()).isTrue();
    }

    // ---- the disk and the neighbours

    @Test
    void a_disk_that_is_full_under_the_users_sql_is_no_fault_of_the_user_and_nothing_is_built_on_a_log_in_doubt()
            throws Exception {
        var held = driver.hold("a", driver.enlist(1));
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> transact(
                        held,
                        connection -> {
                            try (var statement = connection.createStatement()) {
                                statement.execute("create table mine (x)");
                                statement.execute("pragma max_page_count = 1");
                                statement.execute("insert into mine values (zeroblob(1000000))");
                            }
                            return List.of();
                        },
                        LONG))
                .withMessageContaining("free some space");
        try (var other = SqliteStore.open(file(), Time.system());
                var reader = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = reader.createStatement()) {
            statement.execute("begin");
            statement.executeQuery("select count(*) from job").close();
            new StoreDriver(other).submit("b", "1");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> driver.apply(held.step("t", "1")))
                    .satisfies(e -> assertThat(e.move()).isEqualTo(StoreFailure.Move.ASK_AGAIN))
                    .withMessageContaining("has held " + file());
        }
        assertThat(driver.apply(held.step("t", "1")).done()).isTrue();
    }

    @Test
    void a_file_that_another_holds_is_waited_for_and_asked_for_again() throws Exception {
        try (var other = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = other.createStatement()) {
            statement.execute("begin immediate");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> driver.submit("a", "1"))
                    .satisfies(e -> assertThat(e.move()).isEqualTo(StoreFailure.Move.ASK_AGAIN))
                    .withMessageContaining("has held " + file());
        }
        assertThat(driver.submit("a", "1").done()).isTrue();
    }

    @Test
    void a_change_that_the_database_refuses_harms_no_other() {
        driver.enlist(1);
        var one = driver.hold("a", 1);
        var other = driver.hold("b", 1);
        var step = one.step("s", "1");
        driver.apply(step);
        var usedUp = one.release(Until.HAND_BACK, Duration.ZERO);
        var clash = new Change.ReleaseJob(usedUp.hold(), step.id(), usedUp.entries(), Until.HAND_BACK);
        var submitted = new Change.SubmitJob(StoreDriver.identity("c"), "1", new Change.SubmitJob.Claim(1, 77));
        var exchanged = store.exchange(List.of(other.step("s", "1"), clash, submitted), Wanted.NOTHING);
        assertThat(exchanged.applied().get(0).done()).isTrue();
        assertThat(exchanged.applied().get(1)).isInstanceOf(Applied.Refused.class);
        assertThat(exchanged.applied().get(2).done()).isTrue();
        assertThat(exchanged.claimed()).hasSize(1);
        assertThat(driver.state(one)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void a_file_that_was_spoiled_or_removed_under_us_is_named() throws Exception {
        store.workers();
        try (var raw = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = raw.createStatement()) {
            statement.execute("alter table worker rename to nobody");
        }
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(store::workers)
                .withMessageContaining(file().toString());
        Files.delete(file());
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(store::workers)
                .withMessageContaining(file() + " was deleted");
    }

    @Test
    void a_file_that_was_spoiled_under_one_who_only_looked_is_left_as_it_is() throws Exception {
        var log = folder.resolve("pawl.db-wal");
        Files.writeString(file(), "dear diary, this is a text".repeat(1_000));
        Files.writeString(log, "nor is this a log");
        store.close();
        assertThat(file()).content().startsWith("dear diary");
        assertThat(log).hasContent("nor is this a log");
    }

    // ---- much at once

    @Test
    void many_queues_are_remembered_in_part_and_known_all() {
        var changes = new ArrayList<Change>();
        for (var i = 0; i < 1_002; i++) {
            var handling = Handling.usual().queue("q" + i % 1_001);
            changes.add(
                    new Change.SubmitJob(StoreDriver.identity("job-" + i), new StoredJob.Given("1", handling), null));
        }
        store.exchange(changes, Wanted.NOTHING);
        var jobs = new ArrayList<JobSummary>();
        store.eachJob(JobQuery.in(JobState.READY).oldestFirst(), jobs::add);
        assertThat(jobs).hasSize(1_002);
        assertThat(jobs.getLast().handling().queue()).isEqualTo("q0");
        assertThat(driver.claim(driver.enlist(1), 2_000)).hasSize(1_002);
    }

    @Test
    void a_claim_brings_no_more_than_a_process_can_hold() {
        driver.enlist(1);
        var large = Answer.happened("\"" + "x".repeat(17 << 20) + "\"");
        var refused = new Answer.DidNotHappen(Failure.of(FailureClass.TRANSIENT, "no", "no"));
        var held = List.of(driver.hold("a", 1), driver.hold("b", 1), driver.hold("c", 1));
        var answers = List.of(large, refused, Answer.happened(null));
        for (var i = 0; i < held.size(); i++) {
            driver.apply(held.get(i).intend(1));
            driver.apply(held.get(i).answer(1, answers.get(i)));
            driver.apply(held.get(i).release(Until.HAND_BACK, Duration.ZERO));
        }
        assertThat(driver.claim(1, 9)).hasSize(1);
        assertThat(driver.claim(1, 9)).hasSize(2);
    }

    // ---- lifelines

    @Test
    void a_lifeline_is_let_go_once() {
        driver.enlist(5);
        var lifeline = store.lifeline(5);
        assertThat(store.knownGone(store.workers())).isEmpty();
        lifeline.close();
        lifeline.close();
        assertThat(store.knownGone(store.workers())).containsExactly(5L);
        assertThat(driver.submit("a", "1").done()).as("the store is open still").isTrue();
    }

    @Test
    void a_number_whose_lifeline_another_process_holds_is_not_taken() throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HoldsALifeline.class.getName(),
                        file() + "-lock",
                        "5")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("held");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> store.lifeline(5))
                    .withMessageContaining("worker 5 is there already");
            driver.enlist(5);
            assertThat(store.knownGone(store.workers())).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void a_command_to_copy_names_the_file_whatever_it_is_called() {
        assertThat(store.option()).isEqualTo(" --store " + file());
        try (var odd = SqliteStore.open(folder.resolve("it's odd.db"), Time.system())) {
            assertThat(odd.option()).isEqualTo(" --store '" + folder + "/it'\\''s odd.db'");
        }
    }

    @Test
    void rows_of_more_parts_than_are_remembered_are_told_apart() {
        var held = driver.hold("a", driver.enlist(1));
        var many = 1_001;
        var rows = IntStream.range(0, many)
                .mapToObj(i -> NewRow.of(Key.of(i), "1"))
                .toList();
        driver.apply(new Change.EnrolRows("c", rows.subList(0, 1_000), false));
        driver.apply(new Change.EnrolRows("c", rows.subList(1_000, many), false));
        var sends = IntStream.range(0, many)
                .<Change>mapToObj(i -> new Change.SendRowsIfOwned(
                        held.hold(),
                        held.id(1),
                        List.of(new Entry.StepDone(new Place("", "send", "p" + i), "1")),
                        new PartSending(
                                "c", "p" + i, List.of(new RowRef(Key.of(i).toString(), 1)), 1)))
                .toList();
        assertThat(store.exchange(sends, Wanted.NOTHING).applied()).allMatch(Applied::done);
        // Each send looks for its row again, and finds it open in its part.
        assertThat(store.exchange(
                                IntStream.range(0, many)
                                        .<Change>mapToObj(i -> new Change.ReconcileRows(
                                                "c",
                                                List.of(new RowAnswer(
                                                        Key.of(i).toString(),
                                                        1,
                                                        1,
                                                        new RowAnswer.RowEnding.RowAbandoned("late"),
                                                        null)),
                                                9))
                                        .toList(),
                                Wanted.NOTHING)
                        .applied())
                .allMatch(new Applied.OfRows(List.of(RowOutcome.SETTLED))::equals);
        assertThat(store.row("c", Key.of(many - 1).toString())
                        .orElseThrow()
                        .tries()
                        .getFirst()
                        .part())
                .isEqualTo("p" + (many - 1));
    }
}
