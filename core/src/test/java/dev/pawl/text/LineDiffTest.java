package dev.pawl.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What tells two texts apart. */
class LineDiffTest {

    @Test
    void only_lines_that_differ_are_told() {
        assertThat(LineDiff.of(List.of("to: a", "text: x", "end"), List.of("to: a", "text: y", "end")))
                .containsExactly("- text: x", "+ text: y");
        assertThat(LineDiff.of(List.of("a", "b", "c", "d"), List.of("b", "c", "e", "d", "f")))
                .containsExactly("- a", "+ e", "+ f");
        assertThat(LineDiff.of(List.of(), List.of("a"))).containsExactly("+ a");
        assertThat(LineDiff.of(List.of("a"), List.of("a"))).isEmpty();
    }

    @Test
    void of_two_long_lines_that_begin_alike_the_part_is_told_where_they_differ() {
        var same = "x".repeat(100);
        assertThat(LineDiff.of(List.of(same + " one"), List.of(same + " two")))
                .containsExactly("- …" + "x".repeat(29) + " one", "+ …" + "x".repeat(29) + " two");
    }

    @Test
    void very_many_lines_are_compared_from_both_ends() {
        var before = Collections.nCopies(500, "a");
        var now = Collections.nCopies(600, "b");
        assertThat(LineDiff.of(before, now)).hasSize(1_100).startsWith("- a").endsWith("+ b");
        assertThat(LineDiff.of(before, Collections.nCopies(501, "a"))).containsExactly("+ a");
    }
}
