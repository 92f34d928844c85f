package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Prices;
import dev.pawl.cost.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command says that it used: what is stated is kept, and what is wrong is unknown, never nothing. */
class UsageTest {
    private static final Prices PRICES = Prices.parse("test", List.of("m, 1.00, 1.00", "unpriced, , "));

    @TempDir
    private Path folder;

    private Use priced(String line) throws IOException {
        var file = folder.resolve("usage");
        Files.writeString(file, line + "\n");
        var uses = UsageFile.in(file, Secrets.NONE);
        assertThat(uses).hasSize(1);
        return PRICES.price(uses.getFirst());
    }

    @Test
    void a_whole_number_is_that_number_however_it_is_written() throws IOException {
        assertThat(priced("{\"model\":\"m\",\"nanoUsd\":50000000.0}").nanoUsd()).isEqualTo(50_000_000);
        assertThat(priced("{\"model\":\"m\",\"nanoUsd\":5e7,\"input\":2.0}"))
                .isEqualTo(Use.of("m").input(2).costing(50_000_000L));
    }

    @Test
    void what_was_stated_is_kept_and_not_overwritten_by_the_table() throws IOException {
        assertThat(priced("{\"model\":\"m\",\"input\":1000,\"nanoUsd\":7}").nanoUsd())
                .isEqualTo(7);
        assertThat(priced("{\"model\":\"m\",\"input\":1000}").nanoUsd()).isEqualTo(1_000_000);
    }

    @Test
    void a_line_without_a_model_is_kept() throws IOException {
        assertThat(priced("{\"input\":3,\"output\":4,\"nanoUsd\":500}"))
                .isEqualTo(Use.of("unknown").input(3).output(4).costing(500L));
        assertThat(priced("{\"model\":\"\",\"input\":3}"))
                .isEqualTo(Use.of("unknown").input(3));
    }

    @Test
    void a_line_that_is_wrong_has_an_unknown_cost_although_its_model_has_a_price() throws IOException {
        for (var wrong : List.of(
                "rubbish",
                "[]",
                "[{\"model\":\"m\",\"input\":3}]",
                "7",
                "{}",
                "{\"model\":\"m\",\"nanoUsd\":0.5}",
                "{\"model\":\"m\",\"nanoUsd\":\"5\"}",
                "{\"model\":\"m\",\"nanoUsd\":-5}",
                "{\"model\":\"m\",\"nanoUsd\":1e30}",
                "{\"model\":\"m\",\"input\":\"many\"}",
                "{\"model\":\"m\",\"input\":1,\"cached\":2}",
                "{\"model\":\"m\",\"input\":1.5}",
                "{\"model\":[\"m\"],\"input\":1}",
                "{\"model\":\"m\",\"tools\":\"two\"}")) {
            assertThat(priced(wrong).nanoUsd()).as(wrong).isNull();
        }
    }

    @Test
    void of_a_line_whose_tokens_are_wrong_nobody_can_tell_the_tokens_and_what_it_states_is_kept() throws IOException {
        for (var wrong : List.of(
                "rubbish", "[]", "{}", "{\"model\":\"m\",\"input\":\"many\"}", "{\"model\":\"m\",\"input\":-1}")) {
            assertThat(Cost.of(List.of(priced(wrong)), Duration.ZERO).unknown())
                    .as(wrong)
                    .isEqualTo(new Cost.Unknown(1, 0, 1));
        }
        var file = folder.resolve("stated");
        Files.writeString(file, "{\"model\":\"m\",\"input\":\"many\",\"nanoUsd\":7}\n");
        var stated = Cost.of(UsageFile.in(file, Secrets.NONE), Duration.ZERO);
        assertThat(stated.nanoUsd()).isEqualTo(7);
        assertThat(stated.unknown()).isEqualTo(new Cost.Unknown(0, 0, 1));
        assertThat(Cost.of(List.of(priced("{\"model\":\"m\",\"input\":5,\"nanoUsd\":0.5}")), Duration.ZERO)
                        .unknown())
                .as("its tokens are right")
                .isEqualTo(new Cost.Unknown(1, 0, 0));
    }

    @Test
    void more_lines_than_are_read_and_what_is_no_file_are_an_unknown_cost_and_no_file_is_none() throws IOException {
        var file = folder.resolve("many");
        Files.write(file, Collections.nCopies(1_001, "{\"model\":\"m\",\"nanoUsd\":1}"));
        assertThat(UsageFile.in(file, Secrets.NONE)).hasSize(1_001).last().isEqualTo(Use.unreadable());
        assertThat(UsageFile.in(folder, Secrets.NONE)).containsExactly(Use.unreadable());
        assertThat(UsageFile.in(folder.resolve("absent"), Secrets.NONE)).isEmpty();
    }
}
