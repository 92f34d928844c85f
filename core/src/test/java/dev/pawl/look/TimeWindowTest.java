package dev.pawl.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A stretch of time has its first instant in it and the first after it not. */
class TimeWindowTest {
    private static final Instant NOON = Instant.parse("2026-04-12T12:00:00Z");

    @Test
    void its_end_is_not_in_it() {
        var second = new TimeWindow(NOON, NOON.plusSeconds(1));
        assertThat(second.contains(NOON)).isTrue();
        assertThat(second.contains(NOON.plusMillis(999))).isTrue();
        assertThat(second.contains(NOON.plusSeconds(1))).isFalse();
        assertThat(second.contains(NOON.minusMillis(1))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new TimeWindow(NOON, NOON.minusMillis(1)));
    }

    @Test
    void what_is_farther_away_than_milliseconds_can_say_is_as_far_as_they_can() {
        assertThat(TimeWindow.since(Instant.MIN).contains(NOON)).isTrue();
        assertThat(TimeWindow.since(Instant.MAX).contains(NOON)).isFalse();
        assertThat(new TimeWindow(Instant.MIN, Instant.MAX).contains(NOON)).isTrue();
        assertThat(TimeWindow.EVER.contains(Instant.MIN)).isTrue();
        assertThat(TimeWindow.EVER.contains(Instant.MAX)).isTrue();
    }
}
