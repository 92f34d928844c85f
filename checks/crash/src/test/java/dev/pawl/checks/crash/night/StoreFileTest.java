package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a store, as real processes leave it and find it. */
class StoreFileTest {
    private static final Path PAWL = Path.of(System.getProperty("pawl.root")).resolve("pawl");

    @TempDir
    private Path folder;

    @BeforeEach
    void rows() throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n{\"id\":2}\n");
    }

    private static String[] batch(Path store, String command) {
        return new String[] {
            "batch",
            "run",
            "rows.jsonl",
            "--name",
            "b",
            "--key",
            "id",
            "--store",
            store.toString(),
            "--",
            "sh",
            "-c",
            command
        };
    }

    @Test
    void after_every_process_has_ended_with_0_the_one_file_is_the_store() throws Exception {
        var shell = new Shell(PAWL, folder);
        var store = folder.resolve("pawl.db");
        assertThat(shell.run("one", batch(store, "echo >> done")).code()).isZero();
        assertThat(shell.run("two", "status").code()).isZero();
        assertThat(folder.resolve("pawl.db-wal")).doesNotExist();
        var moved = Files.createDirectory(folder.resolve("new")).resolve("s.db");
        Files.move(store, moved);
        var again = shell.run("three", batch(moved, "echo >> done"));
        assertThat(again.out()).contains("done=0 skipped=2");
        assertThat(folder.resolve("done")).content().hasLineCount(2);
    }
}
