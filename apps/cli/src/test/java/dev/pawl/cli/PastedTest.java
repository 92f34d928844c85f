package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that are printed are pasted into a real shell, and do what they say to whatever they are about. */
@Timeout(120)
class PastedTest {
    private static final List<String> KEYS = List.of(
            "$(touch PWNED)",
            "it's `touch PWNED`",
            "a';touch PWNED;'",
            "\"\\\"$(touch PWNED)",
            "-y --all",
            "\u202ecaf\u00e9");

    @TempDir
    private Path folder;

    /** The words that a shell makes of a command that was printed. */
    private String[] pasted(String command) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("script"), "pawl() { printf '%s\\0' \"$@\"; }\n" + command + "\n");
        var shell = new ProcessBuilder("sh", "script")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(command + said).isZero();
        assertThat(folder.resolve("PWNED")).doesNotExist();
        return said.split("\0");
    }

    private static List<String> found(String pattern, String text) {
        var matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(text);
        var all = new ArrayList<String>();
        while (matcher.find()) {
            all.add(matcher.group(1));
        }
        return all;
    }

    @Test
    void a_store_whose_name_has_a_line_end_is_refused_and_not_waited_for() {
        var refused = Typing.of("guard", "--name=g", "--store=" + folder + "/a\nb.db", "--", "true");
        assertThat(refused.code()).isEqualTo(125);
        assertThat(refused.err()).contains("a store's name has no line end in it", "a\\012b.db");
    }

    /** How a run names its store where it can. */
    private static String named(Typing ran) {
        return found("asking; pawl jobs .* --workflow n (--store .*?) lists them", ran.err())
                .getFirst();
    }

    @Test
    void what_an_event_says_to_type_is_about_the_store_that_it_happened_in() throws IOException, InterruptedException {
        var store = "--store=" + Files.createDirectory(folder.resolve("a b")).resolve("pawl.db");
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var ran = Typing.of("batch", "run", rows.toString(), "--name=n", "--key=id", store, "--", "false");
        var shown = found("next=\"(pawl show .*)\"$", ran.err());
        assertThat(shown).as(ran.toString()).hasSize(1);
        assertThat(Typing.of(pasted(shown.getFirst())).out()).contains("n/1 is PAUSED");
    }

    @Test
    void pasting_what_a_question_prints_answers_it_and_runs_nothing_else() throws IOException, InterruptedException {
        var odd = Files.createDirectory(folder.resolve("it's $(touch PWNED) \u202e-x"));
        var store = "--store=" + odd.resolve("pawl.db");
        var rows = Files.write(
                folder.resolve("rows.jsonl"),
                KEYS.stream().map(key -> Json.write(Map.of("id", key))).toList());
        var ran = Typing.of(
                "batch", "run", rows.toString(), "--name=n", "--key=id", "--halt-after=0", store, "--", "false");
        assertThat(ran.code()).as(ran.toString()).isEqualTo(3);
        var shown = found("next=\"(pawl show .*)\"$", ran.err());
        assertThat(shown).hasSize(KEYS.size());
        assertThat(shown).as("a field cannot hold such a name").allMatch(command -> command.endsWith(" --store STORE"));
        for (var command : shown) {
            var asks = Typing.of(pasted(command.replace("--store STORE", named(ran))));
            var skip = found("^  (pawl decide .* skip --note WHY.*?)    ", asks.out());
            assertThat(skip).as(asks.toString()).hasSize(1);
            assertThat(Typing.of(pasted(skip.getFirst())).code()).isZero();
        }
        var lists = found("asking; (pawl jobs .*?) lists them", ran.err());
        assertThat(Typing.of(pasted(lists.getFirst())).out())
                .as("the store that it names is the store, and nobody asks any more")
                .isEmpty();
    }

    @Test
    void what_is_said_of_a_program_that_cannot_be_run_can_be_pasted() throws IOException, InterruptedException {
        var name = "$(touch PWNED) it's.sh";
        var program = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
        var flow = Files.writeString(
                folder.resolve("flow.yaml"),
                "workflow: w\nkey: [input.id]\nsteps:\n  - step: s\n    run: [" + Json.write("./" + name) + "]\n");
        var checked = Typing.of("check", flow.toString());
        var chmod = found("(chmod [+]x .*)$", checked.err() + checked.out());
        assertThat(chmod).as(checked.toString()).hasSize(1);
        pasted(chmod.getFirst());
        assertThat(Files.isExecutable(program)).isTrue();
        assertThat(Typing.of("check", flow.toString()).code()).isZero();
    }
}
