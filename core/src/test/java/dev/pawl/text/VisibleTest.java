package dev.pawl.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What others wrote is seen, all of it, and acts on no terminal. */
class VisibleTest {

    @Test
    void what_cannot_be_seen_is_written_out() {
        assertThat(Visible.of("a\u202Eb\u200b\ufeff\u001b[31m\u0085\u00ad\u2028"))
                .isEqualTo("a\\u202eb\\u200b\\ufeff\\u001b[31m\\u0085\\u00ad\\u2028");
        assertThat(Visible.of("one\ntwo\tthree\r")).isEqualTo("one\\ntwo\\tthree\\r");
        assertThat(Visible.of("\ud834\udd73")).isEqualTo("\\ud834\\udd73");
        assertThat(Visible.of("half \ud800")).isEqualTo("half \\ud800");
        assertThat(Visible.of("\u180b\u180f\u1810")).isEqualTo("\\u180b\\u180f\u1810");
        assertThat(Visible.of("\u3164\u2800\ufe0f\udb40\udd00")).isEqualTo("\\u3164\\u2800\\ufe0f\\udb40\\udd00");
    }

    @Test
    void what_can_be_seen_stays() {
        var text = "plain, caf\u00e9, \u65e5\u672c, \ud83d\ude00, \u05e9\u05dc\u05d5\u05dd";
        assertThat(Visible.of(text)).isSameAs(text);
        assertThat(Visible.lines("a\tb\nc")).isEqualTo("a\tb\nc");
    }

    @Test
    void lines_stay_lines_and_a_return_begins_one() {
        assertThat(Visible.lines("a\r\nb\r10%\rc\u0007")).isEqualTo("a\nb\n10%\nc\\u0007");
    }

    @Test
    void no_character_that_turns_or_takes_no_room_is_left() {
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(c -> c < ' ' || (c >= 0x7F && c < 0xA0) || Character.getType(c) == Character.FORMAT)
                .forEach(c -> assertThat(Visible.of(Character.toString(c)))
                        .as("%x", c)
                        .matches("[\\x20-\\x7e]+"));
    }
}
