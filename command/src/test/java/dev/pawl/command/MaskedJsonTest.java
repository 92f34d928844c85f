package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A result is read first, and what is secret in it is masked then. */
class MaskedJsonTest {
    private static final Secrets SECRETS = Secrets.of(List.of("12345678", "tok-abcdefgh", "two\nlines of it"));

    private static void reads(String said, String expected) {
        assertThat(MaskedJson.read(said, SECRETS).toString()).isEqualTo(expected);
    }

    @Test
    void names_texts_and_numbers_are_masked_wherever_they_are() {
        reads(
                "{\"a\":[\"is tok-abcdefgh\",{\"b\":\"two\\nlines of it\"}],\"c\":true}",
                "{\"a\":[\"is ***\",{\"b\":\"***\"}],\"c\":true}");
        reads("{\"pin\":12345678,\"other\":1}", "{\"other\":1,\"pin\":\"***\"}");
        reads("{\"tok-abcdefgh\":1,\"12345678\":2}", "{\"***\":2,\"****\":1}");
        reads("it is tok-abcdefgh\n", "\"it is ***\"");
    }

    @Test
    void what_was_masked_before_it_was_read_is_still_json() {
        reads("{\"pin\":***,\"more\":[9***, \"a \\\" ***\"]}", "{\"more\":[\"9***\",\"a \\\" ***\"],\"pin\":\"***\"}");
        reads("***", "\"***\"");
        reads("it is ***, {", "\"it is ***, {\"");
    }

    @Test
    void what_two_readers_would_read_differently_is_text_as_it_was_written() {
        for (var odd : List.of("{\"a\":1,\"a\":2}", "{\"x\":\"\\ud800\"}")) {
            assertThat(MaskedJson.read(odd, Secrets.NONE).stringValue()).isEqualTo(odd);
        }
    }
}
