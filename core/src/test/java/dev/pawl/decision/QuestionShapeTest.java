package dev.pawl.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import org.junit.jupiter.api.Test;

/** Which questions are one. */
class QuestionShapeTest {
    private static QuestionShape of(String key, String item, String because) {
        return QuestionShape.of(
                new Identity("nightly", Key.of(key)),
                new Question(7, QuestionKind.IN_DOUBT, new Place("", "run", item), because),
                false);
    }

    @Test
    void what_is_each_jobs_own_makes_no_other_question() {
        assertThat(of("retries", "a", "exit 1: no route for retries at 2026-04-12T01:02:03.5Z after PT1.23S, id 48213"))
                .isEqualTo(of(
                        "leases", "b", "exit 1: no route for leases at 2026-04-13T04:05:06Z after PT7M, id 9000001"));
        assertThat(of("a", "", "request 3f2a9c0d1e4b7788 of 0b7c4a3e-1111-4222-8333-123456789abc"))
                .isEqualTo(of("b", "", "request 77aa00bb11cc22dd of 9b7c4a3e-1111-4222-8333-123456789abd"));
        assertThat(of("r00", "", "exit 1: nothing for r00 there"))
                .isEqualTo(of("r7", "", "exit 1: nothing for r7 there"));
    }

    @Test
    void another_code_another_place_or_a_job_that_was_called_off_is_another_question() {
        assertThat(of("1", "", "exit 1: no")).isNotEqualTo(of("2", "", "exit 2: no"));
        assertThat(of("no", "", "exit 1: nothing"))
                .as("no part of another word")
                .isNotEqualTo(of("me", "", "exit 1: mething"));
        assertThat(of("it", "", "it was ended: x")).as("our own words stay").isEqualTo(of("de", "", "it was ended: x"));
        assertThat(of("a", "", "status 503")).isNotEqualTo(of("a", "", "status 404"));
        assertThat(of("a", "", "exit 1")).isNotEqualTo(of("a", "item", "exit 1"));
        var question = new Question(7, QuestionKind.IN_DOUBT, new Place("", "run", ""), "exit 1");
        assertThat(QuestionShape.of(new Identity("nightly", Key.of("a")), question, true))
                .isNotEqualTo(of("a", "", "exit 1"));
        assertThat(QuestionShape.of(new Identity("daily", Key.of("a")), question, false))
                .isNotEqualTo(of("a", "", "exit 1"));
    }

    @Test
    void a_key_that_is_a_number_or_a_single_letter_hides_no_word_of_the_reason() {
        assertThat(of("12", "", "exit 12: no")).isNotEqualTo(of("34", "", "exit 34: no"));
        assertThat(of("x", "", "x: no")).isNotEqualTo(of("y", "", "y: no"));
    }
}
