package dev.pawl.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.Audit;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.store.Change;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is used has the price of the table, and what has none is unknown, never nothing. */
class PricesTest {
    private static final Prices PRICES = Prices.parse(
            "prices.csv",
            List.of(
                    "# US dollars per million tokens",
                    "",
                    "model, input, output, cached-input, batch-input, batch-output",
                    "big, 3.00, 15.00, 0.30, 1.50, 7.50",
                    "half-known, 1.00, 2.00",
                    "tiny, 0.01, 0.02, 0.001, 0.005, 0.01"));

    private static Cost cost(Use use) {
        return Cost.of(List.of(PRICES.price(use)), Duration.ofSeconds(1));
    }

    @Test
    void input_output_cache_and_batch_have_prices_of_their_own() {
        assertThat(cost(Use.of("big").input(1_000_000))).hasToString("3.00USD");
        assertThat(cost(Use.of("big").output(1_000_000))).hasToString("15.00USD");
        assertThat(cost(Use.of("big").input(1_000_000).cached(1_000_000))).hasToString("0.30USD");
        assertThat(cost(Use.of("big").input(1_000_000).cached(500_000))).hasToString("1.65USD");
        assertThat(cost(Use.of("big").input(1_000_000).output(1_000_000).inBatch()))
                .hasToString("9.00USD");
        var written = Prices.parse("p", List.of("claude, 3.00, 15.00, 0.30, , , 3.75"));
        assertThat(Cost.of(
                        List.of(written.price(Use.of("claude")
                                .input(1_000_000)
                                .cached(500_000)
                                .cacheWritten(400_000))),
                        Duration.ZERO))
                .as("a tenth fresh, half from the cache, the rest written to it")
                .hasToString("1.95USD");
        assertThat(cost(Use.of("big").input(10).cacheWritten(10)))
                .as("no price for that")
                .hasToString("unknown");
        assertThat(cost(Use.of("tiny").input(1)).usd()).isEqualTo("0.00000001");
        assertThat(cost(Use.of("tiny").input(1))).as("and no 1E-8").hasToString("0.00000001USD");
    }

    @Test
    void a_model_may_be_called_model() {
        var heading = "model, input, output";
        assertThat(Prices.parse("p", List.of(heading, "model, 2, 10"))
                        .price(Use.of("model").input(500_000))
                        .nanoUsd())
                .isEqualTo(1_000_000_000L);
        assertThat(Prices.parse("p", List.of("model, 2, 10"))
                        .price(Use.of("model").input(500_000))
                        .nanoUsd())
                .isEqualTo(1_000_000_000L);
    }

