package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreGone;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store is found under one name, and its file stays what it was opened as. */
class OneNameTest {
    private static final Change JOB = new Change.SubmitJob(new Identity("w", Key.of("1")), "{}", null);

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("pawl.db");
    }

    private void make() {
        try (var store = SqliteStore.open(file(), Time.system())) {
            store.exchange(List.of(JOB), Wanted.NOTHING);
        }
    }

    @Test
    void a_hard_link_is_refused_under_both_names() throws Exception {
        make();
        var other = Files.createLink(folder.resolve("other.db"), file());
        for (var name : List.of(file(), other)) {
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> SqliteStore.open(name, Time.system()))
                    .withMessageContaining(name + " has another name");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> SqliteStore.oneName(name))
                    .withMessageContaining("a hard link");
        }
    }

    @Test
    void symbolic_links_that_lead_to_each_other_are_refused_in_a_sentence() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("a.db"), Path.of("b.db"));
        Files.createSymbolicLink(folder.resolve("b.db"), Path.of("a.db"));
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> SqliteStore.oneName(link))
                .withMessageContaining(link + " is a symbolic link that leads back to itself");
    }

    @Test
    void a_symbolic_link_is_the_same_store_also_before_there_is_one() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link.db"), Path.of("pawl.db"));
        assertThat(SqliteStore.oneName(link)).isEqualTo(file());
        try (var store = SqliteStore.open(link, Time.system())) {
            store.exchange(List.of(JOB), Wanted.NOTHING);
            assertThat(file()).exists();
            assertThat(SqliteStore.oneName(link)).isEqualTo(file());
            try (var same = SqliteStore.open(file(), Time.system())) {
                assertThat(same.find(new Identity("w", Key.of("1")))).isPresent();
            }
        }
        var folders = Files.createSymbolicLink(folder.resolve("folder"), folder);
        assertThat(SqliteStore.oneName(folders.resolve("pawl.db"))).isEqualTo(file());
        assertThat(SqliteStore.oneName(folders.resolve("new.db"))).isEqualTo(folder.resolve("new.db"));
        assertThat(SqliteStore.oneName(folder.resolve("no/new.db"))).isEqualTo(folder.resolve("no/new.db"));
    }

    @Test
    void a_file_that_is_mounted_alone_is_known_by_the_kernels_list() {
        var lines = List.of(
                "22 1 0:21 / /data rw - ext4 /dev/vda rw",
                "30 22 0:21 /x/s.db /data/my\\040store.db rw - ext4 /dev/vda rw",
                "short");
        assertThat(OneName.isMountPoint(Path.of("/data/my store.db"), lines.stream()))
                .isTrue();
        assertThat(OneName.isMountPoint(Path.of("/data/other.db"), lines.stream()))
                .isFalse();
        assertThat(OneName.isMountPoint(Path.of("/data/other.db"), Stream.of())).isFalse();
    }

    @Test
    void a_file_that_was_deleted_or_replaced_while_it_was_open_takes_no_more() throws Exception {
        make();
        var store = SqliteStore.open(file(), Time.system());
        store.exchange(List.of(JOB), Wanted.NOTHING);
        Files.delete(file());
        assertThatExceptionOfType(StoreGone.class)
                .isThrownBy(() -> store.exchange(List.of(JOB), Wanted.NOTHING))
                .withMessageContaining(file() + " was deleted");
        Files.delete(folder.resolve("pawl.db-wal"));
        try (var another = SqliteStore.open(file(), Time.system())) {
            another.exchange(List.of(JOB), Wanted.NOTHING);
            assertThatExceptionOfType(StoreGone.class)
                    .isThrownBy(store::workers)
                    .withMessageContaining("was replaced");
            store.close();
            assertThat(folder.resolve("pawl.db-wal"))
                    .as("what lies there now is another's")
                    .exists();
        }
    }
}
