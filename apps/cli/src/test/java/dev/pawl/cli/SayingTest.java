package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.command.Meaning;
import dev.pawl.decision.Verdict;
import dev.pawl.failure.FailureClass;
import dev.pawl.guard.Guard;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** How commands say what they have to say: to people with an example each, to machines as JSON, to shells what completes a word. */
class SayingTest {

    @TempDir
    private Path folder;

    private String token = "";

    @BeforeEach
    void flow() throws IOException {
        Files.writeString(folder.resolve("flow.yaml"), """
                workflow: w
                key: [input.id]
                principal: tenant/a
                steps:
                  - step: look
                    run: echo looked
                  - effect: send
                    run: sh send.sh
                """);
        Files.writeString(folder.resolve("send.sh"), "echo begun; test -e go || exit 79\n");
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n{\"id\":2}\n");
    }

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + folder.resolve("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    private String at(String file) {
        return folder.resolve(file).toString();
    }

    /** Every line is one JSON object that has these fields. */
    private static void json(Typing typed, String... fields) {
        assertThat(typed.out().lines())
                .as("%s", typed)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(Json.tree(line).propertyNames()).contains(fields));
    }

    @Test
    void what_is_submitted_waits_for_whoever_works_and_the_same_key_is_the_same_job() {
        assertThat(pawl("submit", at("flow.yaml"), "--input", "{\"id\":5}", "--queue", "mail")
                        .out())
                .contains("w/5 is submitted");
        assertThat(pawl("submit", at("flow.yaml"), "--input", "{\"id\":5}").out())
                .contains("w/5 was submitted before");
        assertThat(pawl("jobs", "--state", "ready").out()).contains("w/5");
        json(pawl("submit", at("flow.yaml"), "--input", "{\"id\":6}", "--json"), "job", "how");
        assertThat(pawl("submit", at("flow.yaml"), "--input", "{}").code()).isEqualTo(2);
    }

    @Test
    void every_command_that_tells_something_tells_machines_too() throws IOException {
        json(pawl("run", at("flow.yaml"), "--input", "{\"id\":1}", "--json"), "job", "state", "cost", "time");
        json(pawl("jobs", "--json"), "jobId");
        assertThat(pawl("workers").out()).contains("nobody works with");
        json(pawl("show", "w/1", "--json"), "jobId");
        json(pawl("status", "--json"), "failed", "asking");
        json(pawl("logs", "w/1", "--json"), "place", "attempt", "at", "text");
        json(pawl("cancel", "w/1", "--note", "n", "--json"), "job", "did", "by", "next");
        json(pawl("decide", "w/1", "fail", "--note", "n", "--json"), "job", "verdict", "by", "next");
        json(pawl("resubmit", "w/1", "--note", "n", "--json"), "job", "did");
        json(Typing.of("check", at("flow.yaml"), "--json"), "flow", "workflow", "steps");
        json(
                pawl(
                        "batch",
                        "run",
                        at("rows.jsonl"),
                        "--name",
                        "b",
                        "--key",
                        "id",
                        "--json",
                        "--",
                        "sh",
                        "-c",
                        "exit 69"),
                "batch");
        json(pawl("gates", "--json"), "gate", "waiting", "question");
        json(pawl("open", "account/b", "--note", "n", "--json"), "gate", "did");
        json(
                pawl("batch", "run", at("rows.jsonl"), "--name", "b", "--key", "id", "--json", "--", "true"),
                "batch",
                "done");
        json(pawl("batch", "status", "b", "--json"), "batch", "done", "needing", "gates");
        json(pawl("batch", "retry", "b", "--note", "n", "--json"), "batch", "retried", "paused");
        json(pawl("batch", "export", "b", "-o", at("out"), "--json"), "batch", "rows", "notDone");
        json(pawl("cost", "--by", "job", "w/1", "--json"), "job", "usd", "unknown");
        json(pawl("prune", "--older-than", "1d", "--json"), "pruned");
    }

    @Test
    void every_command_has_an_example_and_a_name_of_its_own() {
        commands(Main.commandLine("--help")).forEach(command -> {
            assertThat(String.join(" ", command.getCommandSpec().usageMessage().description()))
                    .as(command.getCommandName())
                    .contains("Example: ");
            var spec = command.getCommandSpec().userObject().getClass().getAnnotation(CommandLine.Command.class);
            assertThat(command.getCommandName()).isEqualTo(spec.name());
        });
    }

    private static Stream<CommandLine> commands(CommandLine line) {
        return line.getSubcommands().values().stream().flatMap(one -> Stream.concat(Stream.of(one), commands(one)));
    }

    @Test
    void the_help_has_the_words_that_are_understood() {
        assertThat(Typing.of("decide", "--help").out()).contains(Verdict.WORDS.all());
        assertThat(Typing.of("guard", "--help").out()).contains(Meaning.WORDS.all());
        assertThat(Typing.of("jobs", "--help").out()).contains(JobState.WORDS.all());
        assertThat(Typing.of("batch", "retry", "--help").out()).contains(FailureClass.WORDS.all());
    }

    @Test
    void a_shell_learns_every_word() {
        var script = Typing.of("completion").out();
        assertThat(script).contains("complete -F", "batch", "--halt-after", "resubmit", "--older-than");
    }

    private Typing flowForEachRow(String... more) {
        var words = new ArrayList<>(List.of("batch", "run", at("rows.jsonl"), "--name", "nightly", "--key", "id"));
        words.addAll(List.of("--flow", at("flow.yaml")));
        words.addAll(List.of(more));
        return pawl(words.toArray(String[]::new));
    }

    @Test
    void a_batch_can_run_a_flow_for_each_row() throws IOException {
        Files.createFile(folder.resolve("go"));
        var typed = flowForEachRow();
        assertThat(typed.code()).as("%s", typed).isZero();
        assertThat(typed.out()).contains("batch=nightly done=2");
        assertThat(pawl("show", "nightly/2").out()).contains("look", "send", "\"begun\"", "for tenant/a");
        assertThat(flowForEachRow().out()).contains("skipped=2");
        var contract = flowForEachRow("--contract", "idempotent");
        assertThat(contract.code()).isEqualTo(2);
        assertThat(contract.err()).contains("--contract is of a command; with --flow the flow itself says it");
        var both = flowForEachRow("--", "true");
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("say --flow FLOW or -- CMD, not both");
    }

    @Test
    void a_flow_that_was_changed_under_a_job_is_told() throws IOException {
        assertThat(pawl("run", at("flow.yaml"), "--input", "{\"id\":1}").code()).isEqualTo(3);
        Files.writeString(
                folder.resolve("flow.yaml"),
                Files.readString(folder.resolve("flow.yaml")).replace("echo looked", "echo looked twice"));
        assertThat(pawl("decide", "w/1", "done", "--result", "1", "--note", "n").code())
                .isZero();
        var typed = pawl("run", at("flow.yaml"), "--input", "{\"id\":1}");
        assertThat(typed.code()).as("%s", typed).isZero();
        assertThat(typed.err()).contains("w/1: the flow was changed since this job began: look says something else");
        assertThat(pawl("show", "w/1").out()).contains("the flow was changed since this job began");
    }

    @Test
    void an_export_of_a_batch_whose_run_did_not_come_to_its_end_is_not_whole() throws Exception {
        pawl("batch", "run", at("rows.jsonl"), "--name", "b", "--key", "id", "--", "true");
        assertThat(pawl("batch", "export", "b", "-o", at("out")).code()).isZero();
        var ours = (Guard.TryResult.Ours)
                Guard.take(folder.resolve("pawl.db-guards"), "batch b", "a run that dies", Time.system());
        ours.guard().note("");
        ours.guard().close();
        var half = pawl("batch", "export", "b", "-o", at("out"));
        assertThat(half.code()).isEqualTo(75);
        assertThat(half.out()).contains("no run has seen every row");
    }

    @Test
    void a_backup_that_was_put_in_place_asks_before_anything_goes_on() throws IOException {
        String[] run = {
            "batch", "run", at("rows.jsonl"), "--name", "b", "--key", "id", "--", "sh", "-c", "echo >> " + at("done")
        };
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        assertThat(pawl(run).code()).isZero();
        assertThat(pawl("backup", at("copy.db")).out()).contains("copy.db as it was just now");
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n{\"id\":2}\n");
        assertThat(pawl(run).out()).contains("done=1");
        for (var file : List.of("pawl.db", "pawl.db-wal", "pawl.db-shm")) {
            Files.deleteIfExists(folder.resolve(file));
        }
        Files.move(folder.resolve("copy.db"), folder.resolve("pawl.db"));
        var refused = pawl(run);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("is a backup", "--restored");
        var restored = pawl(Stream.concat(
                        Stream.of("batch", "run", "--restored"), Stream.of(run).skip(2))
                .toArray(String[]::new));
        assertThat(restored.code()).as("%s", restored).isEqualTo(3);
        assertThat(restored.err()).contains("put in place from a backup", "pawl open store/restored");
        assertThat(Files.readAllLines(folder.resolve("done")))
                .as("nothing is done again")
                .hasSize(2);
        assertThat(pawl("batch", "run", at("rows.jsonl"), "--name", "b", "--key", "id", "--", "true")
                        .code())
                .as("and still not")
                .isEqualTo(3);
        assertThat(pawl("batch", "export", "b", "-o", at("out")).code())
                .as("not every row is known")
                .isEqualTo(75);
        var unknown = pawl("batch", "run", at("rows.jsonl"), "--name", "new", "--key", "id", "--", "true");
        assertThat(unknown.code())
                .as("a batch that the backup has never heard of: %s", unknown)
                .isEqualTo(3);
        pawl("open", "store/restored", "--note", "row 2 is not there");
        assertThat(pawl("batch", "export", "b", "-o", at("out")).code()).isEqualTo(75);
        assertThat(pawl(run).out()).contains("done=1", "skipped=1");
        assertThat(pawl("batch", "export", "b", "-o", at("out")).code()).isZero();
    }

    @Test
    void logs_are_followed_while_a_command_writes_them() throws Exception {
        Files.writeString(
                folder.resolve("send.sh"), "echo first; while ! test -e go; do sleep 0.05; done; echo last\n");
        var running = start("ran", "run", at("flow.yaml"), "--input", "{\"id\":1}");
        while (!Files.exists(folder.resolve("pawl.db")) || !pawl("jobs").out().contains("RUNNING")) {
            assertThat(running.isAlive()).as(text("ran")).isTrue();
        }
        var following = start("followed", "logs", "w/1", "-f");
        while (!text("followed").contains("send, attempt 1, which still runs\nfirst\n")) {
            assertThat(following.isAlive()).as(text("followed")).isTrue();
        }
        Files.createFile(folder.resolve("go"));
        assertThat(running.waitFor()).isZero();
        assertThat(following.waitFor()).isZero();
        assertThat(Files.readString(folder.resolve("followed")))
                .contains("looked", "last")
                .containsOnlyOnce("first");
    }

    @Test
    void whoever_follows_a_job_whose_pawl_was_killed_sees_its_command_end_and_is_told_that_nobody_is_there()
            throws Exception {
        Files.writeString(
                folder.resolve("send.sh"),
                "echo first; touch begun; while ! test -e go; do sleep 0.05; done; echo last\n");
        var running = start("ran", "run", at("flow.yaml"), "--input", "{\"id\":1}");
        while (!Files.exists(folder.resolve("pawl.db"))
                || !Files.exists(folder.resolve("begun"))
                || !pawl("logs", "w/1").out().contains("looked")) {
            assertThat(running.isAlive())
                    .as(Files.readString(folder.resolve("ran")))
                    .isTrue();
        }
        running.destroyForcibly().waitFor();
        var following = start("followed", "logs", "w/1", "-f");
        while (!Files.readString(folder.resolve("followed")).contains("first\n")) {
            assertThat(following.isAlive())
                    .as(Files.readString(folder.resolve("followed")))
                    .isTrue();
        }
        Files.createFile(folder.resolve("go"));
        assertThat(following.waitFor()).isEqualTo(75);
        assertThat(Files.readString(folder.resolve("followed")))
                .contains("last", "nobody works at w/1 any more")
                .containsOnlyOnce("first");
    }

    @Test
    void whoever_follows_sees_no_secret() throws Exception {
        Files.writeString(folder.resolve("flow.yaml"), """
                workflow: w
                key: [input.id]
                secrets: [TOKEN_OF_THIS_TEST]
                steps:
                  - step: tell
                    run: echo "it is $TOKEN_OF_THIS_TEST"; while ! test -e go; do sleep 0.05; done
                """);
        token = "sesame-open";
        var running = start("ran", "run", at("flow.yaml"), "--input", "{\"id\":1}");
        while (!Files.exists(folder.resolve("pawl.db")) || !pawl("jobs").out().contains("RUNNING")) {
            assertThat(running.isAlive()).as(text("ran")).isTrue();
        }
        var knows = start("knows", "logs", "w/1", "-f");
        token = "";
        var doesNot = start("does-not", "logs", "w/1", "-f");
        while (!text("knows").contains("it is ***\n") || !text("does-not").contains("it is ***\n")) {
            assertThat(knows.isAlive() && doesNot.isAlive()).isTrue();
        }
        Files.createFile(folder.resolve("go"));
        assertThat(running.waitFor() + knows.waitFor() + doesNot.waitFor()).isZero();
        for (var follower : List.of("knows", "does-not")) {
            assertThat(Files.readString(folder.resolve(follower)))
                    .containsOnlyOnce("it is ***")
                    .doesNotContain("sesame");
        }
    }

    private Typing batch(String rows, String... more) {
        var words = new ArrayList<>(List.of("batch", "run", at(rows), "--name=b", "--key=id"));
        words.addAll(List.of(more));
        words.addAll(List.of("--", "true"));
        return pawl(words.toArray(String[]::new));
    }

    @Test
    void a_row_that_is_called_off_while_its_run_waits_for_it_has_not_failed() throws Exception {
        Files.writeString(folder.resolve("one.jsonl"), "{\"id\":1}\n");
        var running = start(
                "ran",
                "batch",
                "run",
                at("one.jsonl"),
                "--name=off",
                "--key=id",
                "--linger=5m",
                "--store=" + at("pawl.db"),
                "--",
                "sh",
                "-c",
                "echo '{\"class\":\"transient\",\"retryAfter\":\"2m\"}' > $PAWL_FAILURE; touch " + at("tried")
                        + "; exit 75");
        try {
            while (!Files.exists(folder.resolve("tried"))
                    || pawl("jobs", "--state=ready", "-q").out().isEmpty()) {
                assertThat(running.isAlive())
                        .as(Files.readString(folder.resolve("ran")))
                        .isTrue();
            }
            assertThat(pawl("cancel", "off/1", "--note=x").code()).isZero();
            assertThat(running.waitFor())
                    .as(Files.readString(folder.resolve("ran")))
                    .isZero();
        } finally {
            running.destroyForcibly();
        }
        assertThat(Files.readString(folder.resolve("ran"))).contains("failed=0", "called-off=1");
    }

    @Test
    void standing_down_for_other_rows_is_unfinished_and_says_so() throws Exception {
        var waits = "touch begun; while ! test -e go; do sleep 0.05; done";
        Files.writeString(folder.resolve("wait.sh"), "cd " + folder + "; " + waits);
        var running = start(
                "ran",
                "batch",
                "run",
                at("rows.jsonl"),
                "--name=b",
                "--key=id",
                "--store=" + at("pawl.db"),
                "--",
                "sh",
                at("wait.sh"));
        while (!Files.exists(folder.resolve("begun"))) {
            assertThat(running.isAlive())
                    .as(Files.readString(folder.resolve("ran")))
                    .isTrue();
        }
        var same = batch("rows.jsonl");
        assertThat(same.code()).as("%s", same).isZero();
        assertThat(same.err()).contains("batch b is running, by process " + running.pid(), "stands down");
        assertThat(batch("rows.jsonl", "-q").err()).isEmpty();
        json(batch("rows.jsonl", "--json"), "batch", "state", "why");
        Files.writeString(folder.resolve("other.jsonl"), "{\"id\":3}\n");
        var others = batch("other.jsonl", "-q");
        assertThat(others.code()).as("%s", others).isEqualTo(75);
        assertThat(others.err()).contains("rows.jsonl of ", "and not over ", "other.jsonl of ", "is to be run again");
        assertThat(others.err()).as("by the clock on the wall").doesNotContainPattern("\\dT\\d");
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":3}\n", StandardOpenOption.APPEND);
        assertThat(batch("rows.jsonl").code())
                .as("the same file with other rows in it")
                .isEqualTo(75);
        Files.createFile(folder.resolve("go"));
        assertThat(running.waitFor()).isZero();
        assertThat(batch("rows.jsonl").out()).contains("done=1", "skipped=2");
    }

    /** What a process has written so far, which may end within a character. */
    private String text(String file) throws IOException {
        return new String(Files.readAllBytes(folder.resolve(file)), StandardCharsets.UTF_8);
    }

    private Process start(String name, String... words) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words));
        command.add("--store=" + folder.resolve("pawl.db"));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name).toFile());
        if (!token.isEmpty()) {
            builder.environment().put("TOKEN_OF_THIS_TEST", token);
        }
        return builder.start();
    }
}
