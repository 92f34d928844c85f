package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An export that becomes a store, as a person asks for it. */
class ImportTest {
    @TempDir
    private Path folder;

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void it_says_what_arrived_and_what_is_to_be_looked_at_and_touches_no_store_that_is_there() throws Exception {
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":\"a\"}\n{\"id\":\"b\"}\n");
        var batch = new String[] {
            "batch", "run", rows.toString(), "--name", "n", "--key", "id", "--store", at("pawl.db"), "--", "true"
        };
        assertThat(Typing.of(batch).code()).isZero();
        assertThat(Typing.of("export", at("store.jsonl"), "--store", at("pawl.db"))
                        .code())
                .isZero();

        var imported = Typing.of("import", at("store.jsonl"), "--store", at("copy.db"));
        assertThat(imported.code()).as(imported.err()).isZero();
        assertThat(imported.out())
                .contains(at("copy.db") + " has what was in " + at("store.jsonl") + ": job 2, entry ")
                .contains("pawl open store/restored --store " + at("copy.db") + " --note WHY");
        assertThat(Typing.of("status", "--store", at("copy.db")).out()).contains("restored");
        assertThat(Typing.of("open", "store/restored", "--store", at("copy.db"), "--note", "nothing since")
                        .code())
                .isZero();
        assertThat(Typing.of("import", "--json", at("store.jsonl"), "--store", at("json.db"))
                        .out())
                .contains("\"job\":{\"lines\":2");

        var there = Typing.of("import", at("store.jsonl"), "--store", at("pawl.db"));
        assertThat(there.code()).isEqualTo(2);
        assertThat(there.err()).contains("jobs or workers of its own");
        assertThat(Typing.of("import", at("nowhere.jsonl"), "--store", at("x.db"))
                        .err())
                .contains("there is no file");
        Files.writeString(folder.resolve("wrong.jsonl"), "{\"kind\":\"export\",\"version\":1}\n{\"kind\":\"jab\"}\n");
        var wrong = Typing.of("import", at("wrong.jsonl"), "--store", at("x.db"));
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("wrong.jsonl: line 2 is of kind \"jab\"", "nothing was imported");
        assertThat(folder.resolve("x.db")).doesNotExist();
    }
}
