package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file that somebody needs is never written over. */
@Timeout(120)
class OverwritingTest {
    private static final String ROWS = "{\"id\":1}\nrubbish\n";

    @TempDir
    private Path folder;

    @BeforeEach
    void rows() throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), ROWS);
    }

    private Typing run(String badLines) {
        return Typing.of(
                "batch",
                "run",
                folder.resolve("rows.jsonl").toString(),
                "--name=n",
                "--key=id",
                "--store=" + folder.resolve("pawl.db"),
                "--skip-bad-lines=" + folder.resolve(badLines),
                "--",
                "true");
    }

    private Typing export(String to) {
        return Typing.of(
                "batch",
                "export",
                "n",
                "--store=" + folder.resolve("pawl.db"),
                "-o",
                folder.resolve(to).toString());
    }

    private void refused(Typing typed, String why) {
        assertThat(typed.code()).as(typed.toString()).isEqualTo(2);
        assertThat(typed.err()).contains(why, "would be lost");
    }

    @Test
    void bad_lines_are_not_listed_over_the_rows_the_store_or_a_strangers_file() throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("rows.jsonl"));
        Files.createLink(folder.resolve("hard"), folder.resolve("rows.jsonl"));
        Files.writeString(folder.resolve("letter"), "Dear Anna,\n");
        for (var file : List.of("rows.jsonl", "link", "hard", "./x/../rows.jsonl")) {
            refused(run(file), "is what is read");
        }
        refused(run("pawl.db"), "belongs to the store");
        refused(run("letter"), "is not an earlier list of bad lines");
        assertThat(Files.readString(folder.resolve("rows.jsonl"))).isEqualTo(ROWS);
        assertThat(folder.resolve("pawl.db")).as("and nothing was begun").doesNotExist();
        assertThat(run("bad").code()).isZero();
        assertThat(run("bad").code()).as("an earlier list is written anew").isZero();
        assertThat(Files.readAllLines(folder.resolve("bad"))).hasSize(1);
    }

    @Test
    void an_export_is_not_written_over_the_store_or_anything_but_an_earlier_export() throws IOException {
        run("bad");
        var before = Files.readAllBytes(folder.resolve("pawl.db"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("pawl.db"));
        var own = List.of("pawl.db", "link", "pawl.db-wal", "pawl.db-shm", "pawl.db-lock");
        for (var file : own) {
            refused(export(file), "belongs to the store");
        }
        refused(export("rows.jsonl"), "is not an earlier export");
        refused(export("bad"), "is not an earlier export");
        refused(export("pawl.db-guards"), "is no file");
        assertThat(Files.readAllBytes(folder.resolve("pawl.db"))).isEqualTo(before);
        assertThat(Files.readString(folder.resolve("rows.jsonl"))).isEqualTo(ROWS);
        assertThat(export("out").code()).isZero();
        Files.createSymbolicLink(folder.resolve("latest"), folder.resolve("out"));
        assertThat(export("latest").code()).isZero();
        assertThat(folder.resolve("latest")).as("a link stays one").isSymbolicLink();
        assertThat(Files.readAllLines(folder.resolve("out"))).hasSize(1);
        Files.createFile(folder.resolve("empty"));
        assertThat(export("empty").code()).isZero();
        Files.createLink(folder.resolve("hard"), folder.resolve("pawl.db"));
        assertThat(export("hard").code()).as("a second name of the store").isEqualTo(2);
        assertThat(Files.isSameFile(folder.resolve("hard"), folder.resolve("pawl.db")))
                .isTrue();
    }

    @Test
    void events_are_written_into_nothing_that_is_read_and_nothing_of_the_store() throws IOException {
        assertThat(run("bad").code()).isZero();
        var flow = Files.writeString(
                folder.resolve("f.yaml"), "workflow: f\nkey: [input.x]\nsteps:\n  - step: one\n    run: 'true'\n");
        var store = "--store=" + folder.resolve("pawl.db");
        var rows = folder.resolve("rows.jsonl").toString();
        Files.createSymbolicLink(folder.resolve("linked"), folder.resolve("rows.jsonl"));
        for (var log : List.of("rows.jsonl", "linked", "f.yaml", "pawl.db", "pawl.db-wal")) {
            var to = "--log=" + folder.resolve(log);
            var why = log.startsWith("pawl") ? "belongs to the store" : "is what is read";
            refusedLog(Typing.of("batch", "run", rows, "--name=n", "--key=id", "--flow=" + flow, store, to), 2, why);
            if (!log.endsWith("s.jsonl") && !log.equals("linked")) {
                refusedLog(Typing.of("run", flow + "", "--input={\"x\":1}", store, to), 2, why);
                refusedLog(Typing.of("work", flow + "", store, to), 2, why);
            }
            if (log.startsWith("pawl")) {
                refusedLog(Typing.of("guard", "--name=g", "--key=k", store, to, "--", "true"), 125, why);
            }
        }
        assertThat(Files.readString(folder.resolve("rows.jsonl"))).isEqualTo(ROWS);
    }

    private static void refusedLog(Typing typed, int code, String why) {
        assertThat(typed.code()).as(typed.toString()).isEqualTo(code);
        assertThat(typed.err()).contains(why, "name another file with --log");
    }
}
