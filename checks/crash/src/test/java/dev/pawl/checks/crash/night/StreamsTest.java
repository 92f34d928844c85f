package dev.pawl.checks.crash.night;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes into and out of {@code pawl} reaches whom it is for, or somebody is told. */
@Timeout(120)
class StreamsTest {
    private static final Path ROOT = Path.of(System.getProperty("pawl.root"));

    @TempDir
    private Path folder;

    private record Said(int code, String all) {}

    @BeforeAll
    static void build() throws Exception {
        new ProcessBuilder(ROOT.resolve("pawl").toString(), "--version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** What a shell says to {@code script}, in which {@code pawl} works with a store of its own. */
    private Said shell(String script) throws IOException, InterruptedException {
        var file = Files.writeString(
                folder.resolve("script"),
                "pawl() { '" + ROOT.resolve("pawl") + "' \"$@\"; }\nPAWL_STORE='" + folder.resolve("pawl.db")
                        + "'; export PAWL_STORE\ncd '" + folder + "'\n" + script + "\n");
        var builder = new ProcessBuilder("sh", file.toString()).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        var process = builder.start();
        process.getOutputStream().close();
        var all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), all);
    }

    @Test
    void a_guard_whose_output_is_not_taken_says_so_and_does_not_pass_for_done() throws Exception {
        var lost = shell("pawl guard --name dump --key 1 -- sh -c 'echo hello' > /dev/full");
        assertThat(lost.code()).as(lost.all()).isEqualTo(125);
        assertThat(lost.all())
                .contains("has run and ended with 0, but not all that it wrote could be written to standard output")
                .contains("pawl resubmit guard.dump/1 --note WHY");
        var failed =
                shell("pawl guard --name dump --key 2 --exit 3=permanent -- sh -c 'echo hello; exit 3' > /dev/full");
        assertThat(failed.code()).as(failed.all()).isEqualTo(3);
        assertThat(failed.all()).contains("ended with 3, but not all");
        var nobody = shell("pawl guard --name endless --timeout 1m -- yes | head -1");
        assertThat(nobody.all()).startsWith("y\n").doesNotContain("its time was up", "not all");
    }

    @Test
    void a_guard_of_one_work_item_leaves_the_others_alone() throws Exception {
        var later = "echo '{\"class\":\"transient\",\"retryAfter\":\"1h\"}' > $PAWL_FAILURE; exit 75";
        Files.writeString(folder.resolve("mon.sh"), "echo mon >> ran; " + later);
        var first = "pawl guard --name b --key mon -- sh mon.sh";
        assertThat(shell(first).code()).isEqualTo(75);
        assertThat(shell("pawl retry guard.b/mon --now --note x").code()).isZero();
        assertThat(shell("pawl guard --name b --key tue -- sh -c 'echo tue >> ran'")
                        .code())
                .isZero();
        assertThat(Files.readAllLines(folder.resolve("ran")))
                .as("nobody ran the one for the other")
                .containsExactly("mon", "tue");
        assertThat(shell("pawl jobs").all()).contains("DONE      guard.b/tue").containsPattern("READY +guard.b/mon");
    }

    @Test
    void a_list_that_could_not_be_written_is_not_taken_for_whole() throws Exception {
        assertThat(shell("pawl guard --name g --key 1 -- true").code()).isZero();
        var list = shell("pawl jobs > /dev/full");
        assertThat(list.code()).as(list.all()).isEqualTo(75);
        assertThat(list.all()).contains("not all could be written to standard output");
        assertThat(shell("{ pawl jobs; echo code $? >&2; } | true").all()).isEqualTo("code 0\n");
    }

    @Test
    void a_word_that_is_no_text_is_refused_and_a_commands_locale_is_the_callers() throws Exception {
        var bytes = shell("pawl guard --name b -- echo \"$(printf 'a\\377b')\"");
        assertThat(bytes.code()).as(bytes.all()).isEqualTo(125);
        assertThat(bytes.all()).contains("is not UTF-8");
        assertThat(shell("pawl guard --name l -- sh -c 'echo locale $LC_ALL'").all())
                .contains("locale C\n");
    }
}
