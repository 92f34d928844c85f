package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.text.Visible;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that others wrote acts on a terminal or hides in a log, and no password is shown. */
@Timeout(120)
class UnseenTest {
    /** Turns the direction of writing, takes no room, moves a cursor, forges a line. */
    private static final String HOSTILE = "a\u202Eb\u200b\u2066\ufeff\u00ad\u2028z";

    private static final String WORSE = HOSTILE + "\u0085\u001b[2K\u0007\r\n pawl: all is well";

    @TempDir
    private Path folder;

    /** Types a command, and sees that nothing unseen comes of it. */
    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + folder.resolve("pawl.db"));
        return seen(Typing.of(all.toArray(String[]::new)));
    }

    private static Typing seen(Typing typed) {
        assertThat((typed.out() + typed.err()).codePoints().filter(c -> c != '\n' && c != '\t'))
                .as("%s", Visible.lines(typed.toString()))
                .noneMatch(Visible::isHidden);
        return typed;
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void what_a_row_a_result_a_note_and_a_name_hold_is_seen() throws IOException {
        var rows = file(
                "rows.jsonl",
                Json.write(Map.of("id", HOSTILE)) + "\n" + Json.write(Map.of("id", "x" + HOSTILE)) + "\n");
        file("said", WORSE);
        var script = "cat " + folder.resolve("said") + "; grep -q x && exit 1 || exit 0";
        var ran = pawl("batch", "run", rows, "--name=n", "--key=id", "--", "sh", "-c", script);
        assertThat(ran.code()).as(ran.toString()).isEqualTo(3);
        var jobs = pawl("jobs", "-q").out().lines().toList();
        assertThat(jobs).hasSize(2).allMatch(job -> job.contains("%E2%80%AE"));
        for (var job : jobs) {
            pawl("show", job);
            pawl("show", job, "--json");
            assertThat(pawl("logs", job).out()).contains("\\u001b[2K");
            pawl("logs", job, "--json");
        }
        pawl("jobs");
        pawl("jobs", "--json");
        pawl("status");
        pawl("status", "--json");
        pawl("batch", "status", "n");
        var asking = pawl("jobs", "-q", "--state=paused").out().strip();
        pawl("decide", asking, "done", "--result", Json.write(WORSE), "--note", WORSE, "--by", WORSE);
        assertThat(pawl("show", asking).out()).contains("\\u202e");
        pawl("retry", asking, "--note", WORSE, "--by", WORSE);
        pawl("show", WORSE);
        pawl("show", "w/" + WORSE);
        pawl("open", WORSE, "--note", WORSE);
        pawl("batch", "status", WORSE);
        pawl("jobs", "--workflow", WORSE);
        pawl("--" + WORSE);
        pawl("cost", "--by", WORSE);
    }

    @Test
    void what_a_flow_says_wrongly_and_rightly_is_seen() throws IOException {
        var quoted = Json.write(HOSTILE);
        var wrong = file(
                "wrong.yaml",
                "workflow: w\nkey: [input.id]\nsteps:\n  - step: a\n    run: 'true'\n    " + quoted + ": 1\n");
        assertThat(pawl("run", wrong, "--input", "{\"id\":1}").err()).contains("\\u202e");
        assertThat(seen(Typing.of("check", wrong)).code()).isEqualTo(2);
        var asks = file(
                "asks.yaml",
                "workflow: w\nkey: [input.id]\nsteps:\n  - approve: yes-please\n    ask: " + Json.write(WORSE)
                        + "\n    expires: 1h\n  - effect: go\n    run: echo ok\n");
        var asked = pawl("run", asks, "--input", Json.write(Map.of("id", HOSTILE)));
        assertThat(asked.code()).as(asked.toString()).isEqualTo(3);
        assertThat(asked.err())
                .as("no line of it looks like one of ours")
                .contains("\n  |  pawl: all is well")
                .doesNotContain("\n pawl: all is well");
        pawl("show", pawl("jobs", "-q").out().strip());
        seen(Typing.of("check", folder.resolve(HOSTILE).toString()));
        seen(Typing.of("jobs", "--store=" + folder.resolve(HOSTILE)));
    }

    @Test
    void no_spelling_of_an_address_shows_its_password() {
        for (var address : List.of(
                "jdbc:postgresql://u:sesame@127.0.0.1:1/db",
                "jdbc:postgresql:u:sesame@127.0.0.1:1/db",
                "jdbc:postgresql://u:ses/ame?sesame@127.0.0.1:1/db",
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=sesame",
                "jdbc:postgresql://127.0.0.1:1/db?PASSWORD=sesame&user=u",
                "jdbc:postgresql://127.0.0.1:1/db?user=u&%70assword=sesame",
                "jdbc:postgresql://127.0.0.1:1/db?user=u&sslpassword=sesame",
                "jdbc:postgresql://127.0.0.1:1/db;password=sesame",
                "postgres://u:sesame@127.0.0.1:1/db",
                "postgresql://127.0.0.1:1/db?password=sesame")) {
            for (var command : List.of(
                    List.of("jobs", "--store=" + address),
                    List.of("doctor", "--store=" + address),
                    List.of("status", "--stroe=" + address),
                    List.of("move", "--from", folder + "/none.db", "--to", address))) {
                var typed = seen(Typing.of(command.toArray(String[]::new)));
                assertThat(typed.code()).isNotZero();
                assertThat(typed.out() + typed.err()).as("%s", command).doesNotContain("sesame");
            }
        }
    }

    @Test
    void no_password_of_an_address_is_in_a_question_an_event_a_gate_or_what_machines_read() throws IOException {
        var store = "--store=" + folder.resolve("pawl.db");
        var doubt = "echo no route to https://u:sesame@host/x >&2; exit 1";
        var flow = Files.writeString(
                folder.resolve("f.yaml"),
                "workflow: f\nkey: [input.x]\nsteps:\n  - effect: one\n    run: \"" + doubt + "\"\n");
        var said = new ArrayList<Typing>();
        said.add(Typing.of("run", flow + "", "--input={\"x\":1}", store));
        // What a guard's command writes itself is handed on as it is.
        assertThat(Typing.of("guard", "--name=g", "--key=k", store, "--", "sh", "-c", doubt)
                        .code())
                .isEqualTo(1);
        said.add(Typing.of("guard", "--name=g", "--key=k", store, "--", "sh", "-c", doubt));
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var account =
                "echo '{\"class\":\"account\",\"why\":\"no credit at https://u:sesame@host/x\"}' > $PAWL_FAILURE; exit 77";
        said.add(Typing.of("batch", "run", rows + "", "--name=n", "--key=id", store, "--", "sh", "-c", account));
        said.add(Typing.of("gates", store));
        said.add(Typing.of("status", store));
        said.add(Typing.of("status", "--json", store));
        assertThat(said.toString())
                .contains("asks about", "event=asks", "no credit", "…@host")
                .doesNotContain("sesame");
    }
}
