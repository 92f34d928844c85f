package dev.pawl.effect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was sent is kept for people as far as there is room, and without what they may not see. */
class RequestTextTest {
    /** As long as the text in quotes may be. */
    private static final int MOST = RequestText.MOST_CHARS;

    @Test
    void a_request_is_kept_as_people_may_see_it() {
        assertThat(RequestText.of(Map.of("to", "anna"))).isEqualTo("{\"to\":\"anna\"}");
        assertThat(RequestText.of((ForPeople) () -> Map.of("card", "…4242"))).isEqualTo("{\"card\":\"…4242\"}");
    }

    @Test
    void what_is_too_long_ends_with_an_ellipsis_and_no_character_is_cut_in_two() {
        assertThat(RequestText.of("x".repeat(MOST - 2))).hasSize(MOST).endsWith("x\"");
        assertThat(RequestText.of("x".repeat(MOST))).hasSize(MOST + 1).endsWith("x…");
        assertThat(RequestText.of("x".repeat(MOST - 2) + "\ud83d\ude00")).isEqualTo("\"" + "x".repeat(MOST - 2) + "…");
    }
}
