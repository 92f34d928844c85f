package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.effect.Verification;
import dev.pawl.json.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A look-up is believed when it says one of three things, and nothing else. */
class LookUpAnswersTest {

    private static Verification<JsonNode> of(String json) {
        return LookUpAnswers.of(java.util.Objects.requireNonNull(Json.read(json, JsonNode.class)));
    }

    @Test
    void three_sentences_mean_something() {
        assertThat(of("{\"happened\":true,\"result\":{\"pr\":1}}"))
                .isEqualTo(Verification.happened(Json.read("{\"pr\":1}", JsonNode.class)));
        assertThat(of("{\"happened\":true}")).isEqualTo(Verification.happened(null));
        assertThat(of("{\"happened\":false}")).isEqualTo(Verification.didNotHappen());
        assertThat(of("{\"askAgain\":\"30s\"}")).isEqualTo(Verification.askAgain(Duration.ofSeconds(30)));
    }

    @Test
    void everything_else_is_what_broken_look_ups_produce() {
        for (var said : new String[] {
            "[]",
            "{}",
            "\"happened\"",
            "null",
            "true",
            "{\"happened\":\"true\"}",
            "{\"happened\":null}",
            "{\"askAgain\":30}",
            "{\"askAgain\":\"soon\"}",
            "{\"happened\":false,\"askAgain\":\"30s\"}"
        }) {
            assertThat(of(said)).as(said).isInstanceOf(Verification.CannotTell.class);
        }
    }

    @Test
    void a_program_is_found_as_a_shell_would() {
        var here = java.nio.file.Path.of("/tmp");
        assertThat(Program.trouble("sh", here, Map.of())).isNull();
        assertThat(Program.trouble("/bin/sh", here, Map.of())).isNull();
        assertThat(Program.trouble("no-such-program", here, Map.of())).contains("in PATH");
        assertThat(Program.trouble("sh", here, Map.of("PATH", "/nowhere"))).contains("in PATH");
        assertThat(Program.trouble("./no-such-program", here, Map.of())).contains("there is no program");
        assertThat(Program.trouble("/etc/passwd", here, Map.of())).contains("chmod +x");
        assertThat(Program.trouble("sh", here.resolve("no-such-folder"), Map.of()))
                .contains("there is no folder");
    }
}
