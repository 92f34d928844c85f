package dev.pawl.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Durations as people write them. */
class DurationsTest {

    @Test
    void people_write_numbers_with_units() {
        assertThat(Durations.parse("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(Durations.parse("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(Durations.parse(" 10M ")).isEqualTo(Duration.ofMinutes(10));
        assertThat(Durations.parse("1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(Durations.parse("1h 30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(Durations.parse("2d")).isEqualTo(Duration.ofDays(2));
        assertThat(Durations.parse("PT30S")).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void what_is_no_duration_is_refused_with_the_way_to_write_one() {
        for (var text : new String[] {"", "soon", "30", "30 s", "s", "10x", "-PT1S", "999999999d"}) {
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> Durations.parse(text))
                    .withMessageContaining("\"" + text + "\"");
        }
    }

    @Test
    void people_read_the_two_or_three_largest_units() {
        assertThat(Durations.text(Duration.ZERO)).isEqualTo("0s");
        assertThat(Durations.text(Duration.ofMillis(12))).isEqualTo("12ms");
        assertThat(Durations.text(Duration.ofMillis(3_012))).isEqualTo("3s");
        assertThat(Durations.text(Duration.ofMillis(840))).isEqualTo("0.8s");
        assertThat(Durations.text(Duration.ofSeconds(10))).isEqualTo("10s");
        assertThat(Durations.text(Duration.ofSeconds(192))).isEqualTo("3m 12s");
        assertThat(Durations.text(Duration.ofHours(25))).isEqualTo("1d 1h");
        assertThat(Durations.text(Duration.ofHours(2))).isEqualTo("2h");
        assertThat(Durations.text(Duration.ofSeconds(-5))).isEqualTo("-5s");
        assertThat(Durations.word(Duration.ofMinutes(62))).isEqualTo("1h2m");
    }
}
