package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A guard hands its standard input on. */
@Timeout(120)
class GuardInputTest {

    @TempDir
    private Path folder;

    private ProcessBuilder guard(String script, String... more) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "guard",
                "--name=g",
                "--store=" + folder.resolve("pawl.db")));
        command.addAll(List.of(more));
        command.addAll(List.of("--", "sh", "-c", "cd " + folder + "; " + script));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
    }

    private void endsWell(Process guard) throws IOException, InterruptedException {
        assertThat(guard.waitFor()).as(Files.readString(folder.resolve("said"))).isZero();
    }

    @Test
    void a_pipe_reaches_the_command_while_it_is_written_and_is_not_waited_for() throws Exception {
        var guard = guard("read -r first; echo \"$first\" > got", "--key=1").start();
        try (var pipe = guard.getOutputStream()) {
            pipe.write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
            pipe.flush();
            endsWell(guard);
        }
        assertThat(Files.readString(folder.resolve("got"))).isEqualTo("one\n");
    }

    @Test
    void what_is_left_of_a_file_reaches_the_command() throws Exception {
        Files.writeString(folder.resolve("given"), "one\ntwo\n");
        endsWell(guard("cat > got")
                .redirectInput(folder.resolve("given").toFile())
                .start());
        assertThat(Files.readString(folder.resolve("got"))).isEqualTo("one\ntwo\n");
    }

    @Test
    void a_loop_that_reads_its_lines_from_a_file_goes_on_after_a_guard() throws Exception {
        Files.writeString(folder.resolve("hosts"), "one\ntwo\n");
        var guard = guard("echo >> done");
        var loop = new ArrayList<>(List.of("sh", "-c", "while read -r host; do \"$@\" || exit 1; done", "sh"));
        loop.addAll(guard.command());
        endsWell(guard.command(loop)
                .redirectInput(folder.resolve("hosts").toFile())
                .start());
        assertThat(folder.resolve("done")).content().hasLineCount(2);
    }
}
