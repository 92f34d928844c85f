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

    @Test
    void what_one_text_lacks_is_told_wherever_it_was() {
        assertThat(LineDiff.of(List.of("a"), List.of())).containsExactly("- a");
        assertThat(LineDiff.of(List.of("a", "b"), List.of("a"))).containsExactly("- b");
        assertThat(LineDiff.of(List.of("a", "a", "a"), List.of("a", "a"))).containsExactly("- a");
        assertThat(LineDiff.of(List.of("a", "a"), List.of("a", "a", "a"))).containsExactly("+ a");
        assertThat(LineDiff.of(List.of("x", "a", "y"), List.of("a", "z", "w")))
                .containsExactly("- x", "- y", "+ z", "+ w");
        assertThat(LineDiff.of(List.of("a"), List.of("b", "c"))).containsExactly("- a", "+ b", "+ c");
    }

    @Test
    void very_many_new_lines_are_told_as_they_are() {
        assertThat(LineDiff.of(List.of("a", "b"), Collections.nCopies(500, "c")))
                .hasSize(502)
                .startsWith("- a", "- b", "+ c");
    }

    @Test
    void a_line_that_goes_on_where_the_other_ends_is_told_from_a_little_before() {
        var same = "x".repeat(100);
        assertThat(LineDiff.of(List.of(same), List.of(same + "y")))
                .containsExactly("- …" + "x".repeat(30), "+ …" + "x".repeat(30) + "y");
    }

    @Test
    void no_character_is_cut_in_two() {
        var faces = "\ud83d\ude00".repeat(50);
        assertThat(LineDiff.of(List.of("a" + faces + "x"), List.of("a" + faces + "y")))
                .containsExactly("- …" + "\ud83d\ude00".repeat(15) + "x", "+ …" + "\ud83d\ude00".repeat(15) + "y");
        assertThat(LineDiff.of(List.of(faces + "1x"), List.of(faces + "1y")))
                .containsExactly("- …" + "\ud83d\ude00".repeat(14) + "1x", "+ …" + "\ud83d\ude00".repeat(14) + "1y");
    }
}
