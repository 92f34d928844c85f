package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a store, as real processes leave it and find it. */
class StoreFileTest {
    private static final Path PAWL = Path.of(System.getProperty("pawl.root")).resolve("pawl");

    @TempDir
    private Path folder;

    private Shell shell;

    @BeforeEach
    void rows() throws IOException {
        shell = new Shell(PAWL, folder);
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n{\"id\":2}\n");
    }

    /** What runs on would look for its folder after that is gone. */
    @AfterEach
    void endCommands() throws IOException {
        Files.writeString(folder.resolve("go"), "");
        shell.awaitMinders();
    }

    /** Until a row's command has begun. */
    private void awaitBegun(Process running) throws InterruptedException {
        while (!Files.exists(folder.resolve("begun"))) {
            assertThat(running.waitFor(20, TimeUnit.MILLISECONDS))
                    .as("it has ended already")
                    .isFalse();
        }
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

    @Test
    void one_file_under_two_names_is_one_store_and_a_store_that_is_deleted_under_a_run_ends_it() throws Exception {
        var store = folder.resolve("pawl.db");
        var link = Files.createSymbolicLink(folder.resolve("link.db"), store);
        var waits = "echo >> begun; while ! test -e go; do sleep 0.05; done";
        var running = shell.start("one", batch(store, waits));
        awaitBegun(running);
        assertThat(shell.run("two", batch(link, waits)).err()).contains("this one stands down");
        Files.delete(store);
        assertThat(running.waitFor(1, TimeUnit.MINUTES)).isTrue();
        var said = shell.said("one", running.exitValue());
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains("pawl.db was deleted or moved while this process worked with it");
    }
}
