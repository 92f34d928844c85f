package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command that Pawl runs may do with Pawl. */
class InsideCommandTest {

    @TempDir
    private Path folder;

    private List<String> typed(Map<String, String> environment, String[]... commands) throws Exception {
        return TypedThere.typed(folder.resolve("home"), environment, commands);
    }

    private String[] guard(String name, String... more) {
        var words = new ArrayList<>(List.of("guard", "--name=" + name));
        words.addAll(List.of(more));
        words.addAll(List.of("--", "sh", "-c", tells(name)));
        return words.toArray(String[]::new);
    }

    private String tells(String name) {
        return "echo \"${PAWL_STORE-none}\" > " + folder.resolve(name);
    }

    private String seen(String name) throws IOException {
        return Files.readString(folder.resolve(name)).strip();
    }

    @Test
    void a_jobs_command_is_not_told_the_store_unless_asked_and_a_guard_without_a_key_hands_it_on() throws Exception {
        var store = folder.resolve("pawl.db").toString();
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var flow = Files.writeString(
                folder.resolve("flow.yaml"), """
                workflow: w
                key: [input.id]
                steps:
                  - {step: plain, run: '%s'}
                  - {step: asked, run: '%s', env: {PAWL_STORE: other.db}}
                  - {effect: looked, run: 'exit 79', settle: 1ms, verify: '%s; echo "{\\"happened\\":true}"'}
                """.formatted(tells("step"), tells("step-asked"), tells("verify")));
        var said = typed(
                Map.of("PAWL_STORE", store),
                guard("keyed", "--key=1"),
                guard("asked", "--key=1", "--env", "PAWL_STORE=other=\"db"),
                new String[] {
                    "batch", "run", rows.toString(), "--name=b", "--key=id", "-q", "--", "sh", "-c", tells("row")
                },
                new String[] {"run", flow.toString(), "--input", "{\"id\":1}"},
                guard("plain"));
        assertThat(said)
                .as(said.toString())
                .hasSize(5)
                .allSatisfy(line -> assertThat(line).startsWith("0 "));
        assertThat(seen("keyed")).isEqualTo("none");
        assertThat(seen("row")).isEqualTo("none");
        assertThat(seen("step")).isEqualTo("none");
        assertThat(seen("verify")).isEqualTo("none");
        assertThat(seen("asked")).isEqualTo("other=\"db");
        assertThat(seen("step-asked")).isEqualTo("other.db");
        assertThat(seen("plain")).isEqualTo(store);
        var told = Typing.of(guard("told", "--store=" + store));
        assertThat(told.code()).as(told.toString()).isZero();
        assertThat(seen("told")).as("of a guard that was told by --store").isEqualTo(store);
    }

    @Test
    void inside_a_command_no_question_is_answered_and_the_users_own_store_is_not_taken() throws Exception {
        var store = "--store=" + folder.resolve("pawl.db");
        Typing.of("guard", "--name=g", "--key=1", store, "--", "sh", "-c", "exit 79");
        var said = typed(
                Map.of("PAWL_JOB", "agent/7"),
                new String[] {"decide", "guard.g/1", "skip", "--note", "I say so", store},
                new String[] {"retry", "guard.g/1", "--note", "I say so", store},
                new String[] {"resubmit", "guard.g/1", "--note", "I say so", store},
                new String[] {"discard", "guard.g/1", "--note", "I say so", store},
                new String[] {"open", "account/x", "--note", "I say so", store},
                new String[] {"batch", "retry", "b", "--note", "I say so", store},
                new String[] {"jobs", store},
                new String[] {"jobs"},
                new String[] {"guard", "--name=mine", "--", "true"});
        assertThat(said).as(said.toString()).hasSize(9);
        assertThat(said.subList(0, 6))
                .allSatisfy(line -> assertThat(line)
                        .startsWith("2 ")
                        .contains("this is a command of agent/7", "type it at a shell of your own"));
        assertThat(said.get(6)).startsWith("0 jobs").contains("guard.g/1");
        assertThat(said.get(7)).startsWith("2 jobs").contains("agent/7", "told no store: say --store STORE");
        assertThat(said.get(8)).startsWith("125 guard").contains("told no store");
        assertThat(folder.resolve("home/.local")).doesNotExist();
        var paused = Typing.of("jobs", "--state=paused", "-q", store);
        assertThat(paused.out()).isEqualTo("guard.g/1\n");
    }

    @Test
    void who_decided_is_kept_beside_the_name_that_was_claimed() throws IOException {
        var store = "--store=" + folder.resolve("pawl.db");
        Typing.of("guard", "--name=g", "--key=1", store, "--", "sh", "-c", "exit 79");
        var decided = Typing.of("decide", "guard.g/1", "fail", "--by", "the owner", "--note", "looked", "-y", store);
        assertThat(decided.code()).as(decided.toString()).isZero();
        var user = System.getProperty("user.name");
        var host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        assertThat(Typing.of("show", "guard.g/1", store).out())
                .contains("fail by the owner, as " + user + " on " + host + ": looked");
        assertThat(Typing.of("show", "guard.g/1", "--json", store).out())
                .contains("\"by\":\"the owner\"", "\"user\":\"" + user + "\"", "\"host\":\"" + host + "\"");
    }
}
