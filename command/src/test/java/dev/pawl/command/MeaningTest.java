package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What exit codes mean. */
class MeaningTest {
    private static Exit exit(int code, boolean timedOut) {
        return new Exit(code, timedOut, Duration.ZERO, 0, null);
    }

    @ParameterizedTest
    @CsvSource({
        "0, DONE",
        "75, TRANSIENT",
        "64, PERMANENT",
        "65, PERMANENT",
        "66, PERMANENT",
        "77, PERMANENT",
        "78, PERMANENT",
        "69, ACCOUNT",
        "79, IN_DOUBT",
        "137, IN_DOUBT",
        "143, IN_DOUBT",
        "1, UNKNOWN",
        "127, UNKNOWN",
        "-1, PERMANENT"
    })
    void each_code_has_its_meaning(int code, Meaning meaning) {
        assertThat(Meaning.of(exit(code, false), Map.of())).isEqualTo(meaning);
    }

    @Test
    void a_time_out_is_in_doubt_whatever_the_command_said_then() {
        assertThat(Meaning.of(exit(0, true), Map.of())).isEqualTo(Meaning.IN_DOUBT);
        assertThat(Meaning.of(exit(75, true), Map.of(75, Meaning.DONE))).isEqualTo(Meaning.IN_DOUBT);
    }

    @Test
    void a_program_can_be_taught() {
        var taught = Map.of(1, Meaning.named("transient"), 75, Meaning.named("in-doubt"));
        assertThat(Meaning.of(exit(1, false), taught)).isEqualTo(Meaning.TRANSIENT);
        assertThat(Meaning.of(exit(75, false), taught)).isEqualTo(Meaning.IN_DOUBT);
        assertThat(Meaning.of(exit(0, false), taught)).isEqualTo(Meaning.DONE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Meaning.named("unknown"))
                .withMessageContaining("say done, transient");
    }

    @Test
    void what_was_taught_outranks_the_rule_for_signals_and_a_time_out_outranks_both() {
        var taught = Map.of(255, Meaning.TRANSIENT);
        assertThat(Meaning.of(new Exit(255, false, Duration.ZERO, 0, null), taught))
                .isEqualTo(Meaning.TRANSIENT);
        assertThat(Meaning.of(new Exit(255, false, Duration.ZERO, 0, null), Map.of()))
                .isEqualTo(Meaning.IN_DOUBT);
        assertThat(Meaning.of(new Exit(255, true, Duration.ZERO, 0, null), taught))
                .isEqualTo(Meaning.IN_DOUBT);
    }
}
