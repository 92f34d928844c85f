package dev.pawl.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What has only begun is looked at soon, and what goes on for long is looked at seldom. */
class RhythmTest {
    private static final Rhythm RHYTHM = Rhythm.every(Duration.ofSeconds(10), Duration.ofMinutes(15));

    @Test
    void the_eighth_part_of_what_it_has_gone_on_for_passes_between_two_looks_within_bounds() {
        assertThat(RHYTHM.after(Duration.ZERO)).isEqualTo(Duration.ofSeconds(10));
        assertThat(RHYTHM.after(Duration.ofSeconds(79))).isEqualTo(Duration.ofSeconds(10));
        assertThat(RHYTHM.after(Duration.ofSeconds(160))).isEqualTo(Duration.ofSeconds(20));
        assertThat(RHYTHM.after(Duration.ofHours(2))).isEqualTo(Duration.ofMinutes(15));
        assertThat(RHYTHM.after(Duration.ofDays(7))).isEqualTo(Duration.ofMinutes(15));
    }
}
