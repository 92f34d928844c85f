package dev.pawl.checks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What rounds come to, and that it is JSON whatever they measured. */
class SpreadTest {

    @Test
    void a_round_in_which_a_subject_measured_nothing_is_void_and_said() {
        var share = Spread.ratio(List.of(50.0, 0.0, 60.0, 70.0), List.of(100.0, 100.0, 0.0, 100.0));
        assertThat(share.rounds()).isEqualTo(2);
        assertThat(share.voided()).isEqualTo(2);
        assertThat(share.lowest()).isEqualTo(0.5);
        assertThat(share.highest()).isEqualTo(0.7);
        assertThat(share.text(1, 100)).contains("50.0 to 70.0", "2 void, nothing was measured");
    }

    @Test
    void what_was_not_measured_is_null_and_every_line_is_json() {
        for (var rounds : List.of(List.<Double>of(), List.of(0.0), List.of(Double.POSITIVE_INFINITY, Double.NaN))) {
            var line = new FigureLine("W1", "sqlite", "pawl")
                    .with("inFlight", 16)
                    .with("perSecond", Spread.of(rounds).median(), 0)
                    .with("shareOfBound", Spread.ratio(rounds, rounds))
                    .toString();
            var read = Json.tree(line);
            assertThat(read.get("shareOfBound").isNull()).as(line).isTrue();
            assertThat(read.get("void").asInt()).isEqualTo(rounds.size());
        }
        assertThat(new FigureLine("W1", "sqlite", "pawl")
                        .with("share", 0.12345, 3)
                        .toString())
                .isEqualTo("{\"bench\":\"W1\",\"store\":\"sqlite\",\"subject\":\"pawl\",\"share\":0.123}");
    }

    @Test
    void rounds_go_on_until_half_of_them_lie_close_together() {
        assertThat(Spread.of(List.of(1.0, 1.05)).isKnown()).as("too few").isFalse();
        assertThat(Spread.of(List.of(0.33, 0.77, 0.5)).isKnown()).isFalse();
        assertThat(Spread.of(List.of(0.33, 0.75, 0.77, 0.74, 0.76, 0.78)).isKnown())
                .as("one that lies apart is told and does not count for much")
                .isTrue();
    }
}
