package dev.pawl.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What went wrong, as people read it. */
class FailureTest {

    @Test
    void what_code_has_thrown_is_named_and_what_is_a_word_of_ours_speaks_for_itself() {
        var failure = Failure.ofStep(new NullPointerException());
        assertThat(failure.message()).isEqualTo("NullPointerException, without a message");
        assertThat(failure.code()).isEqualTo("NullPointerException");
        assertThat(Failure.ofStep(new IllegalStateException(" ")).message())
                .isEqualTo("IllegalStateException, without a message");
        assertThat(Failure.ofEffect(new IllegalStateException("the line broke")).message())
                .isEqualTo("IllegalStateException: the line broke");
        assertThat(Failure.ofStep(new PermanentFailure("no such page")).message())
                .isEqualTo("no such page");
        assertThat(Failure.ofStep(new NotSent("")).message()).isEqualTo("not sent, without a message");
    }

    @Test
    void a_long_message_of_a_failure_is_cut_between_characters() {
        var cut = Failure.of(FailureClass.TRANSIENT, "t", "x".repeat(1_999) + "\ud83d\ude00!")
                .message();
        assertThat(cut.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF)).isTrue();
    }
}
