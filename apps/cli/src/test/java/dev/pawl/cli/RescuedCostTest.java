package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands used whose Pawl was killed is known, because they say it themselves. */
@Timeout(120)
class RescuedCostTest {
    /** Waits to be let go, and then tells what it used; $1 is how it ends. */
    private static final String COMMAND = """
            cd "$(dirname "$0")"
            echo >> begun
            while ! test -e go; do sleep 0.05; done
            echo '{"model":"big","input":1000000,"output":100000}' > "$PAWL_USAGE"
            exit $1
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("act.sh"), COMMAND);
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        Files.writeString(folder.resolve("prices.csv"), "big, 3.00, 15.00\n");
        Files.writeString(folder.resolve("flow.yaml"), """
                workflow: w
                key: [input.id]
                steps:
                  - step: ask
                    run: [sh, %s, "0"]
                """.formatted(folder.resolve("act.sh")));
        assertThat(pawl("prices", "import", folder.resolve("prices.csv").toString())
                        .code())
                .isZero();
    }

    private String[] words(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + folder.resolve("pawl.db"));
        return all.toArray(String[]::new);
    }

    private Typing pawl(String... words) {
        return Typing.of(words(words));
    }

    private String[] batch(String exit) {
        return new String[] {
            "batch",
            "run",
            folder.resolve("rows.jsonl").toString(),
            "--name=b",
            "--key=id",
            "--linger=20s",
            "--",
            "sh",
            folder.resolve("act.sh").toString(),
            exit
        };
    }

    /** Begins it in a process of its own, which is killed while the command runs; then the command may end. */
    private void killedIn(String... words) throws IOException, InterruptedException {
        var process = begun(words);
        while (!Files.exists(folder.resolve("begun"))) {
            assertThat(process.isAlive())
                    .as(Files.readString(folder.resolve("said")))
                    .isTrue();
            Time.system().await(Duration.ofMillis(20));
        }
        process.destroyForcibly().waitFor();
        Files.createFile(folder.resolve("go"));
    }

    private Process begun(String... words) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words(words)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    @Test
    void a_row_that_outlived_its_pawl_costs_what_its_command_says() throws Exception {
        killedIn(batch("0"));
        var next = pawl(batch("0"));
        assertThat(next.out()).as(next.toString()).contains("done=1", "cost=4.50USD ");
        assertThat(pawl("cost", "--by", "job", "b/1").out()).contains(" 4.50USD ");
        assertThat(pawl("cost").out()).contains(" 4.50USD ");
        assertThat(Files.readAllLines(folder.resolve("begun"))).hasSize(1);
    }

    @Test
    void a_row_that_asks_after_its_pawl_was_killed_costs_what_its_command_says_once_it_is_decided() throws Exception {
        killedIn(batch("1"));
        var asks = pawl(batch("1"));
        assertThat(asks.code()).as(asks.toString()).isEqualTo(3);
        assertThat(asks.out()).contains("cost=4.50USD ");
        var decided = pawl("decide", "b/1", "done", "--result", "null", "--note", "I saw it");
        assertThat(decided.code()).as(decided.toString()).isZero();
        assertThat(pawl(batch("1")).out()).as("of this run").contains("done=1", "cost=0.00USD ");
        assertThat(pawl("cost", "--by", "job", "b/1").out()).contains(" 4.50USD ");
    }

    @Test
    void a_step_that_outlived_its_pawl_costs_what_its_command_says() throws Exception {
        var run = new String[] {"run", folder.resolve("flow.yaml").toString(), "--input", "{\"id\":1}"};
        killedIn(run);
        var next = pawl(run);
        assertThat(next.code()).as(next.toString()).isZero();
        assertThat(next.out()).contains("cost=4.50USD ");
        assertThat(Files.readAllLines(folder.resolve("begun"))).hasSize(1);
    }

    private Path attempt() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(one -> one.endsWith("1-1")).findFirst().orElseThrow();
        }
    }

    @Test
    void whoever_starts_answers_a_question_that_the_folders_of_its_machine_know_the_answer_to() throws Exception {
        killedIn(batch("0"));
        var attempt = attempt();
        while (!Files.exists(attempt.resolve("exit"))) {
            Time.system().await(Duration.ofMillis(20));
        }
        var elsewhere = Files.move(attempt, attempt.resolveSibling("elsewhere"));
        var asks = pawl(batch("0"));
        assertThat(asks.code()).as(asks.toString()).isEqualTo(3);
        assertThat(asks.out()).contains("paused=1");
        Files.move(elsewhere, attempt);
        var next = pawl(batch("0"));
        assertThat(next.code()).as(next.toString()).isZero();
        assertThat(pawl("show", "b/1").out()).contains("b/1 is DONE");
        assertThat(Files.readAllLines(folder.resolve("begun"))).hasSize(1);
    }

    /** A flow's effect outlived its Pawl, asked a person where its folder was not, and is answered here by whoever starts. */
    private String[] askingAlthoughItsFolderIsHere() throws Exception {
        var flow = folder.resolve("effect.yaml").toString();
        Files.writeString(Path.of(flow), """
                workflow: e
                key: [input.id]
                steps:
                  - effect: send
                    run: [sh, %s, "0"]
                """.formatted(folder.resolve("act.sh")));
        var run = new String[] {"run", flow, "--input", "{\"id\":1}"};
        killedIn(run);
        var attempt = attempt();
        while (!Files.exists(attempt.resolve("exit"))) {
            Time.system().await(Duration.ofMillis(20));
        }
        var elsewhere = Files.move(attempt, attempt.resolveSibling("elsewhere"));
        var asks = pawl(run);
        assertThat(asks.code()).as(asks.toString()).isEqualTo(3);
        Files.move(elsewhere, attempt);
        return run;
    }

    @Test
    void so_does_a_run_of_a_flow_that_starts() throws Exception {
        var run = askingAlthoughItsFolderIsHere();
        var next = pawl(run);
        assertThat(next.code()).as(next.toString()).isZero();
        assertThat(Files.readAllLines(folder.resolve("begun"))).hasSize(1);
    }

    @Test
    void so_does_a_worker_that_starts() throws Exception {
        askingAlthoughItsFolderIsHere();
        var worker = begun("work", folder.resolve("effect.yaml").toString());
        try {
            while (!pawl("show", "e/1").out().contains("e/1 is DONE")) {
                assertThat(worker.isAlive())
                        .as(Files.readString(folder.resolve("said")))
                        .isTrue();
                Time.system().await(Duration.ofMillis(20));
            }
        } finally {
            worker.destroyForcibly().waitFor();
        }
        assertThat(Files.readAllLines(folder.resolve("begun"))).hasSize(1);
    }

    @Test
    void whoever_looks_after_a_kill_is_told_that_nobody_works_and_what_to_type() throws Exception {
        killedIn(batch("0"));
        var status = pawl("status");
        assertThat(status.out())
                .as(status.toString())
                .contains("nobody works there now: pawl batch run ")
                .doesNotContain("nothing needs you");
        assertThat(status.code()).isEqualTo(75);
        var next = pawl(batch("0"));
        assertThat(next.out()).as(next.toString()).contains("done=1");
        assertThat(pawl("status").code()).isZero();
    }
}
