package dev.pawl.command;

import static dev.pawl.command.MindersTest.UNTIL_GO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.effect.Contract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What must not be kept of what commands write is not kept, wherever it stands. */
class CommandSecretsTest extends CommandHarness {
    @Test
    void secrets_are_masked_in_whatever_is_kept() throws Exception {
        var job = step(
                call("echo the token is hunter22-hunter; echo hunter22-hunter >&2", Map.of(), "hunter22-hunter", "e"));
        assertThat(result(job)).isEqualTo("\"the token is ***\"");
        assertThat(log(job)).contains("***").doesNotContain("hunter22");
    }

    private static final String KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END KEY-----\n";

    /** A call whose command finds a key in a file: its words do not hold it. */
    private CommandCall callWithKey(String script) throws IOException {
        Files.writeString(root.resolve("key"), KEY);
        return call(
                "as_json() { printf '{\"key\":\"'; sed 's/$/\\\\n/' key | tr -d '\\n'; printf '\",\"n\":1}'; }; "
                        + script,
                Map.of(),
                KEY);
    }

    private void nothingRawIsIn(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain("MIIEvQ");
            }
        }
    }

    @Test
    void a_key_of_several_lines_is_masked_in_a_result_that_is_json() throws Exception {
        var job = step(callWithKey("as_json; as_json >&2; cat key >&2"));
        assertThat(result(job)).isEqualTo("{\"key\":\"***\\n\",\"n\":1}");
        assertThat(log(job)).contains("***").doesNotContain("MIIEvQ");
    }

    @Test
    void a_key_is_masked_in_whatever_else_a_command_says() throws Exception {
        var said = callWithKey(
                "as_json > $PAWL_RESULT; printf '{\"model\":\"%s\",\"nanoUsd\":5}' MIIEvQIBADANBgkqhkiG9w0BAQEF > $PAWL_USAGE; "
                        + "printf '{\"class\":\"permanent\",\"why\":\"no %s\"}' MIIEvQIBADANBgkqhkiG9w0BAQEF > $PAWL_FAILURE; exit 1");
        var job = step(said);
        assertThat(Objects.requireNonNull(job.outcome().failure()).failure().message())
                .isEqualTo("exit 1: no ***");
        assertThat(store.journal(job.id()).toString()).contains("model=***").doesNotContain("MIIEvQ");
    }

    @Test
    void while_a_job_is_paused_no_secret_is_in_the_folder_of_its_command() throws Exception {
        var job = effect(Contract.none(), callWithKey("as_json > $PAWL_RESULT; cat key; cat key >&2; exit 79"));
        assertThat(because(job)).contains("exit 79").doesNotContain("MIIEvQ");
        assertThat(log(job)).contains("***").doesNotContain("MIIEvQ");
        nothingRawIsIn(root.resolve("commands"));
    }

    @Test
    void nor_is_one_when_its_minder_was_killed() throws Exception {
        var job = takenOver(
                Contract.none(),
                callWithKey("as_json > $PAWL_RESULT; cat key; touch begun; " + UNTIL_GO),
                MindersTest::killTheMinder);
        assertThat(because(job)).contains("its minder was killed");
        nothingRawIsIn(root.resolve("commands"));
    }
}
