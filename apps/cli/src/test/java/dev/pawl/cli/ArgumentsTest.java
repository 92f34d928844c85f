package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A word that was typed is that word: no file, and no other word, is put in its place. */
@Timeout(120)
class ArgumentsTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("payload.json"), "{\"id\":7} --store elsewhere.db\n");
        Files.writeString(folder.resolve("input.json"), "{\"id\":7}");
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        Files.writeString(folder.resolve("flow.yaml"), """
                workflow: w
                key: [input.id]
                steps:
                  - step: look
                    run: cat
                """);
    }

    private String at(String file) {
        return "@" + folder.resolve(file);
    }

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + folder.resolve("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    private String kept(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }

    @Test
    void a_word_that_begins_with_an_at_reaches_the_command_as_it_was_typed() throws IOException {
        var script = "cd " + folder + "; printf '%s|' \"$@\" > ";
        assertThat(pawl("guard", "--name", "g", "--", "sh", "-c", script + "guarded", "sh", "-d", at("payload.json"))
                        .code())
                .isZero();
        assertThat(kept("guarded")).isEqualTo("-d|" + at("payload.json") + "|");
        var rows = folder.resolve("rows.jsonl").toString();
        assertThat(pawl(
                                "batch",
                                "run",
                                rows,
                                "--name=n",
                                "--key=id",
                                "--",
                                "sh",
                                "-c",
                                script + "batched",
                                "sh",
                                at("payload.json"),
                                "@@",
                                "@")
                        .code())
                .isZero();
        assertThat(kept("batched")).isEqualTo(at("payload.json") + "|@@|@|");
    }

    @Test
    void a_file_cannot_add_words_to_a_command_of_pawl() {
        assertThat(pawl("show", at("payload.json")).err())
                .as("it is a job's name, and a wrong one")
                .contains("there is no store");
        assertThat(folder.resolve("elsewhere.db")).doesNotExist();
        assertThat(Typing.of(at("payload.json")).code()).isEqualTo(2);
        pawl("run", folder.resolve("flow.yaml").toString(), "--input", "{\"id\":1}");
        assertThat(pawl("retry", "w/1", "--note", at("payload.json")).err()).contains("w/1 is DONE");
    }

    @Test
    void an_input_that_is_a_file_is_what_stands_in_it() {
        var flow = folder.resolve("flow.yaml").toString();
        var ran = pawl("run", flow, "--input", at("input.json"));
        assertThat(ran.code()).as(ran.toString()).isZero();
        assertThat(ran.out()).contains("job=w/7", "\"input\":{\"id\":7}");
        assertThat(pawl("submit", flow, "--input=" + at("input.json")).out()).contains("w/7 was submitted before");
        var missing = pawl("run", flow, "--input", at("missing.json"));
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("there is no input to read at", "missing.json");
    }
}
