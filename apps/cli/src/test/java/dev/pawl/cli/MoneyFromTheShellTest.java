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

/** What commands used has a price, and a budget in dollars is one, without a line of Java. */
@Timeout(120)
class MoneyFromTheShellTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n{\"id\":2}\n");
        Files.writeString(folder.resolve("prices.csv"), "big, 3.00, 15.00, 0.30\n");
        Files.writeString(
                folder.resolve("litellm.json"),
                "{\"big\":{\"input_cost_per_token\":3e-06,\"output_cost_per_token\":1.5e-05,\"max_tokens\":8192}}");
        Files.writeString(folder.resolve("flow.yaml"), """
                workflow: w
                key: [input.id]
                budget: {workflow: 4USD}
                steps:
                  - step: ask
                    run: [sh, -c, 'echo "{\\"model\\":\\"big\\",\\"input\\":1000000,\\"output\\":100000}" > "$PAWL_USAGE"']
                """);
    }

    private String at(String file) {
        return folder.resolve(file).toString();
    }

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + at("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    private Typing batch(String name, String usage, String... more) {
        var words = new ArrayList<>(List.of("batch", "run", at("rows.jsonl"), "--name", name, "--key", "id"));
        words.addAll(List.of(more));
        words.addAll(List.of("--", "sh", "-c", "echo '" + usage + "' > \"$PAWL_USAGE\""));
        return pawl(words.toArray(String[]::new));
    }

    @Test
    void what_rows_used_has_the_price_of_the_file_that_was_named() {
        var used = "{\"model\":\"big\",\"input\":1000000,\"output\":100000}";
        assertThat(batch("lines", used, "--prices", at("prices.csv")).out()).contains("done=2", "cost=9.00USD ");
        assertThat(batch("litellm", used, "--prices", at("litellm.json")).out()).contains("done=2", "cost=9.00USD ");
        assertThat(batch("without", used).out()).contains("done=2", "cost=unknown ");
        assertThat(batch("stated", "{\"model\":\"big\",\"input\":1000000,\"nanoUsd\":1}", "--prices", at("prices.csv"))
                        .out())
                .as("what whoever was paid has stated is kept")
                .contains("cost=0.000000002USD ");
    }

    @Test
    void a_budget_in_dollars_closes_when_it_is_spent_and_not_for_want_of_a_price() {
        var first = pawl("run", at("flow.yaml"), "--input", "{\"id\":1}", "--prices", at("prices.csv"));
        assertThat(first.code()).as(first.toString()).isZero();
        assertThat(first.out()).contains("cost=4.50USD ");
        var second = pawl("run", at("flow.yaml"), "--input", "{\"id\":2}", "--prices", at("prices.csv"));
        assertThat(second.code()).as(second.toString()).isEqualTo(3);
        assertThat(second.err()).as(second.toString()).contains("4.50");
    }

    @Test
    void a_table_that_is_none_is_named_before_anything_starts() throws IOException {
        assertThat(batch("b", "", "--prices", at("nowhere.csv")))
                .satisfies(typed -> assertThat(typed.code()).isEqualTo(2))
                .satisfies(typed -> assertThat(typed.err()).contains("nowhere.csv cannot be read"));
        Files.writeString(folder.resolve("wrong.csv"), "big, three\n");
        var typed = pawl("work", at("flow.yaml"), "--prices", at("wrong.csv"));
        assertThat(typed.code()).isEqualTo(2);
        assertThat(typed.err()).contains("wrong.csv, line 1: a price is model, input, output");
        assertThat(pawl("run", at("flow.yaml"), "--input", "{\"id\":1}", "--term", "10ms")
                        .err())
                .contains("a lease of 10ms is too short to keep up; 100ms is the least");
        assertThat(folder.resolve("pawl.db")).doesNotExist();
    }
}
