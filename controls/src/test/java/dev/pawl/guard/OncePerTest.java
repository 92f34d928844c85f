package dev.pawl.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.key.Key;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/** The work items of hours, days and weeks. */
class OncePerTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Key hour(String utc) {
        return OncePer.HOUR.key(Instant.parse(utc).atZone(BERLIN));
    }

    @Test
    void the_second_hour_of_an_autumn_night_is_another_work_item() {
        assertThat(hour("2026-10-25T00:30:00Z")).isEqualTo(Key.of("2026-10-25T02"));
        assertThat(hour("2026-10-25T01:00:00Z"))
                .isEqualTo(hour("2026-10-25T01:59:59Z"))
                .isEqualTo(Key.of("2026-10-25T02+01:00"));
        assertThat(hour("2026-10-25T02:00:00Z")).isEqualTo(Key.of("2026-10-25T03"));
        assertThat(hour("2026-03-29T00:30:00Z")).isEqualTo(Key.of("2026-03-29T01"));
        assertThat(hour("2026-03-29T01:00:00Z")).isEqualTo(Key.of("2026-03-29T03"));
    }

    @Test
    void all_hours_of_a_year_have_keys_of_their_own_and_all_but_one_have_the_key_they_always_had() {
        var hours = new HashSet<Key>();
        var others = 0;
        var from = Instant.parse("2025-12-31T23:00:00Z");
        for (var i = 0; i < 365 * 24; i++) {
            var at = from.plus(Duration.ofHours(i)).atZone(BERLIN);
            var key = OncePer.HOUR.key(at);
            assertThat(hours.add(key)).as(key.toString()).isTrue();
            others += key.equals(Key.of(at.format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH")))) ? 0 : 1;
        }
        assertThat(others).isEqualTo(1);
    }

    @Test
    void days_and_weeks_are_what_they_were() {
        var at = ZonedDateTime.of(2027, 1, 1, 2, 30, 0, 0, BERLIN);
        assertThat(OncePer.named("day").key(at)).isEqualTo(Key.of("2027-01-01"));
        assertThat(OncePer.named("week").key(at)).isEqualTo(Key.of("2026-W53"));
        assertThat(OncePer.named("hour").key(at)).isEqualTo(Key.of("2027-01-01T02"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OncePer.named("month"))
                .withMessageContaining("none of hour, day and week");
    }
}
