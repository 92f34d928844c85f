package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.OpenMode;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;

/** Once everybody has left, the one file is the store; before that, the file says that it is not. */
class SqliteLogTest {

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("pawl.db");
    }

    private Path log() {
        return folder.resolve("pawl.db-wal");
    }

    private SqliteStore open() {
        return SqliteStore.open(file(), Time.system());
    }

    private static Identity job(int number) {
        return new Identity("w", Key.of(number));
    }

    private static void submit(Store store, int number) {
        store.exchange(List.of(new Change.SubmitJob(job(number), "{}", null)), Wanted.NOTHING);
    }

    /** The file alone, elsewhere. */
    private Path alone(String name) throws IOException {
        return Files.copy(file(), Files.createDirectories(folder.resolve(name)).resolve("pawl.db"));
    }

    private static void hasJob(Path file, int number) {
        try (var store = SqliteStore.open(file, Time.system())) {
            assertThat(store.find(job(number))).isPresent();
        }
    }

    @Test
    void after_the_last_one_has_left_the_one_file_is_the_store() throws Exception {
        try (var store = open()) {
            submit(store, 1);
            assertThat(store.find(job(1))).isPresent();
        }
        assertThat(log()).doesNotExist();
        assertThat(folder.resolve("pawl.db-shm")).doesNotExist();
        hasJob(alone("elsewhere"), 1);
    }

    @Test
    void whoever_only_looked_and_leaves_last_folds_what_another_one_left() throws Exception {
        var writes = open();
        submit(writes, 1);
        var looks = open();
        assertThat(looks.find(job(1))).isPresent();
        writes.close();
        looks.close();
        assertThat(log()).doesNotExist();
        hasJob(alone("elsewhere"), 1);
    }

    @Test
    void whoever_cannot_say_that_the_file_is_whole_leaves_its_log_beside_it() throws Exception {
        var store = open();
        submit(store, 1);
        try (var holds = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = holds.createStatement()) {
            statement.execute("begin immediate");
            store.close();
            statement.execute("rollback");
        }
        assertThat(log()).as("whoever closes last does not delete it").exists();
        hasJob(file(), 1);
    }

    @Test
    void a_connection_that_is_given_up_takes_no_log_with_it_that_the_file_says_it_needs() throws Exception {
        try (var store = open()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var held = driver.hold("a", 1);
            assertThatThrownBy(() -> store.sql()
                            .orElseThrow()
                            .transact(
                                    held.hold(),
                                    held.step("s", "1").id(),
                                    connection -> {
                                        throw new StackOverflowError("of the user's code");
                                    },
                                    Duration.ofSeconds(5)))
                    .isInstanceOf(StackOverflowError.class);
            // The power fails now: what is on the disk is the store.
            var elsewhere = alone("elsewhere");
            Files.copy(log(), elsewhere.resolveSibling("pawl.db-wal"));
            try (var found = SqliteStore.open(elsewhere, Time.system())) {
                assertThat(found.find(held.job().identity())).isPresent();
            }
            submit(store, 2);
        }
        assertThat(log()).as("and in the end the one file is the store").doesNotExist();
        hasJob(alone("whole"), 2);
    }

    @Test
    void a_look_that_is_under_way_is_waited_for() throws Exception {
        var store = open();
        submit(store, 1);
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var looking = Thread.ofPlatform()
                .start(() -> assertThat(store.<Boolean>look(looks -> {
                            begun.countDown();
                            return await(mayEnd);
                        }))
                        .isTrue());
        begun.await();
        var closing = Thread.ofPlatform().start(store::close);
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        looking.join();
        closing.join();
        assertThat(log()).doesNotExist();
        hasJob(alone("elsewhere"), 1);
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    void a_file_whose_log_is_missing_and_was_needed_is_refused_and_not_taken_as_new() throws Exception {
        try (var store = open()) {
            submit(store, 1);
            var moved = alone("moved");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> SqliteStore.open(moved, Time.system()))
                    .withMessageContaining(moved + " is not whole")
                    .withMessageContaining(moved + "-wal")
                    .withMessageContaining("--restored");
            Files.copy(log(), moved.resolveSibling("pawl.db-wal"));
            hasJob(moved, 1);
        }
    }

    @Test
    void a_file_whose_log_is_gone_for_good_goes_on_only_once_somebody_has_looked() throws Exception {
        try (var store = open()) {
            submit(store, 1);
            var left = alone("left");
            SqliteStore.restore(left, Time.system());
            try (var restored = SqliteStore.open(left, Time.system())) {
                assertThat(restored.gates()).singleElement().satisfies(gate -> {
                    assertThat(Objects.requireNonNull(gate.closing()).why()).contains("without its log");
                });
            }
        }
    }

    @Test
    void whoever_leaves_beside_one_who_stays_does_not_make_the_file_look_whole() throws Exception {
        try (var stays = open()) {
            submit(stays, 1);
            try (var leaves = open()) {
                submit(leaves, 2);
            }
            submit(stays, 3);
            var moved = alone("moved");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> SqliteStore.open(moved, Time.system()))
                    .withMessageContaining("is not whole");
        }
        hasJob(alone("elsewhere"), 3);
    }

    @Test
    void a_log_that_somebody_ended_meanwhile_is_begun_anew_before_anything_is_written() throws Exception {
        try (var store = open()) {
            submit(store, 1);
        }
        try (var writes = new SqliteFile(file(), Duration.ofSeconds(1)).connectAsItIs()) {
            assertThat(SqliteFile.pragma(writes, "application_id")).isEqualTo(SqliteFile.APPLICATION_ID);
            assertThat(log()).doesNotExist();
            new SqliteLog(new Statements(writes, ""), new AtomicBoolean()).begin();
            assertThat(log()).exists();
            assertThat(SqliteFile.pragma(writes, "application_id")).isEqualTo(SqliteFile.LOGGED_ID);
        }
    }

    /** Has another process submit job 1 and be killed. */
    private void killedAfterItWrote() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SubmitsAndStays.class.getName(),
                        file().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var reader = process.inputReader()) {
            assertThat(reader.readLine()).isEqualTo("submitted");
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(log()).exists();
    }

    private void nothingIsMissing() {
        try (var store = open()) {
            assertThat(store.find(job(1))).isPresent();
            submit(store, 2);
        }
        assertThat(log()).doesNotExist();
        hasJob(file(), 2);
    }

    @Test
    void whoever_looks_after_a_kill_does_not_keep_the_next_run_out() throws Exception {
        killedAfterItWrote();
        try (var looks = SqliteStore.open(file(), Time.system(), OpenMode.TO_LOOK)) {
            assertThat(looks.find(job(1))).isPresent();
        }
        hasJob(file(), 1);
        assertThat(log()).exists();
        nothingIsMissing();
    }

    @Test
    void a_file_whose_log_another_program_has_folded_after_a_kill_says_how_to_go_on() throws Exception {
        killedAfterItWrote();
        var file = new SqliteFile(file(), Duration.ofSeconds(1));
        try (var byHand = file.connectAsItIs()) {
            assertThat(SqliteFile.pragma(byHand, "user_version")).isEqualTo(SqliteStore.SCHEMA);
        }
        assertThat(log()).doesNotExist();
        var move = "pragma application_id = " + SqliteFile.APPLICATION_ID;
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(this::open)
                .withMessageContaining("sqlite3 " + file.path() + " '" + move + "'");
        try (var byHand = file.connectAsItIs();
                var statement = byHand.createStatement()) {
            statement.execute(move);
        }
        nothingIsMissing();
    }

    @Test
    void whoever_wrote_and_gave_its_connection_up_still_says_at_the_end_that_the_file_is_whole() throws Exception {
        try (var store = open()) {
            submit(store, 1);
            var driver = new StoreDriver(store);
            var held = driver.hold("a", driver.enlist(1));
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> store.sql()
                            .orElseThrow()
                            .transact(
                                    held.hold(),
                                    held.step("s", "1").id(),
                                    connection -> {
                                        throw new AssertionError("the user's own");
                                    },
                                    Duration.ofMinutes(4)));
            assertThat(log())
                    .as("it is not deleted as long as the file needs it")
                    .exists();
        }
        assertThat(log()).doesNotExist();
        hasJob(file(), 1);
    }

    private void isRefusedWithoutItsLog(String name) throws IOException {
        var moved = alone(name);
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.open(moved, Time.system()))
                .withMessageContaining("is not whole");
    }

    @Test
    void a_mark_that_somebody_who_reads_holds_back_reaches_the_file_once_he_has_ended() throws Exception {
        try (var theirs = DriverManager.getConnection("jdbc:sqlite:" + file())) {
            try (var store = open()) {
                submit(store, 1);
                assertThat(SqliteFile.pragma(theirs, "application_id")).isEqualTo(SqliteFile.LOGGED_ID);
            }
            assertThat(log()).as("somebody else is there").exists();
            theirs.setAutoCommit(false);
            try (var store = open()) {
                assertThat(SqliteFile.pragma(theirs, "application_id")).isEqualTo(SqliteFile.APPLICATION_ID);
                submit(store, 2);
                theirs.rollback();
                submit(store, 3);
                isRefusedWithoutItsLog("moved");
            }
        }
    }

    /** Where SQLite locks the index of its log: nobody else copies the log into the file meanwhile. */
    private static final int COPYING = 121;

    @Test
    void a_mark_that_cannot_be_copied_while_another_process_copies_reaches_the_file_after_that() throws Exception {
        try (var theirs = DriverManager.getConnection("jdbc:sqlite:" + file())) {
            try (var store = open()) {
                submit(store, 1);
                assertThat(SqliteFile.pragma(theirs, "application_id")).isEqualTo(SqliteFile.LOGGED_ID);
            }
            assertThat(log()).as("somebody else is there").exists();
            try (var store = open()) {
                var process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                HoldsALifeline.class.getName(),
                                file() + "-shm",
                                Integer.toString(COPYING))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                try (var said = process.inputReader()) {
                    assertThat(said.readLine()).isEqualTo("held");
                    submit(store, 2);
                    assertThat(SqliteHead.of(alone("before")).has(SqliteFile.LOGGED_ID))
                            .isFalse();
                } finally {
                    process.destroyForcibly().waitFor();
                }
                submit(store, 3);
                isRefusedWithoutItsLog("moved");
            }
        }
        hasJob(file(), 3);
    }

    @Test
    void whoever_fails_to_take_the_mark_back_tries_once_more_with_all_of_the_log_in_the_file() throws Exception {
        try (var store = open()) {
            submit(store, 1);
        }
        try (var last = new SqliteFile(file(), Duration.ofSeconds(1)).connect(true);
                var statement = last.createStatement()) {
            statement.execute("pragma application_id = " + SqliteFile.LOGGED_ID);
            assertThat(SqliteHead.of(file()).has(SqliteFile.LOGGED_ID))
                    .as("the mark is in the log alone")
                    .isFalse();
            statement.execute("pragma query_only = on");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> SqliteLog.end(last, true))
                    .satisfies(e -> assertThat(SqliteErrors.primary(e)).isEqualTo(SQLiteErrorCode.SQLITE_READONLY));
            assertThat(SqliteHead.of(file()).has(SqliteFile.LOGGED_ID)).isTrue();
        }
    }

    @Test
    void what_can_have_no_log_is_written_without_and_is_not_marked() throws Exception {
        try (var memory = DriverManager.getConnection("jdbc:sqlite::memory:");
                var statement = memory.createStatement()) {
            statement.execute("pragma application_id = " + SqliteFile.APPLICATION_ID);
            new SqliteLog(new Statements(memory, ""), new AtomicBoolean()).begin();
            statement.execute("create table written (x)");
            statement.execute("commit");
            assertThat(SqliteFile.number(memory, "select count(*) from written"))
                    .isZero();
            assertThat(SqliteFile.pragma(memory, "application_id")).isEqualTo(SqliteFile.APPLICATION_ID);
        }
    }

    @Test
    void a_job_that_is_submitted_in_a_transaction_of_the_users_marks_the_file() throws Exception {
        open().close();
        try (var theirs = DriverManager.getConnection("jdbc:sqlite:" + file());
                var store = open()) {
            theirs.setAutoCommit(false);
            store.submitWithin(theirs, new Change.SubmitJob(job(1), "{}", null));
            theirs.commit();
            assertThat(SqliteFile.pragma(theirs, "application_id")).isEqualTo(SqliteFile.LOGGED_ID);
            theirs.rollback();
            submit(store, 2);
            isRefusedWithoutItsLog("moved");
        }
        hasJob(file(), 1);
    }

    @Test
    void a_mark_in_a_file_that_goes_without_a_log_says_that_nothing_is_missing() throws Exception {
        try (var store = open()) {
            submit(store, 1);
        }
        try (var byHand = new SqliteFile(file(), Duration.ofSeconds(1)).connectWithoutLog();
                var statement = byHand.createStatement()) {
            statement.execute("pragma application_id = " + SqliteFile.LOGGED_ID);
        }
        assertThat(log()).doesNotExist();
        hasJob(file(), 1);
    }

    @Test
    void a_file_that_is_too_short_for_a_head_says_nothing_about_a_log() throws Exception {
        var head = SqliteHead.of(Files.writeString(folder.resolve("short.db"), "SQLite format 3\0"));
        assertThat(head.goesWithLog()).isFalse();
        assertThat(head.has(SqliteFile.LOGGED_ID)).isFalse();
        assertThat(head.mayBeSqlite()).isTrue();
    }

    @Test
    void two_jobs_that_are_submitted_in_one_transaction_of_the_users_mark_the_file_once() throws Exception {
        open().close();
        try (var theirs = DriverManager.getConnection("jdbc:sqlite:" + file());
                var store = open()) {
            theirs.setAutoCommit(false);
            store.submitWithin(theirs, new Change.SubmitJob(job(1), "{}", null));
            store.submitWithin(theirs, new Change.SubmitJob(job(2), "{}", null));
            theirs.commit();
            assertThat(SqliteFile.pragma(theirs, "application_id")).isEqualTo(SqliteFile.LOGGED_ID);
        }
        hasJob(file(), 1);
        hasJob(file(), 2);
    }

    @Test
    void a_look_is_waited_for_no_longer_than_a_write_would_be() throws Exception {
        var store = SqliteStore.open(file(), Time.system(), Duration.ofMillis(50));
        submit(store, 1);
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var looking = Thread.ofPlatform()
                .start(() -> store.<Boolean>look(looks -> {
                    begun.countDown();
                    return await(mayEnd);
                }));
        begun.await();
        store.close();
        mayEnd.countDown();
        looking.join();
        assertThatExceptionOfType(StoreFailure.class).isThrownBy(store::workers).withMessageContaining("was closed");
        hasJob(file(), 1);
    }

    @Test
    void a_look_into_a_file_that_cannot_be_opened_is_named() {
        var reader = new SqliteReader(new SqliteFile(folder.resolve("nowhere.db"), Duration.ofMillis(50)));
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> reader.look(looks -> 1))
                .withMessageContaining(folder.resolve("nowhere.db").toString());
        reader.close();
    }

    @Test
    void a_file_without_a_log_is_not_marked_by_somebody_elses_transaction() throws Exception {
        try (var store = open()) {
            submit(store, 1);
        }
        try (var theirs = new SqliteFile(file(), Duration.ofSeconds(1)).connectWithoutLog()) {
            theirs.setAutoCommit(false);
            SqliteLog.markWithin(new Statements(theirs, ""));
            theirs.commit();
            assertThat(SqliteFile.pragma(theirs, "application_id")).isEqualTo(SqliteFile.APPLICATION_ID);
        }
        hasJob(file(), 1);
    }
}
