package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A question, and {@code show}, print what is needed to look at the destination. */
class ShownEvidenceTest {
    @TempDir
    private Path folder;

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add("--store=" + folder.resolve("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    private Typing batch(String script, String... more) throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"slug\":\"a\",\"to\":\"anna\"}\n");
        var words = new ArrayList<>(
                List.of("batch", "run", folder.resolve("rows.jsonl").toString()));
        words.addAll(List.of("--name", "nightly", "--key", "slug", "--store", folder.resolve("pawl.db") + ""));
        words.addAll(List.of(more));
        words.addAll(List.of("--", "sh", "-c", script));
        return Typing.of(words.toArray(String[]::new));
    }

    private JsonNode shown(String job) {
        return Json.tree(pawl("show", job, "--json").out());
    }

    @Test
    void a_row_in_doubt_shows_its_key_command_row_log_and_where_it_ran() throws IOException {
        var file = folder.resolve("key");
        var script = "echo $PAWL_KEY > " + file + "; echo no route '\u202e' >&2; exit 1";
        assertThat(batch(script).code()).isEqualTo(3);
        var key = Files.readString(file).strip();
        var here = Path.of("").toAbsolutePath().toString();
        var shown = pawl("show", "nightly/a").out();
        assertThat(shown)
                .contains("  key      " + key)
                .containsPattern("  attempt  1, by pawl-\\d+@.*, in " + here + "\n")
                .contains("  command  sh -c ", "; exit 1")
                .contains("  input    {\"slug\":\"a\",\"to\":\"anna\"}\n")
                .contains("  wrote    no route \\u202e\n")
                .doesNotContain("\u202e")
                .contains("pawl decide nightly/a done");
        var json = shown("nightly/a");
        assertThat(json.get("idempotencyKey").stringValue()).isEqualTo(key);
        assertThat(json.get("attempt").intValue()).isEqualTo(1);
        assertThat(json.get("maxAttempts").intValue()).isEqualTo(8);
        assertThat(json.get("state").stringValue()).isEqualTo("paused");
        assertThat(json.get("failureClass").stringValue()).isEqualTo("ambiguous");
        assertThat(json.at("/question/kind").stringValue()).isEqualTo("IN_DOUBT");
        assertThat(json.at("/question/answers/skip").stringValue()).contains("goes on with null");
        var evidence = json.get("evidence");
        assertThat(evidence.get("key").stringValue()).isEqualTo(key);
        assertThat(evidence.get("directory").stringValue()).isEqualTo(here);
        assertThat(evidence.get("command").stringValue()).startsWith("sh -c ");
        assertThat(evidence.at("/input/to").stringValue()).isEqualTo("anna");
        assertThat(evidence.get("log").stringValue()).startsWith("no route");
        assertThat(evidence.at("/request/input").stringValue()).contains("anna");
    }

    @Test
    void drift_shows_both_commands_and_what_differs() throws IOException {
        var later = "echo '{\"class\":\"transient\",\"status\":503,\"retryAfter\":\"2h\"}' > $PAWL_FAILURE; exit 79";
        var first = batch(later, "--contract", "idempotent", "--linger", "0s");
        assertThat(first.code()).as(first.toString()).isEqualTo(75);
        assertThat(pawl("retry", "nightly/a", "--now", "--note", "x").code()).isZero();
        var second = batch("echo other; exit 79", "--contract", "idempotent");
        assertThat(second.code()).as(second.toString()).isEqualTo(3);
        assertThat(pawl("show", "nightly/a").out())
                .contains("  sent     sh -c ", "; exit 79'\n", "  now      sh -c 'echo other; exit 79'\n")
                .contains("  differs  - command[2]: echo ", "           + command[2]: echo other; exit 79\n");
    }

    @Test
    void what_is_approved_is_shown_before_it_is() throws IOException {
        var flow = Files.writeString(folder.resolve("f.yaml"), """
                workflow: f
                key: [input.x]
                steps:
                  - approve: may_pay
                    ask: pay it?
                  - effect: pay
                    run: [echo, "${input.x}", "two words"]
                    env: {AMOUNT: "7"}
                """);
        var asked = pawl("run", flow.toString(), "--input", "{\"x\":1}");
        assertThat(asked.code()).as(asked.toString()).isEqualTo(3);
        assertThat(asked.err()).contains("  command  echo 1 'two words'\n", "  with     AMOUNT=7\n", "pay it?");
        assertThat(shown("f/1").at("/evidence/wanted/command/2").stringValue()).isEqualTo("two words");
    }

    @Test
    void what_a_command_reads_of_earlier_results_is_shown_before_it_is_approved() throws IOException {
        var flow = Files.writeString(folder.resolve("f.yaml"), """
                workflow: f
                key: [input.x]
                steps:
                  - step: look
                    run: echo '{"amount":41}'
                  - approve: may_pay
                    ask: pay it?
                  - effect: pay
                    run: cat
                """);
        var asked = pawl("run", flow.toString(), "--input", "{\"x\":1}");
        assertThat(asked.code()).as(asked.toString()).isEqualTo(3);
        assertThat(asked.err()).containsPattern("  reads    .*\"look\":\\{\"amount\":41}");
        assertThat(shown("f/1").at("/evidence/wanted/input").stringValue()).contains("41");
    }

    @Test
    void what_is_shown_is_bounded_and_without_passwords() throws IOException {
        var script = "for i in $(seq 100); do echo line $i; done; head -c 3000 /dev/zero | tr '\\0' x; echo;"
                + " echo jdbc:postgresql://u:hunter22@h/db; exit 1";
        assertThat(batch(script).code()).isEqualTo(3);
        var shown = pawl("show", "nightly/a").out();
        assertThat(shown).doesNotContain("hunter22").contains("line 100\n").doesNotContain("line 50\n");
        assertThat(shown.lines().mapToInt(String::length).max().orElseThrow()).isLessThan(1_100);
        assertThat(pawl("show", "nightly/a", "--json").out()).doesNotContain("hunter22");
    }

    @Test
    void a_step_that_failed_shows_its_command_and_where_it_ran_too() throws IOException {
        assertThat(batch("echo broken; exit 65", "--contract", "repeatable").code())
                .isEqualTo(1);
        assertThat(pawl("show", "nightly/a").out())
                .containsPattern("  attempt  1, by pawl-\\d+@.*, in /.*\n")
                .contains("  command  sh -c 'echo broken; exit 65'\n", "  wrote    broken\n", "pawl retry nightly/a");
        assertThat(shown("nightly/a").at("/evidence/command").stringValue()).isEqualTo("sh -c 'echo broken; exit 65'");
    }

    @Test
    void of_what_is_done_the_last_words_are_shown_and_no_command_that_is_nobodys_question() throws IOException {
        assertThat(batch("echo fine", "--contract", "repeatable").code()).isZero();
        assertThat(pawl("show", "nightly/a").out())
                .contains("  attempt  1\n", "  wrote    fine\n")
                .doesNotContain("  command");
    }
}
