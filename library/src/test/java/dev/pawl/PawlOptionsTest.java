package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a process is called, for people. */
class PawlOptionsTest {

    /** Says what it would be called. */
    static final class SaysItsName {
        private SaysItsName() {}

        public static void main(String[] arguments) {
            System.out.println(PawlOptions.usual().engineOptions().name());
        }
    }

    private static String otherProcess() throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SaysItsName.class.getName())
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    @Test
    void two_processes_of_one_host_name_and_process_number_are_told_apart() throws Exception {
        var ours = PawlOptions.usual().engineOptions().name();
        assertThat(PawlOptions.usual().engineOptions().name())
                .as("one process has one name")
                .isEqualTo(ours);
        assertThat(ours).matches("pawl-\\d+(@\\S+)?-[0-9a-f]{6}");
        assertThat(otherProcess().replaceFirst("pawl-\\d+", ""))
                .as("but for its number")
                .isNotEqualTo(ours.replaceFirst("pawl-\\d+", ""));
    }
}
