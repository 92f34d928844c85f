package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.list.Cursor;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.JdbcExport;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A file that cannot be a store says so in a sentence that names it and the next move. */
class SqliteFileTest {

    @TempDir
    private Path folder;

    private void refused(Path file, String... parts) {
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.open(file, Time.system()).close())
                .satisfies(e -> assertThat(e.move()).isEqualTo(StoreFailure.Move.OPERATOR))
                .satisfies(e ->
                        assertThat(e.getMessage()).contains(file.toString()).contains(parts));
    }

    private Path file() {
        return folder.resolve("pawl.db");
    }

    private void sql(String... statements) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void every_table_of_a_store_is_known_as_one_of_ours_and_no_other() throws SQLException {
        SqliteStore.open(file(), Time.system()).close();
        sql("create table theirs (x)");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file())) {
            assertThat(new UsersTables(connection).names()).containsExactly("theirs");
        }
        for (var ours : UsersTables.OURS) {
            sql("select 1 from " + ours);
        }
    }

    @Test
    void a_file_that_is_no_database() throws Exception {
        Files.writeString(file(), "dear diary, this is a text");
        refused(file(), "is no SQLite file", "backup", "--store");
    }

    @Test
    void a_damaged_file() throws Exception {
        SqliteStore.open(file(), Time.system()).close();
        var bytes = Files.readAllBytes(file());
        Arrays.fill(bytes, 100, bytes.length, (byte) 0x5a);
        Files.write(file(), bytes);
        refused(file(), "damaged", "backup");
    }

    @Test
    void another_programs_file() throws Exception {
        sql("create table songs (title text)");
        var before = Files.readAllBytes(file());
        refused(file(), "another program", "--store");
        assertThat(Files.readAllBytes(file())).as("it is left as it was").isEqualTo(before);
    }

    @Test
    void a_newer_pawls_file() throws Exception {
        SqliteStore.open(file(), Time.system()).close();
        sql("pragma user_version = 99");
        refused(file(), "newer Pawl", "schema 99");
    }

    @Test
    void a_folder_and_a_folder_that_is_not_there() {
        refused(folder, "is a folder");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.open(folder.resolve("no/such/pawl.db"), Time.system()))
                .withMessageContaining("is not there; make it first");
    }

    @Test
    void a_folder_that_takes_no_files() {
        refused(Path.of("/proc/pawl.db"), "/proc/pawl.db");
    }

    @Test
    void a_file_whose_making_was_cut_short_becomes_a_store() throws Exception {
        var half = folder.resolve("half.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + half);
                var statement = connection.createStatement()) {
            statement.execute("pragma cache_size = 1");
            statement.execute("begin immediate");
            statement.execute("create table x (y)");
            for (var i = 0; i < 50; i++) {
                statement.execute("insert into x values (zeroblob(4000))");
            }
            Files.copy(half, file());
            Files.copy(folder.resolve("half.db-journal"), folder.resolve(file().getFileName() + "-journal"));
            statement.execute("rollback");
        }
        assertThat(Files.size(file())).isPositive();
        try (var store = SqliteStore.open(file(), Time.system())) {
            assertThat(store.workers()).isEmpty();
        }
        SqliteStore.open(file(), Time.system()).close();
    }

    @Test
    void an_empty_file_becomes_a_store_and_a_store_is_opened_again() throws Exception {
        Files.createFile(file());
        SqliteStore.open(file(), Time.system()).close();
        try (var store = SqliteStore.open(file(), Time.system())) {
            assertThat(store.workers()).isEmpty();
            assertThat(store.describe()).contains(file().toString());
        }
    }

    @Test
    void several_handles_of_one_process_do_not_lose_each_others_lifelines() {
        try (var one = SqliteStore.open(file(), Time.system())) {
            one.exchange(List.of(new Change.Enlist(5, "w", Duration.ofSeconds(30), Taking.of("w"))), Wanted.NOTHING);
            var lifeline = one.lifeline(5);
            SqliteStore.open(file(), Time.system()).close();
            try (var two = SqliteStore.open(file(), Time.system())) {
                assertThat(two.knownGone(two.workers())).isEmpty();
                lifeline.close();
                assertThat(two.knownGone(two.workers())).containsExactly(5L);
            }
        }
    }

    @Test
    void a_store_by_another_name_is_the_same_store() throws Exception {
        try (var real = SqliteStore.open(file(), Time.system())) {
            var link = Files.createSymbolicLink(folder.resolve("link.db"), file());
            real.exchange(List.of(new Change.Enlist(5, "w", Duration.ofSeconds(30), Taking.of("w"))), Wanted.NOTHING);
            var lifeline = real.lifeline(5);
            try (var linked = SqliteStore.open(link, Time.system())) {
                assertThat(linked.knownGone(linked.workers())).isEmpty();
            }
            lifeline.close();
        }
    }

    @Test
    void a_store_that_is_closed_while_an_act_runs_does_not_cut_its_lifeline() {
        var store = SqliteStore.open(file(), Time.system());
        store.exchange(List.of(new Change.Enlist(5, "w", Duration.ofSeconds(30), Taking.of("w"))), Wanted.NOTHING);
        var lifeline = store.lifeline(5);
        store.close();
        try (var other = SqliteStore.open(file(), Time.system())) {
            assertThat(other.knownGone(other.workers())).isEmpty();
            lifeline.close();
            assertThat(other.knownGone(other.workers())).containsExactly(5L);
        }
    }

    @Test
    void a_closed_store_says_so() {
        var store = SqliteStore.open(file(), Time.system());
        store.close();
        store.close();
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> store.exchange(List.of(new Change.Retire(1)), Wanted.NOTHING))
                .withMessageContaining("was closed");
        assertThatExceptionOfType(StoreFailure.class).isThrownBy(store::workers).withMessageContaining("was closed");
    }

    @ParameterizedTest
    @CsvSource({
        "SQLITE_FULL, ASK_AGAIN, free some space",
        "SQLITE_IOERR_FSYNC, ASK_AGAIN, nothing was acknowledged",
        "SQLITE_IOERR_WRITE, ASK_AGAIN, nothing was acknowledged",
        "SQLITE_BUSY, ASK_AGAIN, has held",
        "SQLITE_PROTOCOL, ASK_AGAIN, has held",
        "SQLITE_CORRUPT, OPERATOR, backup",
        "SQLITE_NOTADB, OPERATOR, backup",
        "SQLITE_READONLY, OPERATOR, cannot be written",
        "SQLITE_CANTOPEN, OPERATOR, cannot be opened",
        "SQLITE_INTERNAL, ASK_AGAIN, SQLite file"
    })
    void every_error_says_whose_move_it_is(SQLiteErrorCode code, StoreFailure.Move move, String says) {
        var failure = SqliteErrors.explain(new SQLiteException("x", code), file());
        assertThat(failure.move()).isEqualTo(move);
        assertThat(failure).hasMessageContaining(says).hasMessageContaining(file().toString());
    }

    @Test
    void only_a_busy_handle_is_used_again() {
        assertThat(SqliteErrors.spoilsTheHandle(new SQLiteException("x", SQLiteErrorCode.SQLITE_BUSY)))
                .isFalse();
        assertThat(SqliteErrors.spoilsTheHandle(new SQLiteException("x", SQLiteErrorCode.SQLITE_IOERR_FSYNC)))
                .isTrue();
        assertThat(SqliteErrors.spoilsTheHandle(new SQLiteException("x", SQLiteErrorCode.SQLITE_FULL)))
                .isTrue();
    }

    @Test
    void a_users_transaction_cannot_end_itself_or_take_too_long() {
        try (var store = SqliteStore.open(file(), Time.system())) {
            var driver = new StoreDriver(store);
            var held = driver.hold("a", driver.enlist(1));
            var transactional = store.sql().orElseThrow();
            for (var bad : List.of("commit", "rollback", "close")) {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> transactional.transact(
                                held.hold(),
                                held.step("s", "1").id(),
                                connection -> {
                                    switch (bad) {
                                        case "commit" -> connection.commit();
                                        case "rollback" -> connection.rollback();
                                        default -> connection.close();
                                    }
                                    return List.of();
                                },
                                Duration.ofMinutes(4)))
                        .withMessageContaining("is not for a job's transaction");
            }
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> transactional.transact(
                            held.hold(),
                            held.step("s", "1").id(),
                            connection -> {
                                try (var statement = connection.createStatement()) {
                                    statement.execute("commit");
                                }
                                return List.of();
                            },
                            Duration.ofMinutes(4)))
                    .withMessageContaining("ended by its own SQL");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> transactional.transact(
                            held.hold(),
                            held.step("s", "1").id(),
                            connection -> {
                                try (var statement = connection.createStatement()) {
                                    statement.execute(
                                            "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n");
                                }
                                return List.of();
                            },
                            Duration.ofMillis(200)))
                    .withMessageContaining("interrupt");
            assertThat(driver.apply(held.step("after", "1")).done()).isTrue();
        }
    }

    @Test
    void a_file_of_the_first_schema_is_brought_forward_with_its_jobs() throws Exception {
        var file = folder.resolve("old.db");
        try (var old = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = old.createStatement();
                var schema = Objects.requireNonNull(SqliteFile.class.getResourceAsStream("schema-1.sql"))) {
            for (var sql : new String(schema.readAllBytes(), StandardCharsets.UTF_8).split(";\\s*\n")) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
            statement.execute("pragma application_id = 1348564844");
            statement.execute("pragma user_version = 1");
            var insert =
                    "insert into job (identity, workflow, key, input, state, fence, created, changed, due, result) values ";
            for (var key : List.of("ready", "done")) {
                var identity = new Identity("w", Key.of(key));
                statement.execute(insert + "('" + identity.hash() + "', 'w', '"
                        + identity.key().encoded() + "', '1', "
                        + (key.equals("ready") ? "0, 3, 1, 1, 1, null)" : "4, 2, 1, 1, null, '\"r\"')"));
            }
            statement.execute("insert into journal (job, change, resubmission, at, kind, place, body)"
                    + " values (1, 1048576, 0, 1, 1, 's', '\"kept\"')");
        }
        try (var store = SqliteStore.open(file, Time.system())) {
            store.exchange(List.of(new Change.Enlist(5, "w", Duration.ofSeconds(30), Taking.of("w"))), Wanted.NOTHING);
            var claimed = store.exchange(List.of(), new Wanted(5, 1, Taking.of("w"), 9, true))
                    .claimed();
            assertThat(claimed).hasSize(1);
            assertThat(claimed.getFirst().job().standing().fence()).isEqualTo(4);
            assertThat(claimed.getFirst().journal()).hasSize(1);
            assertThat(store.find(new Identity("w", Key.of("done")))
                            .orElseThrow()
                            .outcome()
                            .result())
                    .isEqualTo("\"r\"");
            assertThat(store.happened(Cursor.START, 100)).hasSize(4);
        }
    }

    @Test
    void a_job_may_be_submitted_in_a_transaction_of_the_same_file_and_of_no_other() throws Exception {
        var file = folder.resolve("outbox.db");
        var submission = new Change.SubmitJob(StoreDriver.identity("a"), "1", null);
        try (var store = SqliteStore.open(file, Time.system());
                var theirs = DriverManager.getConnection("jdbc:sqlite:" + file);
                var elsewhere = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("elsewhere.db"));
                var nowhere = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            assertThatThrownBy(() -> store.submitWithin(theirs, submission))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("begin a transaction");
            theirs.setAutoCommit(false);
            assertThat(store.submitWithin(theirs, submission).done()).isTrue();
            theirs.rollback();
            assertThat(store.find(StoreDriver.identity("a"))).isEmpty();
            assertThat(store.submitWithin(theirs, submission).done()).isTrue();
            theirs.commit();
            assertThat(store.find(StoreDriver.identity("a"))).isPresent();
            for (var other : List.of(elsewhere, nowhere)) {
                other.setAutoCommit(false);
                assertThatThrownBy(() -> store.submitWithin(other, submission))
                        .isInstanceOf(StoreFailure.class)
                        .hasMessageContaining("does not lead to");
            }
            try (var statement = theirs.createStatement()) {
                statement.execute("drop table job");
            }
            assertThatThrownBy(() -> store.submitWithin(theirs, submission)).isInstanceOf(StoreFailure.class);
            theirs.rollback();
        }
    }

    @Test
    void every_column_moves_out_with_a_store() throws Exception {
        var file = folder.resolve("columns.db");
        SqliteStore.open(file, Time.system()).close();
        var there = new TreeSet<String>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select m.name || '.' || c.name from sqlite_master m, pragma_table_info(m.name) c"
                                + " where m.type = 'table'")) {
            while (rows.next()) {
                there.add(rows.getString(1));
            }
        }
        there.removeIf(column -> column.startsWith("tally.") || column.startsWith("ledger_count."));
        assertThat(there.stream().filter(column -> !JdbcExport.told().contains(column)))
                .as("how jobs ended, and what they are found by, is found out anew at the other side")
                .containsExactly(
                        "arrival.done",
                        "arrival.token",
                        "claim_group.id",
                        "claim_group.on_behalf_of",
                        "claim_group.queue",
                        "claim_group.version",
                        "claim_group.workflow",
                        "job.claim_group",
                        "job.ending",
                        "job.identity",
                        "ledger_word.id",
                        "prices.id");
    }
}
