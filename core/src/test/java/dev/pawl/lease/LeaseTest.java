package dev.pawl.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nobody compares wall clocks, and nobody trusts itself too long. */
class LeaseTest {

    private static final Instant T0 = Instant.parse("2026-04-12T02:00:00Z");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final long SECOND = 1_000_000_000L;

    private final Trust trust = new Trust(TERM, T0, 0);

    @Test
    void a_lease_is_trusted_for_less_than_its_term() {
        assertThat(trust.holds(T0.plusSeconds(19), 19 * SECOND)).isTrue();
        assertThat(trust.holds(T0.plusSeconds(21), 21 * SECOND)).isFalse();
    }

    @Test
    void a_machine_that_slept_is_not_fooled_by_its_monotonic_clock() {
        assertThat(trust.holds(T0.plusSeconds(600), 5 * SECOND)).isFalse();
    }

    @Test
    void a_clock_set_back_or_forward_makes_the_worker_ask() {
        assertThat(trust.holds(T0.minusSeconds(3_600), 5 * SECOND)).isFalse();
        assertThat(trust.holds(T0.plusSeconds(10), 5 * SECOND)).isFalse();
        assertThat(trust.holds(T0.plusMillis(5_500), 5 * SECOND)).isTrue();
    }

    @Test
    void the_bounds_of_trust_are_sharp() {
        assertThat(trust.holds(T0.plusMillis(19_999), 19_999 * SECOND / 1_000)).isTrue();
        assertThat(trust.holds(T0.plusSeconds(20), 20 * SECOND)).isFalse();
        assertThat(trust.holds(T0.plusSeconds(20), 19 * SECOND))
                .as("the later of both clocks counts")
                .isFalse();
        assertThat(trust.holds(T0.plusSeconds(19), 20 * SECOND)).isFalse();
        assertThat(trust.holds(T0.plusSeconds(6), 5 * SECOND)).isTrue();
        assertThat(trust.holds(T0.plusMillis(6_001), 5 * SECOND)).isFalse();
        assertThat(new Trust(TERM, T0, 7 * SECOND).holds(T0.plusSeconds(5), 12 * SECOND))
                .as("counted from when it asked")
                .isTrue();
    }

    @Test
    void a_worker_takes_what_it_names_and_without_a_name_all() {
        var some = new Taking(List.of("w"), List.of("mail"), List.of("anna"), Map.of("w", List.of("1", "2")));
        assertThat(some.takes("w", "mail", "anna", "")).isTrue();
        assertThat(some.takes("v", "mail", "anna", "")).isFalse();
        assertThat(some.takes("w", "post", "anna", "")).isFalse();
        assertThat(some.takes("w", "mail", "bruno", "")).isFalse();
        assertThat(Taking.of("w").takes("w", "any", "anybody", "")).isTrue();
    }

    @Test
    void a_worker_takes_jobs_of_the_versions_that_it_fits_and_those_that_have_none() {
        var some = new Taking(List.of("w", "v"), List.of(), List.of(), Map.of("w", List.of("1", "2")));
        assertThat(some.takes("w", "", "", "")).isTrue();
        assertThat(some.takes("w", "", "", "1")).isTrue();
        assertThat(some.takes("w", "", "", "3")).isFalse();
        assertThat(some.takes("v", "", "", "1"))
                .as("a version of something else")
                .isFalse();
        assertThat(Json.read("{\"workflows\":[\"w\"],\"queues\":[],\"principals\":[]}", Taking.class))
                .as("written before there were versions")
                .isEqualTo(Taking.of("w"));
    }

    private static WorkerRecord worker(long beat) {
        return new WorkerRecord(7, "w", beat, Instant.EPOCH, TERM, Taking.NOTHING);
    }

    @Test
    void a_beat_that_stands_still_for_a_full_term_is_dead_and_no_earlier() {
        var watch = new BeatWatch();
        for (var t = 0L; t < 30; t++) {
            assertThat(watch.look(List.of(worker(1)), t * SECOND, t * SECOND + SECOND / 2, TERM))
                    .as("second " + t)
                    .isEmpty();
        }
        assertThat(watch.look(List.of(worker(1)), 31 * SECOND, 31 * SECOND, TERM))
                .containsExactly(worker(1));
    }

    @Test
    void only_what_lies_between_two_reads_was_watched() {
        var watch = new BeatWatch();
        watch.look(List.of(worker(1)), 0, 20 * SECOND, TERM);
        watch.look(List.of(worker(1)), 25 * SECOND, 25 * SECOND, TERM);
        assertThat(watch.look(List.of(worker(1)), 49 * SECOND, 49 * SECOND, TERM))
                .as("the first read took 20 seconds")
                .isEmpty();
        assertThat(watch.look(List.of(worker(1)), 50 * SECOND, 50 * SECOND, TERM))
                .hasSize(1);
    }

    @Test
    void a_beat_that_moves_is_alive() {
        var watch = new BeatWatch();
        for (var t = 0L; t < 300; t += 10) {
            assertThat(watch.look(List.of(worker(t)), t * SECOND, t * SECOND, TERM))
                    .isEmpty();
        }
    }

    @Test
    void nobody_has_heard_of_a_worker_whose_beat_did_not_move_or_is_overdue() {
        var watch = new BeatWatch();
        assertThat(watch.silent(List.of(worker(1)), 0)).as("nobody has looked").isEmpty();
        watch.look(List.of(worker(1)), 0, 0, TERM);
        assertThat(watch.silent(List.of(worker(1)), 10 * SECOND))
                .containsExactly(new Silence(worker(1), Duration.ofSeconds(20)));
        watch.look(List.of(worker(2)), 12 * SECOND, 12 * SECOND, TERM);
        assertThat(watch.silent(List.of(worker(2)), 32 * SECOND))
                .as("it is alive")
                .isEmpty();
        assertThat(watch.silent(List.of(worker(2)), 33 * SECOND))
                .containsExactly(new Silence(worker(2), Duration.ofSeconds(9)));
    }

    @Test
    void time_in_which_nobody_could_look_counts_against_no_one() {
        var watch = new BeatWatch();
        watch.look(List.of(worker(1)), 0, 0, TERM);
        assertThat(watch.look(List.of(worker(1)), 300 * SECOND, 300 * SECOND, TERM))
                .isEmpty();
        for (var t = 301L; t < 330; t++) {
            assertThat(watch.look(List.of(worker(1)), t * SECOND, t * SECOND, TERM))
                    .isEmpty();
        }
        assertThat(watch.look(List.of(worker(1)), 330 * SECOND, 330 * SECOND, TERM))
                .hasSize(1);
    }
}
