package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who holds a file is read from what the kernel says, and told with the next move. */
class LockHolderTest {
    private static final long ME = ProcessHandle.current().pid();

    private static LockHolder holding(String... lines) throws IOException {
        return LockHolder.holding("777", List.of(lines));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1: POSIX  ADVISORY  WRITE %d 08:01:777 120 120",
                "1: POSIX  ADVISORY  WRITE %d 08:01:777 0 EOF",
                "1: POSIX  ADVISORY  WRITE %d 08:01:777 100 200"
            })
    void whoever_locks_the_writers_byte_is_found(String line) throws IOException {
        assertThat(holding("", String.format(line, ME)).pid()).isEqualTo(ME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1: POSIX  ADVISORY  READ %d 08:01:777 120 120",
                "1: POSIX  ADVISORY  WRITE %d 08:01:778 120 120",
                "1: POSIX  ADVISORY  WRITE %d 08:01:777 121 EOF",
                "1: POSIX  ADVISORY  WRITE %d 08:01:777 0 119",
                "1: -> POSIX"
            })
    void others_are_not(String line) throws IOException {
        assertThat(holding(String.format(line, ME)).pid()).isZero();
    }

    @Test
    void a_file_without_a_log_has_no_holder_that_could_be_known() {
        assertThat(LockHolder.of(Path.of("/no/such/file")).sentence()).contains("could not be found out");
    }

    @Test
    void a_long_command_is_cut_and_a_short_one_is_not() throws IOException {
        assertThat(commandOf("cat")).isEqualTo("cat");
        assertThat(commandOf("sh", "-c", "cat; exit", "x".repeat(100)))
                .startsWith("sh -c cat; exit xxx")
                .hasSize(81)
                .endsWith("…");
    }

    private static String commandOf(String... words) throws IOException {
        var process = new ProcessBuilder(words).start();
        try (var in = process.outputWriter();
                var out = process.inputReader()) {
            // Only one that answers is surely what it is going to be.
            in.write("there?\n");
            in.flush();
            assertThat(out.readLine()).isEqualTo("there?");
            return holding("1: POSIX ADVISORY WRITE " + process.pid() + " 08:01:777 0 EOF")
                    .command();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void one_that_is_stopped_can_be_continued_and_one_that_writes_ends_by_itself() {
        assertThat(new LockHolder(5, 'T', "x").sentence()).contains("kill -CONT 5");
        assertThat(new LockHolder(5, 't', "x").sentence()).contains("kill -CONT 5");
        assertThat(new LockHolder(5, 'S', "x").sentence())
                .contains("is writing")
                .doesNotContain("-CONT");
    }
}
