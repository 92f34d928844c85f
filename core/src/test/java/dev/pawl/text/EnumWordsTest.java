package dev.pawl.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The constants of an enum are written as people write words, and found again however they typed them. */
class EnumWordsTest {
    private enum Fruit {
        APPLE,
        WILD_BERRY,
        PEAR
    }

    private static final EnumWords<Fruit> FRUITS = EnumWords.of("fruit", List.of(Fruit.values()));

    @Test
    void a_word_is_found_as_it_was_typed_and_none_is_made_up() {
        assertThat(FRUITS.all()).containsExactly("apple", "wild-berry", "pear");
        assertThat(FRUITS.parseTyped(" Wild-Berry ")).isEqualTo(Fruit.WILD_BERRY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FRUITS.parse("plum"))
                .withMessage("\"plum\" is no fruit; say apple, wild-berry or pear");
    }

    @Test
    void where_only_one_is_meant_it_alone_is_listed() {
        assertThat(EnumWords.oneOf(List.of("retry"))).isEqualTo("retry");
        assertThat(EnumWords.oneOf(List.of("done", "retry"))).isEqualTo("done or retry");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EnumWords.of("fruit", List.of(Fruit.PEAR)).parse("plum"))
                .withMessageEndingWith("say pear");
    }
}
