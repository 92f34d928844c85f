package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever wants the whole story of a run gets it: on stderr, and in a file. */
@Timeout(120)
class TellingTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void flow() throws IOException {
        Files.writeString(folder.resolve("flow.yaml"), """
                workflow: w
                key: [input.id]
                retry: {attempts: 3, backoff: 1ms..2ms}
                steps:
                  - step: look
                    run: test -e seen && echo looked || { touch seen; exit 75; }
                  - effect: send
                    run: echo sent
                """);
    }

    private Typing run(String... more) {
        var words = new ArrayList<>(List.of(
                "run",
                folder.resolve("flow.yaml").toString(),
                "--input",
                "{\"id\":1}",
                "--store=" + folder.resolve("pawl.db")));
        words.addAll(List.of(more));
        return Typing.of(words.toArray(String[]::new));
    }

    private static final String[] STORY = {
        "event=claimed job=w/1 fence=1 worker=",
        "lease=30s",
        "event=attempt-begins job=w/1 fence=1 step=look attempt=1",
        "event=attempt-failed job=w/1 fence=1 step=look attempt=1 class=TRANSIENT",
        "delay=",
        "event=resumes job=w/1",
        "step=look recorded=1",
        "step=send attempt=1 key=",
        "event=attempt-done",
        "event=done job=w/1",
        "time="
    };

    @Test
    void the_whole_story_is_told_at_v() {
        var told = run("-v");
        assertThat(told.code()).as("%s", told).isZero();
        assertThat(told.err()).contains(STORY);
    }

    @Test
    void the_term_that_was_typed_is_the_leases() throws IOException {
        assertThat(run("-v", "--term", "7s").err()).contains("event=claimed job=w/1", "lease=7s");
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var batch = Typing.of(
                "batch",
                "run",
                rows.toString(),
                "--name=n",
                "--key=id",
                "--term=8s",
                "-v",
                "--store=" + folder.resolve("pawl.db"),
                "--",
                "true");
        assertThat(batch.err()).as(batch.toString()).contains("lease=8s");
    }

    @Test
    void the_whole_story_is_in_a_file_when_one_is_named_and_stderr_is_as_quiet_as_ever() throws IOException {
        var log = folder.resolve("pawl.log");
        Files.writeString(log, "before\n");
        var told = run("-q", "--log", log.toString());
        assertThat(told.code()).as("%s", told).isZero();
        assertThat(Files.readString(log)).startsWith("before\n").contains(STORY);
        assertThat(told.err()).doesNotContain("event=claimed");
    }

    @Test
    void a_new_log_is_nobody_elses_and_one_that_cannot_be_written_is_said_before_anything_starts() throws IOException {
        var log = folder.resolve("new.log");
        assertThat(run("--log", log.toString()).code()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-------");
        var refused = run("--log", folder.resolve("nowhere/x.log").toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("there is no such folder").doesNotContain("Exception");
    }
}
