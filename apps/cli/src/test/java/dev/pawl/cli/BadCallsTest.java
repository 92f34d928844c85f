package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every bad input in one table: the exit code, the thing that is wrong, and what to do; never a stack trace, and nothing was started. */
class BadCallsTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void files() throws IOException {
        write("good.jsonl", "{\"id\":1}", "{\"id\":2}");
        write("bad.jsonl", "{\"id\":1}", "{\"id\":", "[1]");
        write("clash.jsonl", "{\"id\":1,\"a\":1}", "{\"id\":1,\"a\":2}", "{\"id\":2}", "{\"id\":1,\"a\":3}");
        write("missing.jsonl", "{\"id\":1}", "{\"name\":\"x\"}");
        write("bad.csv", "id,name", "1,a,b", "2,\"x");
        write(
                "volatile.jsonl",
                IntStream.range(0, 25)
                        .mapToObj(i -> "{\"id\":\"" + new java.util.UUID(i * 7919L, i * 104729L) + "\"}")
                        .toArray(String[]::new));
        write("flow.yaml", "workflow: w", "key: [input.id]", "steps:", "  - stpe: a", "    run: b");
        write(
                "good.yaml",
                "workflow: w",
                "key: [input.id]",
                "secrets: [NO_SUCH_SECRET_HERE]",
                "steps:",
                "  - step: a",
                "    run: 'true'");
        write("plain.yaml", "workflow: w", "key: [input.id]", "steps:", "  - step: a", "    run: [./missing.sh]");
        write("fine.yaml", "workflow: w", "key: [input.id]", "steps:", "  - step: a", "    run: 'true'");
        write("not-executable.sh", "#!/bin/sh");
    }

    private void write(String name, String... lines) throws IOException {
        Files.write(folder.resolve(name), List.of(lines));
    }

    private Typing typed(String... words) {
        var all = new ArrayList<String>();
        var store = List.of("batch", "guard", "run").contains(words[0]);
        var dashes = false;
        for (var word : words) {
            if (word.equals("--") && store) {
                all.add("--store=" + folder.resolve("pawl.db"));
                dashes = true;
            }
            all.add(word.startsWith("@/") ? folder.resolve(word.substring(2)).toString() : word);
        }
        if (store && !dashes) {
            all.add("--store=" + folder.resolve("pawl.db"));
        }
        return Typing.of(all.toArray(String[]::new));
    }

    private void bad(int code, List<String> said, String... words) {
        var typed = typed(words);
        var text = typed.err();
        assertThat(typed.code()).as("%s: %s", String.join(" ", words), text).isEqualTo(code);
        assertThat(text).as(String.join(" ", words)).contains(said);
        assertThat(text).as("no stack trace").doesNotContain("\tat ").doesNotContain("Exception");
        assertThat(typed.out()).as("nothing was done").doesNotContain("done=");
    }

    private static String[] batch(String rows, String... more) {
        var words = new ArrayList<>(List.of("batch", "run", rows, "--name", "nightly", "--key", "id"));
        words.addAll(List.of(more));
        words.addAll(List.of("--", "true"));
        return words.toArray(String[]::new);
    }

    @Test
    void rows_that_cannot_be_right() {
        bad(
                2,
                List.of("2 lines cannot be read", "line 2: not JSON", "line 3: not a JSON object", "--skip-bad-lines"),
                batch("@/bad.jsonl"));
        bad(2, List.of("different rows have the same key", "lines 1, 2, 4", "--key"), batch("@/clash.jsonl"));
        bad(2, List.of("1 row has no key", "line 2: there is no field \"id\"", "--key"), batch("@/missing.jsonl"));
        bad(2, List.of("line 2: it has 3 fields", "line 3: a quote that is never closed"), batch("@/bad.csv"));
        bad(2, List.of("field \"id\" is a UUID in 25 of 25 rows", "--allow-volatile-key"), batch("@/volatile.jsonl"));
        bad(2, List.of("there are no rows to read at", "nowhere.jsonl"), batch("@/nowhere.jsonl"));
        bad(2, List.of("there are no rows to read at"), batch("@/."));
    }

    @Test
    void options_that_mean_nothing() {
        bad(2, List.of("--name=NAME"), "batch", "run", "@/good.jsonl", "--key", "id", "--", "true");
        bad(2, List.of("--key"), "batch", "run", "@/good.jsonl", "--name", "n", "--", "true");
        bad(
                2,
                List.of("\"a name\" is not a name for a batch"),
                "batch",
                "run",
                "@/good.jsonl",
                "--name",
                "a name",
                "--key",
                "id",
                "--",
                "true");
        bad(
                2,
                List.of("has a time stamp in it", "--allow-volatile-key"),
                "batch",
                "run",
                "@/good.jsonl",
                "--name",
                "n-20260412T0200",
                "--key",
                "id",
                "--",
                "true");
        bad(2, List.of("--key FIELD"), "batch", "run", "@/good.jsonl", "--name", "n", "--key", "id,,x", "--", "true");
        bad(2, List.of("\"sometimes\" is no contract", "repeatable"), batch("@/good.jsonl", "--contract", "sometimes"));
        bad(2, List.of("is not idempotent"), batch("@/good.jsonl", "--contract", "idempotent:0s"));
        bad(
                2,
                List.of("\"perhaps\" is no meaning of an exit code", "transient"),
                batch("@/good.jsonl", "--exit", "1=perhaps"));
        bad(2, List.of("PAWL_JOB is what Pawl tells CMD"), batch("@/good.jsonl", "--env", "PAWL_JOB=mine"));
        bad(2, List.of("--env is written NAME=VALUE"), batch("@/good.jsonl", "--env", "=x"));
        bad(2, List.of("--env is written NAME=VALUE"), batch("@/good.jsonl", "--env", "TOKEN"));
        bad(2, List.of("there is no program true"), batch("@/good.jsonl", "--env", "PATH=/nowhere"));
        bad(2, List.of("\"soon\" is no duration", "30s"), batch("@/good.jsonl", "--timeout", "soon"));
        bad(2, List.of("\"soon\" is no duration"), batch("@/good.jsonl", "--linger", "soon"));
        bad(2, List.of("1 to 10,000 jobs at once"), batch("@/good.jsonl", "-j", "0"));
        bad(2, List.of("attempts are 1 to 1,000"), batch("@/good.jsonl", "--attempts", "0"));
        bad(2, List.of("--halt-after"), batch("@/good.jsonl", "--halt-after", "-1"));
        bad(2, List.of("is no http address"), batch("@/good.jsonl", "--ping", "file:///tmp/x"));
        bad(2, List.of("Unknown option", "--atempts"), batch("@/good.jsonl", "--atempts", "3"));
    }

    @Test
    void commands_that_are_not_there() {
        bad(
                2,
                List.of("there is no program no-such-program in PATH"),
                "batch",
                "run",
                "@/good.jsonl",
                "--name",
                "n",
                "--key",
                "id",
                "--",
                "no-such-program");
        bad(
                2,
                List.of("not executable; chmod +x"),
                "batch",
                "run",
                "@/good.jsonl",
                "--name",
                "n",
                "--key",
                "id",
                "--",
                "@/not-executable.sh");
        bad(
                2,
                List.of("say what to run for each row, after --, or with --flow FLOW"),
                "batch",
                "run",
                "@/good.jsonl",
                "--name",
                "n",
                "--key",
                "id");
        bad(
                125,
                List.of("there is no program no-such-program in PATH"),
                "guard",
                "--name",
                "n",
                "--",
                "no-such-program");
    }

    @Test
    void guards_that_guard_nothing() {
        bad(125, List.of("--name=NAME"), "guard", "--", "true");
        bad(
                125,
                List.of("\"month\" is none of hour, day and week"),
                "guard",
                "--name",
                "n",
                "--once-per",
                "month",
                "--",
                "true");
        bad(125, List.of("not both"), "guard", "--name", "n", "--once-per", "day", "--key", "k", "--", "true");
        bad(125, List.of("guarded by itself alone"), "guard", "--name", "n-1775995200", "--", "true");
        bad(
                125,
                List.of("Nowhere/Land"),
                "guard",
                "--name",
                "n",
                "--once-per",
                "day",
                "--zone",
                "Nowhere/Land",
                "--",
                "true");
    }

    @Test
    void flows_that_are_none() {
        bad(2, List.of("flow.yaml:4:5: a step says what it is", "did you mean \"step\"?"), "check", "@/flow.yaml");
        bad(2, List.of("flow.yaml:4:5"), "run", "@/flow.yaml");
        bad(2, List.of("there is no program ./missing.sh"), "check", "@/plain.yaml");
        bad(2, List.of("there is no flow to read at"), "run", "@/nowhere.yaml");
        bad(2, List.of("needs the secret NO_SUCH_SECRET_HERE"), "run", "@/good.yaml", "--input", "{\"id\":1}");
        bad(2, List.of("is made of input.id", "--input"), "run", "@/good.yaml");
        bad(2, List.of("--input is not one JSON value"), "run", "@/good.yaml", "--input", "{");
        bad(2, List.of("\"tomorrow\" is no slot"), "run", "@/good.yaml", "--slot", "tomorrow");
        bad(
                2,
                List.of("with --slot the input is a JSON object"),
                "run",
                "@/good.yaml",
                "--input",
                "1",
                "--slot",
                "2026-04-12");
    }

    @Test
    void stores_and_jobs_that_are_not_there() {
        bad(2, List.of("there is no store", "--store FILE"), "batch", "status", "nightly");
        bad(2, List.of("--restored is for a file"), "status", "--restored", "--store=jdbc:postgresql://127.0.0.1:1/x");
        bad(2, List.of("of a database, use its own tools"), "backup", "x", "--store=jdbc:postgresql://127.0.0.1:1/x");
        bad(75, List.of("does not answer"), "status", "--store=jdbc:postgresql://127.0.0.1:1/x");
        for (var address : List.of(
                "postgres://anna:hush@127.0.0.1:1/x",
                "postgresql://127.0.0.1:1/x?password=hush",
                "JDBC:postgresql://127.0.0.1:1/x?password=hush",
                "jdbc:mysql://127.0.0.1:1/x?password=hush",
                "jdbc:postgresql//x?password=hush")) {
            var typed = Typing.of(
                    "run", folder.resolve("fine.yaml").toString(), "--input={\"id\":1}", "--store=" + address);
            assertThat(typed.code()).as(address).isEqualTo(2);
            assertThat(typed.err()).contains("jdbc:postgresql://HOST").doesNotContain("hush", "a new store");
        }
        bad(2, List.of("no parameter pawlShema"), "jobs", "--store=jdbc:postgresql://127.0.0.1:1/x?pawlShema=y");
        var named = Typing.of("jobs", "--store=jdbc:postgresql://anna:hush@127.0.0.1:1/x");
        assertThat(named.code()).isEqualTo(2);
        assertThat(named.err()).contains("?user=NAME").doesNotContain("hush", "anna");
        bad(2, List.of("there is no store"), "status", "--store=" + folder.resolve("none.db"));
        bad(2, List.of("there is no store"), "logs", "a/b", "--store=" + folder.resolve("none.db"));
        assertThat(folder.resolve("none.db")).as("looking makes no store").doesNotExist();
    }

    @Test
    void backups_that_are_no_stores_and_places_that_are_taken() throws IOException {
        var store = "--store=" + folder.resolve("some.db");
        bad(2, List.of("there is no store"), "backup", "@/copy.db", store);
        Typing.of(
                "batch",
                "run",
                folder.resolve("good.jsonl").toString(),
                "--name",
                "n",
                "--key",
                "id",
                store,
                "--",
                "true");
        bad(2, List.of("good.jsonl is there already; name another file"), "backup", "@/good.jsonl", store);
        bad(2, List.of("is not there; make it first"), "backup", "@/nowhere/copy.db", store);
        assertThat(typed("backup", "@/copy.db", store).code()).isZero();
        bad(2, List.of("is a backup", "--restored"), "status", "--store=" + folder.resolve("copy.db"));
        bad(2, List.of("is a backup", "--restored"), "backup", "@/other.db", "--store=" + folder.resolve("copy.db"));
    }

    @Test
    void a_store_in_a_folder_that_cannot_be_made_is_refused_in_a_sentence() throws Exception {
        var flow = Files.writeString(
                folder.resolve("f.yaml"), "workflow: f\nkey: [input.x]\nsteps:\n  - step: one\n    run: 'true'\n");
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var store = "--store=/proc/pawl/y.db";
        for (var typed : List.of(
                Typing.of("work", flow + "", store),
                Typing.of("submit", flow + "", "--input={\"x\":1}", store),
                Typing.of("run", flow + "", "--input={\"x\":1}", store),
                Typing.of("batch", "run", rows + "", "--name=n", "--key=id", store, "--", "true"))) {
            assertThat(typed.code()).as(typed.toString()).isEqualTo(2);
            assertThat(typed.err())
                    .contains("there can be no store /proc/pawl/y.db", "cannot be made")
                    .doesNotContain("java.", "Exception");
        }
    }
}
