package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.JobState;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What fits a screen, and what is coloured there. */
class ScreenTest {
    private static final Map<String, String> XTERM = Map.of("TERM", "xterm");

    @Test
    void a_terminal_is_not_written_beyond_its_edge() {
        var screen = Screen.of(true, 20, XTERM);
        assertThat(screen.fit("x".repeat(20))).hasSize(20);
        assertThat(screen.fit("x".repeat(21))).hasSize(20).endsWith("x…");
        assertThat(screen.fit("\uD83D\uDE00".repeat(21))).isEqualTo("\uD83D\uDE00".repeat(19) + "…");
        assertThat(Screen.of(true, 3, XTERM).columns())
                .as("nothing is that narrow")
                .isEqualTo(20);
        assertThat(Screen.of(true, 0, XTERM).columns()).as("it does not know").isEqualTo(80);
        assertThat(Screen.of(false, 20, XTERM).fit("x".repeat(300))).hasSize(300);
    }

    @ParameterizedTest
    @EnumSource
    void a_state_has_its_colour_where_there_are_colours(JobState state) {
        var line = "  1 " + state + " w/a";
        assertThat(Screen.of(true, 80, XTERM).fit(line, state))
                .matches("  1 \u001b\\[3\\dm" + state + "\u001b\\[0m w/a");
        assertThat(Screen.of(true, 80, Map.of("TERM", "xterm", "NO_COLOR", "1")).fit(line, state))
                .isEqualTo(line);
        assertThat(Screen.of(true, 80, Map.of("TERM", "dumb")).fit(line, state)).isEqualTo(line);
        assertThat(Screen.of(true, 80, Map.of()).fit(line, state)).isEqualTo(line);
        assertThat(Screen.of(false, 80, XTERM).fit(line, state)).isEqualTo(line);
        assertThat(Screen.of(true, 20, XTERM).fit("a name that is long enough " + state, state))
                .doesNotContain("\u001b");
    }

    @Test
    void an_empty_no_color_is_none() {
        assertThat(Screen.of(true, 80, Map.of("TERM", "xterm", "NO_COLOR", "")).colours())
                .isTrue();
    }
}
