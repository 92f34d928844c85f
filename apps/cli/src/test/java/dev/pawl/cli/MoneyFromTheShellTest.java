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
    void a_line_of_usage_that_is_wrong_closes_a_budget_of_dollars_or_tokens_and_is_never_nothing() throws IOException {
        for (var budget : List.of("4USD", "1000 tokens")) {
            var flow = "flow-" + budget.charAt(0) + ".yaml";
            Files.writeString(folder.resolve(flow), """
                    workflow: wrong-%s
                    key: [input.id]
                    budget: {workflow: %s}
                    steps:
                      - step: ask
                        run: [sh, -c, 'echo "{\\"model\\":\\"big\\",\\"input\\":\\"many\\"}" > "$PAWL_USAGE"']
                    """.formatted(budget.charAt(0), budget));
            var first = pawl("run", at(flow), "--input", "{\"id\":1}", "--prices", at("prices.csv"));
            assertThat(first.out()).as(first.toString()).contains("cost=unknown ");
            var second = pawl("run", at(flow), "--input", "{\"id\":2}", "--prices", at("prices.csv"));
            assertThat(second.code()).as(second.toString()).isEqualTo(3);
            assertThat(second.err()).contains("nobody can tell how much of ", " is spent");
        }
    }

    @Test
    void prices_of_the_store_hold_for_whoever_works_with_it_unless_he_names_others() throws IOException {
        assertThat(pawl("prices").code()).as("no store yet").isEqualTo(2);
        Files.writeString(folder.resolve("ours.csv"), "ours, 1, 2\nbig, 30, 150\n");
        var imported = pawl("prices", "import", at("ours.csv"), at("litellm.json"), "--by", "anna");
        assertThat(imported.code()).as(imported.toString()).isZero();
        assertThat(imported.out()).contains("2 models are priced from now on, as anna imported it");
        var shown = pawl("prices");
        assertThat(shown.out())
                .contains("# US dollars per million tokens; imported ", " by anna", ": from ", "litellm.json")
                .contains("\nbig, 3.00, 15.00, , , , \nours, 1, 2, , , , \n");
        assertThat(pawl("prices", "show", "ours", "--json").out())
                .isEqualTo(
                        "{\"model\":\"ours\",\"input\":1,\"output\":2,\"cachedInput\":null,\"batchInput\":null,\"batchOutput\":null,\"cacheWrite\":null}\n");

        var used = "{\"model\":\"big\",\"input\":1000000,\"output\":100000}";
        assertThat(batch("rows", used).out()).contains("done=2", "cost=9.00USD ");
        Files.writeString(folder.resolve("others.csv"), "big, 1, 1\n");
        assertThat(batch("others", used, "--prices", at("others.csv")).out()).contains("cost=2.20USD ");
        assertThat(pawl("run", at("flow.yaml"), "--input", "{\"id\":1}").out()).contains("cost=4.50USD ");
        var second = pawl("run", at("flow.yaml"), "--input", "{\"id\":2}");
        assertThat(second.code())
                .as("a budget in dollars, and no --prices: " + second)
                .isEqualTo(3);
        var guard =
                pawl("guard", "--name", "g", "--key", "k", "--", "sh", "-c", "echo '" + used + "' > \"$PAWL_USAGE\"");
        assertThat(guard.code()).as(guard.toString()).isZero();
        assertThat(pawl("cost", "--by", "job", "guard.g/k").out()).contains("4.50USD");

        Files.writeString(folder.resolve("again.csv"), shown.out());
        assertThat(pawl("prices", "import", at("again.csv"), "--note", "as it was")
                        .out())
                .contains("2 models are");
        assertThat(pawl("prices").out()).contains(": as it was");
    }

    @Test
    void a_table_that_cannot_be_imported_changes_nothing() throws IOException {
        Files.writeString(folder.resolve("empty.csv"), "# nothing\n");
        assertThat(pawl("prices", "import", at("empty.csv")))
                .satisfies(typed -> assertThat(typed.code()).isEqualTo(2))
                .satisfies(typed -> assertThat(typed.err()).contains("empty.csv has no price in it"));
        assertThat(pawl("prices", "import").err()).contains("say which file: pawl prices import FILE");
        assertThat(pawl("prices", "imprt", "f").err()).contains("\"imprt\" is neither show nor import");
        assertThat(folder.resolve("pawl.db")).doesNotExist();
        assertThat(pawl("prices", "import", at("prices.csv")).code()).isZero();
        assertThat(pawl("prices", "show", "other").err()).contains("there is no price of other; pawl prices shows all");
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
