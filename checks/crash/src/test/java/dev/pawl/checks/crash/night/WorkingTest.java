package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.postgres.BlackHole;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pawl work} on a PostgreSQL server, told to end while a step runs. */
class WorkingTest {
    private static final Path PAWL = Path.of(System.getProperty("pawl.root")).resolve("pawl");

    private static final String UNTOLD = "has run and ended with 0, which is not recorded yet";

    @TempDir
    private Path folder;

    private PostgresServer server;
    private Shell shell;

    @BeforeEach
    void start() {
        server = PostgresServer.start();
        shell = new Shell(PAWL, folder);
    }

    @AfterEach
    void stop() throws Exception {
        shell.killMinders();
        server.close();
    }

    private void submit() throws Exception {
        Files.writeString(folder.resolve("slow.yaml"), """
                workflow: slow
                key: [input.id]
                steps:
                  - step: wait
                    run: ./slow.sh
                """);
        shell.script(
                "slow.sh",
                "#!/bin/sh\necho >> begun; while ! test -e go; do sleep 0.1; done; echo >> ended; echo '{}'\n");
        assertThat(ask("submit", "slow.yaml", "--input", "{\"id\":\"1\"}", "--store", server.url()))
                .contains("slow/1 is submitted");
    }

    private Process work(String name, String grace) throws Exception {
        return shell.start(name, "work", "slow.yaml", "--store", server.url(), "-j", "2", "--grace", grace);
    }

    private void await(String file) throws Exception {
        while (!Files.exists(folder.resolve(file))) {
            Time.system().await(Duration.ofMillis(20));
        }
    }

    private String ask(String... words) throws Exception {
        var said = shell.run("asked", words);
        assertThat(said.code()).as(said.err()).isZero();
        return said.out();
    }

    private long lines(String file) throws Exception {
        return Files.readAllLines(folder.resolve(file)).size();
    }

    /** Lets the step end. */
    private void go() throws Exception {
        Files.createFile(folder.resolve("go"));
    }

    @Test
    void a_step_that_ends_within_the_grace_period_is_recorded_before_the_worker_ends() throws Exception {
        submit();
        var worker = work("one", "1h");
        await("begun");
        assertThat(ask("workers", "--store", server.url())).contains("slow/1");
        worker.destroy();
        // It has heard of that by now.
        Time.system().await(Duration.ofSeconds(1));
        assertThat(worker.isAlive()).isTrue();
        go();
        assertThat(worker.waitFor()).isZero();
        assertThat(ask("jobs", "--store", server.url(), "--state", "done")).contains("slow/1");
        assertThat(ask("workers", "--store", server.url())).doesNotContain("pawl-");
        assertThat(lines("begun")).isEqualTo(1);
    }

    @Test
    void a_worker_whose_packets_are_dropped_waits_for_its_server_and_says_so_once() throws Exception {
        go();
        submit();
        server.crash();
        var address = server.url() + "&loginTimeout=1";
        Process worker;
        try (var hole = BlackHole.at(server.port())) {
            worker = shell.start("one", "work", "slow.yaml", "--store", address, "--grace", "5s");
            Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
            for (var words : List.of(
                    List.of("submit", "slow.yaml", "--input", "{\"id\":\"2\"}", "--store", address),
                    List.of("batch", "run", "rows.jsonl", "--name", "b", "--key", "id", "--store", address, "true"))) {
                var away = shell.run("asked", words.toArray(String[]::new));
                assertThat(away.code()).as(hole.port() + " " + away).isEqualTo(75);
                assertThat(away.err()).contains("does not answer");
            }
            while (!Files.readString(folder.resolve("one.err")).contains("does not answer")) {
                Time.system().await(Duration.ofMillis(20));
            }
        }
        // Now it is refused, and then it is there.
        server.startAgain();
        await("ended");
        worker.destroy();
        worker.waitFor();
        assertThat(worker.exitValue()).isZero();
        assertThat(Files.readString(folder.resolve("one.err"))).containsOnlyOnce("does not answer");
    }

    private String[] guard() throws Exception {
        shell.script("job.sh", "#!/bin/sh\necho >> begun; while [ ! -e go ]; do sleep 0.05; done; echo >> ended\n");
        return new String[] {
            "guard", "--name", "g", "--key", "k", "--term", "5s", "--store", server.url(), "--", "./job.sh"
        };
    }

    /** A guard whose command has run, and whose database is away. */
    private Process guardThatCannotTell(String... words) throws Exception {
        var guard = shell.start("one", words);
        await("begun");
        server.crash();
        go();
        while (!Files.readString(folder.resolve("one.err")).contains(UNTOLD)) {
            assertThat(guard.isAlive()).as(shell.said("one", 0).err()).isTrue();
            Time.system().await(Duration.ofMillis(20));
        }
        return guard;
    }

    @Test
    void a_guard_that_loses_its_database_after_its_command_has_run_says_so_and_waits_until_that_is_recorded()
            throws Exception {
        var words = guard();
        var guard = guardThatCannotTell(words);
        server.startAgain();
        assertThat(guard.waitFor()).isZero();
        assertThat(Files.readString(folder.resolve("one.err")))
                .containsOnlyOnce(UNTOLD)
                .contains("answers again");
        assertThat(ask("jobs", "--store", server.url(), "--state", "done")).contains("guard.g/k");
        var next = shell.run("two", words);
        assertThat(next.code()).isZero();
        assertThat(lines("ended")).isEqualTo(1);
    }

    @Test
    void what_a_guard_could_not_record_before_it_was_killed_is_recorded_by_the_next_one() throws Exception {
        var words = guard();
        var guard = guardThatCannotTell(words);
        guard.destroyForcibly().waitFor();
        server.startAgain();
        var next = shell.run("two", words);
        assertThat(next.code()).as(next.err()).isZero();
        assertThat(ask("jobs", "--store", server.url(), "--state", "done")).contains("guard.g/k");
        assertThat(lines("begun")).isEqualTo(1);
    }

    @Test
    void a_step_that_takes_longer_is_left_to_the_next_worker_who_does_not_begin_it_again() throws Exception {
        submit();
        var worker = work("one", "1s");
        await("begun");
        worker.destroy();
        // It ends when its grace period has passed, although the step goes on.
        worker.waitFor();
        assertThat(ask("jobs", "--store", server.url(), "--state", "ready,running,waiting"))
                .contains("slow/1");
        var next = work("two", "1s");
        while (!ask("workers", "--store", server.url()).contains("slow/1")) {
            Time.system().await(Duration.ofMillis(50));
        }
        go();
        await("ended");
        while (!ask("jobs", "--store", server.url(), "--state", "done").contains("slow/1")) {
            Time.system().await(Duration.ofMillis(200));
        }
        next.destroy();
        next.waitFor();
        assertThat(lines("begun")).isEqualTo(1);
        assertThat(lines("ended")).isEqualTo(1);
    }
}
