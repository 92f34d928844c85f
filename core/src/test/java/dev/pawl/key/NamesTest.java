package dev.pawl.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What things may be called. */
class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "z", "A", "Z", "0", "9", "daily-blog_pr.2", "a.", "a_", "a-", "aZ", "a0"})
    void names(String name) {
        assertThat(Names.check("workflow", name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                ".a",
                "_a",
                "a/b",
                "a b",
                "a:b",
                "a@b",
                "a[b",
                "a`b",
                "a{b",
                "\u00e9t\u00e9",
                "a\n",
                "a\u0660"
            })
    void no_names(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.check("workflow", name))
                .withMessageContaining("is not a name for a workflow");
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 10_000})
    void no_name_is_longer_than_a_hundred_characters(int length) {
        assertThat(Names.check("step", "x".repeat(100))).hasSize(100);
        assertThatIllegalArgumentException().isThrownBy(() -> Names.check("step", "x".repeat(length)));
    }
}
