package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a store is no store until somebody says so, and then everything waits until somebody has looked. */
class SqliteBackupTest {
    private static final Identity JOB = new Identity("w", Key.of("1"));

    @TempDir
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    private void submit(Identity job) {
        try (var store = SqliteStore.open(file("pawl.db"), Time.system())) {
            store.exchange(List.of(new Change.SubmitJob(job, "{}", null)), Wanted.NOTHING);
        }
    }

    @Test
    void a_copy_says_that_it_is_one_and_a_restored_one_waits_for_a_person() throws Exception {
        submit(JOB);
        try (var connection = new SqliteFile(file("pawl.db"), Duration.ofSeconds(1)).connect(true);
                var statement = connection.createStatement()) {
            statement.execute("update job set fence = 3");
        }
        SqliteStore.backUp(file("pawl.db"), file("copy.db"));
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.open(file("copy.db"), Time.system()))
                .withMessageContaining("copy.db is a backup")
                .withMessageContaining("--restored");
        submit(new Identity("w", Key.of("2")));
        Files.move(file("copy.db"), file("pawl.db"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(file("pawl.db-wal"), "of the store that was lost");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.restore(file("pawl.db"), Time.system()))
                .withMessageContaining("pawl.db-wal belongs to the store that was lost");
        Files.delete(file("pawl.db-wal"));
        for (var i = 0; i < 2; i++) {
            SqliteStore.restore(file("pawl.db"), Time.system());
            try (var store = SqliteStore.open(file("pawl.db"), Time.system())) {
                assertThat(store.find(JOB).orElseThrow().standing().fence()).isEqualTo(1_000_003);
                assertThat(store.gates()).singleElement().satisfies(gate -> {
                    assertThat(gate.name()).isEqualTo("store/restored");
                    assertThat(gate.closing()).isNotNull();
                    assertThat(gate.closings())
                            .as("what is no backup stays as it is")
                            .isEqualTo(1);
                });
                assertThat(store.find(new Identity("w", Key.of("2")))).isEmpty();
            }
        }
        try (var left = Files.list(folder)) {
            assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".part"));
        }
    }

    @Test
    void a_backup_never_writes_over_a_file_that_appeared_meanwhile() throws Exception {
        submit(JOB);
        var half = file("half");
        SqliteStore.backUp(file("pawl.db"), half);
        // Whoever appears while the copy is made: the name is taken when it is done.
        var target = Files.writeString(file("copy.db"), "mine");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteBackup.appear(half, target))
                .withMessageContaining("is there already");
        assertThat(target).hasContent("mine");
        SqliteBackup.appear(half, file("other.db"));
        assertThat(file("other.db")).hasSameBinaryContentAs(half);
    }

    @Test
    void the_fences_of_jobs_that_had_not_begun_jump_too() {
        submit(JOB);
        SqliteStore.backUp(file("pawl.db"), file("copy.db"));
        SqliteStore.restore(file("copy.db"), Time.system());
        try (var store = SqliteStore.open(file("copy.db"), Time.system())) {
            assertThat(store.find(JOB).orElseThrow().standing().fence()).isEqualTo(1_000_000);
        }
    }

    @Test
    void a_gate_that_was_there_closes_once_more() {
        submit(JOB);
        SqliteStore.backUp(file("pawl.db"), file("one.db"));
        SqliteStore.restore(file("one.db"), Time.system());
        SqliteStore.backUp(file("one.db"), file("two.db"));
        SqliteStore.restore(file("two.db"), Time.system());
        try (var store = SqliteStore.open(file("two.db"), Time.system())) {
            assertThat(store.gates().getFirst().closings()).isEqualTo(2);
        }
    }

    @Test
    void nothing_is_written_over_and_what_cannot_be_written_is_told() throws IOException {
        submit(JOB);
        Files.writeString(file("there"), "mine");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.backUp(file("pawl.db"), file("there")))
                .withMessageContaining("is there already");
        assertThat(file("there")).hasContent("mine");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() ->
                        SqliteStore.backUp(file("pawl.db"), file("nowhere").resolve("copy.db")))
                .withMessageContaining("nowhere is not there; make it first");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.backUp(file("pawl.db"), file("x".repeat(250))))
                .withMessageContaining("cannot be written");
        SqliteStore.restore(file("there"), Time.system());
        assertThat(file("there")).as("what is no backup is not touched").hasContent("mine");
        SqliteStore.restore(file("none"), Time.system());
        assertThat(file("none")).doesNotExist();
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.restore(folder, Time.system()))
                .withMessageContaining("cannot be read");
    }

    @Test
    void a_backup_that_is_damaged_is_told() throws IOException {
        submit(JOB);
        SqliteStore.backUp(file("pawl.db"), file("copy.db"));
        var bytes = Files.readAllBytes(file("copy.db"));
        for (var i = 100; i < bytes.length; i++) {
            bytes[i] = 7;
        }
        Files.write(file("copy.db"), bytes);
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.restore(file("copy.db"), Time.system()))
                .withMessageContaining("copy.db");
    }

    @Test
    void what_its_log_says_counts_too() throws Exception {
        submit(JOB);
        try (var connection = new SqliteFile(file("pawl.db"), Duration.ofSeconds(1)).connect(true);
                var statement = connection.createStatement()) {
            statement.execute("pragma application_id = " + SqliteFile.BACKUP_ID);
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> SqliteStore.open(file("pawl.db"), Time.system()))
                    .withMessageContaining("is a backup");
        }
    }
}
