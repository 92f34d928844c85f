package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How far a job has come is said in the middle of an act, which never fails of it. */
class ProgressTest {

    @Test
    void it_is_read_as_people_say_it() {
        assertThat(Progress.done(3, 10).at("writing")).hasToString("3 of 10: writing");
        assertThat(Progress.done(3, 10)).hasToString("3 of 10");
        assertThat(Progress.done(3).at("writing")).hasToString("3: writing");
        assertThat(Progress.of("writing")).hasToString("writing");
        assertThat(new Progress("", null, null)).hasToString("");
    }

    @Test
    void numbers_that_cannot_be_are_taken_as_far_as_they_can() {
        assertThat(Progress.done(-1)).isEqualTo(Progress.done(0));
        assertThat(Progress.done(5, 3)).isEqualTo(Progress.done(5, 5));
        assertThat(new Progress("x", null, 3L)).as("of what nobody counts").isEqualTo(Progress.of("x"));
    }

    @Test
    void a_long_text_is_cut_and_no_character_with_it() {
        assertThat(Progress.of("x".repeat(1_000)).text()).hasSize(1_000);
        assertThat(Progress.of("x".repeat(1_001)).text()).hasSize(1_000);
        assertThat(Progress.of("x".repeat(999) + "\ud83d\ude00").text()).isEqualTo("x".repeat(999));
    }
}
