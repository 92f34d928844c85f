package dev.pawl.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What went wrong, as people read it. */
class FailureTest {

    @Test
    void what_says_nothing_is_told_in_words_and_its_code_names_the_class() {
        var failure = Failure.ofStep(new NullPointerException());
        assertThat(failure.message()).isEqualTo("null pointer exception, without a message");
        assertThat(failure.code()).isEqualTo("NullPointerException");
        assertThat(Failure.ofStep(new IllegalStateException(" ")).message())
                .isEqualTo("illegal state exception, without a message");
        assertThat(Failure.ofEffect(new IllegalStateException("the line broke")).message())
                .isEqualTo("the line broke");
    }

    @Test
    void a_long_message_of_a_failure_is_cut_between_characters() {
        var cut = Failure.of(FailureClass.TRANSIENT, "t", "x".repeat(1_999) + "\ud83d\ude00!")
                .message();
        assertThat(cut.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF)).isTrue();
    }
}