    @Test
    void what_has_no_price_is_unknown_and_never_nothing() {
        assertThat(cost(Use.of("other").input(1))).hasToString("unknown");
        assertThat(cost(Use.of("half-known").input(5).cached(2))).hasToString("unknown");
        assertThat(cost(Use.of("half-known").input(5).inBatch())).hasToString("unknown");
        assertThat(cost(Use.of("half-known").output(5).inBatch())).hasToString("unknown");
        assertThat(cost(Use.of("half-known").input(1_000_000))
                        .plus(cost(Use.of("other").output(1))))
                .hasToString("1.00USD+unknown");
        assertThat(Cost.ofALostAttempt()).hasToString("unknown");
        assertThat(Cost.NOTHING).hasToString("0.00USD");
        assertThat(cost(Use.of("other").tools(3)))
                .as("no tokens, no price needed")
                .hasToString("unknown");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    big                       | a price is model, input, output
                    big, 1                    | a price is model, input, output
                    big, 1, 2, 3, 4, 5, 6, 7  | a price is model, input, output
                    big, one, 2               | "one" is no price
                    big, -1, 2                | "-1" is no price
                    big, 1e99999, 2           | is no price
                    big, 0.0000000000001, 2   | is no price
                    big, 1, 1000001           | is no price
                    """)
    void a_line_that_is_none_is_named(String line, String said) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.parse("p.csv", List.of("# remark", line)))
                .withMessageContaining("p.csv, line 2")
                .withMessageContaining(said);
    }

    @Test
    void a_table_is_read_from_a_file_of_a_size_that_it_can_have(@TempDir Path folder) throws IOException {
        var file = folder.resolve("prices.csv");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.read(file))
                .withMessageContaining("cannot be read");
        Files.writeString(file, "a,1,2\n");
        assertThat(Prices.read(file).price(Use.of("a").input(1_000_000)).nanoUsd())
                .isEqualTo(1_000_000_000L);
        Files.writeString(file, "# remark\n".repeat(1_000_000));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.read(file))
                .withMessageContaining("is larger than a table of prices can be");
    }

    @Test
    void litellms_file_is_read_and_what_it_does_not_say_per_token_is_unknown(@TempDir Path folder) throws IOException {
        var file = folder.resolve("model_prices_and_context_window.json");
        Files.writeString(file, """
                {"sample_spec": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "max_tokens": "LEGACY parameter"},
                 "big": {"input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05, "cache_read_input_token_cost": 3e-07,
                         "input_cost_per_token_batches": 1.5e-06, "output_cost_per_token_batches": 7.5e-06, "max_tokens": 8192,
                         "litellm_provider": "p", "supports_vision": true},
                 "odd": {"input_cost_per_token": 1.3199999999999998e-07, "output_cost_per_token": 2e-07},
                 "free": {"input_cost_per_token": 0, "output_cost_per_token": 0.0},
                 "painter": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "output_cost_per_image": 0.04},
                 "1024-x-1024/dall": {"input_cost_per_pixel": 1.9e-08},
                 "wrong": {"input_cost_per_token": "3e-06", "output_cost_per_token": -1},
                 "a,b": {"input_cost_per_token": 3e-06},
                 "sketcher": {"input_cost_per_token": 0, "output_cost_per_token": 0, "output_cost_per_image": 0, "cost_note": "none"},
                 "dear": {"input_cost_per_token": 12, "output_cost_per_token": 1e-06}}
                """);
        var read = Prices.read(file);
        assertThat(read.models().get("big"))
                .usingRecursiveComparison()
                .isEqualTo(PRICES.models().get("big"));
        assertThat(read.models()).containsOnlyKeys("big", "odd", "free", "sketcher", "dear");
        assertThat(read.price(Use.of("odd").input(1_000_000)).nanoUsd()).isEqualTo(132_000_000L);
        assertThat(read.price(Use.of("free").input(9).output(9)).nanoUsd()).isZero();
        assertThat(read.price(Use.of("free").input(9).cached(9)).nanoUsd()).isNull();
        assertThat(read.price(Use.of("painter").output(9)).nanoUsd()).isNull();
        assertThat(read.price(Use.of("sketcher").output(9)).nanoUsd())
                .as("its images cost nothing either")
                .isZero();
        assertThat(read.price(Use.of("dear").input(9)).nanoUsd())
                .as("that is no price")
                .isNull();
        assertThat(read.price(Use.of("dear").output(1_000_000)).nanoUsd()).isEqualTo(1_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"big": {}}   | p.json has no model with an input_cost_per_token
                    {}            | p.json has no model
                    {"big": 3     | p.json is not one JSON value
                    """)
    void json_without_prices_is_refused(String text, String said) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.parse("p.json", text))
                .withMessageContaining(said);
    }

    @Test
    void a_table_that_is_written_down_reads_back() {
        assertThat(Prices.parse("p", PRICES.text())).isEqualTo(PRICES);
        assertThat(PRICES.text().lines()).contains("half-known, 1.00, 2.00, , , , ");
        var more = PRICES.and(Prices.parse("p", "big, 4, 16\nnew, 1, 2"));
        assertThat(more.models().keySet()).contains("tiny", "new");
        assertThat(more.price(Use.of("big").input(1_000_000)).nanoUsd())
                .as("the last one holds")
                .isEqualTo(4_000_000_000L);
    }

    @Test
    void what_no_line_can_say_is_refused_before_anybody_keeps_it() {
        var one = PRICES.models().get("half-known");
        for (var name : List.of("a, b", " a", "#a", "a\u0007b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Change.KeepPrices(new Prices(Map.of(name, one)), new Audit("anna", "why")))
                    .withMessageContaining("no table of prices can hold a model called \"" + name + "\"");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Prices(Map.of("m".repeat(5 << 20), one)).text())
                .withMessageContaining("larger than a table of prices can be");
        var dear = new Prices.Price(new BigDecimal("1001"), null, null, null, null, null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Change.KeepPrices(new Prices(Map.of("m", dear)), new Audit("anna", "why")))
                .withMessageContaining("1001 is no price of m");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.parse("p", List.of(", 1, 2")))
                .withMessageContaining("p, line 1: a price begins with the name of its model");
    }

    @Test
    void a_heading_stands_at_the_top() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.parse("p", List.of("a,1,2", "model, input, output")))
                .withMessageContaining("p, line 2");
    }

    @Test
    void a_model_with_two_prices_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.parse("p", List.of("a,1,2", "a,1,3")))
                .withMessageContaining("a has a price already");
    }

    @Test
    void tokens_that_cannot_be_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Use.of("m").input(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Use.of("m").input(1).cached(2));
        assertThatIllegalArgumentException().isThrownBy(() -> Use.of(" "));
    }

    @Test
    void tokens_that_were_stored_before_anything_was_written_to_a_cache_read_as_before() {
        var earlier = TypeToken.of(Use.Tokens.class);
        assertThat(Values.read("{\"input\":5,\"output\":2,\"cached\":1}", earlier))
                .isEqualTo(new Use.Tokens(5, 2, 1));
        assertThat(Values.read("{\"input\":5,\"output\":2,\"cached\":1,\"cacheWritten\":3}", earlier))
                .isEqualTo(new Use.Tokens(5, 2, 1, 3));
    }
}
