package dev.pawl.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.gate.Gate;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** People read times on their own clock. */
class LocalTimeTextTest {
    private static final Instant WHEN = Instant.parse("2026-04-12T09:58:00.123Z");

    @Test
    void a_time_for_people_is_in_their_zone() {
        assertThat(LocalTimeText.of(WHEN, ZoneId.of("Europe/Berlin"))).isEqualTo("2026-04-12 11:58:00 Europe/Berlin");
    }

    @Test
    void a_gate_tells_times_for_people() {
        var text = Gate.closed("account/w", Gate.Cause.RATE, new Gate.Closing("busy", WHEN, WHEN.plusSeconds(60)))
                .text(1, "");
        assertThat(text)
                .contains("since " + LocalTimeText.of(WHEN), "at " + LocalTimeText.of(WHEN.plusSeconds(60)))
                .doesNotContain("T09:5");
    }

    @Test
    void an_instant_that_was_written_down_is_read_in_the_readers_zone() {
        assertThat(LocalTimeText.within("until 2026-04-12T09:58:00.123Z; see 2026-99-99T00:00:00Z and T1:2Z"))
                .isEqualTo("until " + LocalTimeText.of(WHEN) + "; see 2026-99-99T00:00:00Z and T1:2Z");
    }
}
