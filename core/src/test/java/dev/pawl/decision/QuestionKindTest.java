package dev.pawl.decision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each question says what its answers do. */
class QuestionKindTest {
    @ParameterizedTest
    @EnumSource
    void a_job_that_was_called_off_takes_the_same_answers_and_nothing_is_done_again(QuestionKind kind) {
        assertThat(kind.answersOnceCalledOff()).containsOnlyKeys(kind.answers().keySet());
        if (kind.closedByAnswer()) {
            assertThat(kind.answersOnceCalledOff().values()).allMatch(what -> what.contains("the job ends"));
        } else {
            assertThat(kind.answersOnceCalledOff()).isEqualTo(kind.answers());
        }
    }
}
