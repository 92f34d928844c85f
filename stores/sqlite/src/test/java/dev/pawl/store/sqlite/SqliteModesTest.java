package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.store.Change;
import dev.pawl.store.OpenMode;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may see a store's files, and what a look does to them. */
class SqliteModesTest {
    private static final Change JOB = new Change.SubmitJob(new Identity("w", Key.of("1")), "{}", null);

    @TempDir
    private Path folder;

    private Path file(String beside) {
        return folder.resolve("pawl.db" + beside);
    }

    private String mode(String beside) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file(beside)));
    }

    private SqliteStore open(OpenMode how) {
        return SqliteStore.open(file(""), Time.system(), how);
    }

    @Test
    void everything_of_a_new_store_is_its_owners_alone() throws Exception {
        try (var store = open(OpenMode.BRINGING_FORWARD)) {
            store.exchange(List.of(JOB), Wanted.NOTHING);
            for (var beside : List.of("", "-wal", "-shm", "-lock")) {
                assertThat(mode(beside)).as(beside).isEqualTo("rw-------");
            }
        }
    }

    @Test
    void what_was_opened_to_a_group_on_purpose_stays_so_and_what_is_made_later_follows() throws Exception {
        open(OpenMode.BRINGING_FORWARD).close();
        Files.delete(file("-lock"));
        Files.setPosixFilePermissions(file(""), PosixFilePermissions.fromString("rw-rw----"));
        try (var store = open(OpenMode.BRINGING_FORWARD)) {
            store.exchange(List.of(JOB), Wanted.NOTHING);
            for (var beside : List.of("", "-wal", "-lock")) {
                assertThat(mode(beside)).as(beside).isEqualTo("rw-rw----");
            }
        }
    }

    @Test
    void a_look_makes_and_changes_nothing() throws Exception {
        try (var store = open(OpenMode.BRINGING_FORWARD)) {
            store.exchange(List.of(JOB), Wanted.NOTHING);
        }
        Files.delete(file("-lock"));
        var before = Files.readAllBytes(file(""));
        try (var looks = open(OpenMode.TO_LOOK)) {
            assertThat(looks.find(new Identity("w", Key.of("1")))).isPresent();
            assertThat(looks.knownGone(looks.workers())).isEmpty();
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> looks.exchange(List.of(JOB), Wanted.NOTHING))
                    .withMessageContaining("takes no change");
            assertThatExceptionOfType(StoreFailure.class).isThrownBy(() -> looks.lifeline(1));
            try (var works = open(OpenMode.AS_IT_IS)) {
                works.lifeline(1).close();
            }
        }
        assertThat(Files.readAllBytes(file(""))).isEqualTo(before);
        Files.delete(file(""));
        Files.createFile(file(""));
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> open(OpenMode.TO_LOOK))
                .withMessageContaining("is empty");
        assertThat(file("")).isEmptyFile();
    }

    @Test
    void what_an_earlier_version_wrote_is_brought_forward_only_by_who_may() throws Exception {
        try (var connection = new SqliteFile(file(""), Duration.ofSeconds(1)).connectWithoutLog();
                var statement = connection.createStatement()) {
            for (var sql : SqliteFile.schema(1).split(";\\s*\n")) {
                statement.execute(sql);
            }
            statement.execute("pragma application_id = " + SqliteFile.APPLICATION_ID);
            statement.execute("pragma user_version = 1");
        }
        var before = Files.readAllBytes(file(""));
        for (var how : List.of(OpenMode.TO_LOOK, OpenMode.AS_IT_IS)) {
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> open(how))
                    .withMessageContaining("has schema 1, and this Pawl reads " + SqliteStore.SCHEMA)
                    .withMessageContaining("pawl schema migrate --store " + file(""));
        }
        assertThat(SqliteStore.schemaOf(file(""))).isEqualTo(1);
        assertThat(Files.readAllBytes(file(""))).isEqualTo(before);
        SqliteStore.bringForward(file(""));
        assertThat(SqliteStore.schemaOf(file(""))).isEqualTo(SqliteStore.SCHEMA);
        open(OpenMode.TO_LOOK).close();
        assertThat(SqliteStore.schemaOf(file("-none"))).isZero();
        assertThat(SqliteStore.schemaText()).contains("create table job", "create table gone");
    }

    @Test
    void several_who_only_look_take_nobody_for_gone_where_nobody_can_tell() throws Exception {
        try (var store = open(OpenMode.BRINGING_FORWARD)) {
            store.exchange(List.of(new Change.Enlist(5, "w", Duration.ofSeconds(30), Taking.of("w"))), Wanted.NOTHING);
        }
        Files.delete(file("-lock"));
        try (var one = open(OpenMode.TO_LOOK);
                var other = open(OpenMode.TO_LOOK)) {
            assertThat(one.workers()).hasSize(1);
            assertThat(one.knownGone(one.workers())).isEmpty();
            assertThat(other.knownGone(other.workers())).isEmpty();
        }
        assertThat(file("-lock")).doesNotExist();
        try (var works = open(OpenMode.AS_IT_IS)) {
            assertThat(works.knownGone(works.workers())).containsExactly(5L);
        }
    }

    @Test
    void who_takes_a_store_as_it_is_makes_one_where_none_is() {
        try (var store = open(OpenMode.AS_IT_IS)) {
            assertThat(store.exchange(List.of(JOB), Wanted.NOTHING).applied()).hasSize(1);
        }
        assertThat(file("")).exists();
    }
}
