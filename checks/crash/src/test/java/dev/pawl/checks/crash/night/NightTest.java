package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad nights from the command line, in short; {@code ./verify night} has longer ones. */
class NightTest {
    private static final Path ROOT = Path.of(System.getProperty("pawl.root"));
    private static final Path PAWL = ROOT.resolve("pawl");

    @TempDir
    private Path folder;

    @Test
    void pawl_is_killed_again_and_again_and_every_key_is_there_once_and_nothing_is_asked() throws Exception {
        var night = new Night(PAWL, folder, 60, 1);
        night.kills(4, false);
        assertThat(night.inside()).as("kills while a command ran").isGreaterThan(1);
        assertThat(night.end()).isEqualTo(new Night.Morning(60, 0, 0, 0));
    }

    @Test
    void minders_are_killed_too_and_no_key_is_there_twice_and_the_doubtful_ones_ask() throws Exception {
        var night = new Night(PAWL, folder, 40, 2);
        night.kills(2, true);
        assertThat(night.minders()).isPositive();
        var morning = night.end();
        assertThat(morning.lost()).isZero();
        assertThat(morning.duplicated()).isZero();
        assertThat(morning.paused()).isPositive();
    }

    @Test
    void of_two_batches_of_one_name_one_works_and_one_stands_down() throws Exception {
        var shell = new Shell(PAWL, folder);
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n{\"id\":2}\n");
        shell.script("command.sh", "#!/bin/sh\necho run >> runs; while ! test -e go; do sleep 0.1; done\n");
        String[] words = {"batch", "run", "rows.jsonl", "--name", "nightly", "--key", "id", "--", "./command.sh"};
        var one = shell.start("one", words);
        var other = shell.start("other", words);
        // The one that works does not end before the other one has.
        while (one.isAlive() && other.isAlive()) {
            Time.system().await(Duration.ofMillis(20));
        }
        Files.createFile(folder.resolve("go"));
        one.waitFor();
        other.waitFor();
        var said = shell.said("one", one.exitValue()).toString() + shell.said("other", other.exitValue());
        assertThat(said)
                .contains("done=2")
                .containsOnlyOnce("this one stands down")
                .containsOnlyOnce("batch=nightly");
        assertThat(one.exitValue() + other.exitValue()).isZero();
        assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(2);
    }

    @Test
    void of_many_guards_that_start_together_one_runs() throws Exception {
        assertThat(Night.guards(new Shell(PAWL, folder), 5)).isEqualTo(1);
    }

    @Test
    void the_blog_post_ends_with_one_branch_and_one_pull_request() throws Exception {
        copy(ROOT.resolve("examples/shell/blog-pr"));
        var process = new ProcessBuilder(PAWL.toString(), "run", "daily-blog-pr.yaml", "--slot", "2026-04-12")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        process.environment().put("FORGE", folder.resolve("forge-home").toString());
        process.environment().put("PAWL_STORE", folder.resolve("pawl.db").toString());
        var running = process.start();
        var said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(said).isZero();
        assertThat(said).contains("502 Bad Gateway", "\"create_pr\":{\"number\":1}");
        assertThat(count("forge-home/branches")).isEqualTo(1);
        assertThat(count("forge-home/requests")).isEqualTo(1);
    }

    @Test
    void a_running_command_is_ended_with_its_job_and_whoever_leaves_says_what_still_runs() throws Exception {
        var shell = new Shell(PAWL, folder);
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n{\"id\":2}\n");
        shell.script(
                "endless.sh",
                "#!/bin/sh\ntrap 'echo >> ended-${PAWL_JOB#*/}; exit 143' TERM\necho >> began-${PAWL_JOB#*/}\nwhile :; do sleep 0.1; done\n");
        var batch = shell.start(
                "batch",
                "batch",
                "run",
                "rows.jsonl",
                "--name",
                "nightly",
                "--key",
                "id",
                "-j",
                "2",
                "--",
                "./endless.sh");
        while (!Files.exists(folder.resolve("began-1")) || !Files.exists(folder.resolve("began-2"))) {
            assertThat(batch.isAlive()).isTrue();
            Time.system().await(Duration.ofMillis(20));
        }
        assertThat(shell.run("first", "cancel", "--kill", "nightly/1", "--note", "wrong row")
                        .out())
                .contains("run, attempt 1 was ended", "it ends when its question is answered");
        assertThat(folder.resolve("ended-1")).exists();
        assertThat(folder.resolve("ended-2")).doesNotExist();
        batch.destroy();
        assertThat(batch.waitFor()).as("one row asks").isEqualTo(3);
        assertThat(shell.said("batch", 3).err())
                .contains("run, attempt 1 of nightly/2 still runs", "pawl cancel --kill nightly/2 --note WHY --store ");
        assertThat(shell.run("second", "cancel", "--kill", "nightly/2", "--note", "wrong row")
                        .out())
                .contains("run, attempt 1 was ended");
        assertThat(folder.resolve("ended-2")).exists();
        assertThat(shell.run("third", "cancel", "--kill", "nightly/2", "--note", "once more")
                        .out())
                .contains("no command of it runs on this machine");
    }

    private long count(String in) throws IOException {
        try (var all = Files.list(folder.resolve(in))) {
            return all.count();
        }
    }

    private void copy(Path from) throws IOException {
        try (var files = Files.list(from)) {
            for (var file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
