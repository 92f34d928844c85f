package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A signal that a guard gets is its command's while that runs, and its own while it does not. */
@Timeout(120)
class GuardSignalTest {

    @TempDir
    private Path folder;

    private String said() throws IOException {
        return Files.readString(folder.resolve("said"));
    }

    @Test
    void a_guard_whose_command_does_not_run_ends_when_it_is_told_to() throws Exception {
        var store = folder.resolve("pawl.db");
        var guard = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "guard",
                        "--name=g",
                        "--key=1",
                        "--store=" + store,
                        "--",
                        "sh",
                        "-c",
                        "cd " + folder
                                + "; trap '' TERM; touch begun; while ! test -e go; do sleep 0.05; done; touch over")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
                var statement = connection.createStatement()) {
            while (!Files.exists(folder.resolve("begun"))) {
                assertThat(guard.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
            }
            statement.execute("pragma busy_timeout = 60000");
            statement.execute("begin immediate");
            guard.destroy();
            Files.createFile(folder.resolve("go"));
            // As long as the command runs the signal is its own.
            while (!said().contains("TERM came while no command runs")) {
                assertThat(guard.waitFor(50, TimeUnit.MILLISECONDS)).isFalse();
                guard.destroy();
            }
        }
        assertThat(guard.waitFor()).as(said()).isEqualTo(GuardCommand.OURS);
        assertThat(folder.resolve("over")).exists();
        assertThat(said()).contains("guard g was ended by TERM after its command was begun");
    }
}
