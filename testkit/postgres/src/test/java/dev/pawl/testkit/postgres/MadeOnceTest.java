package dev.pawl.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MadeOnceTest {
    @TempDir
    Path parent;

    @Test
    void of_processes_that_need_a_folder_on_a_new_machine_one_makes_it_and_all_have_it() throws Exception {
        var processes = new ArrayList<Process>();
        for (var count = 0; count < 3; count++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            OneOfThem.class.getName(),
                            parent.toString())
                    .inheritIO()
                    .start());
        }

        for (var process : processes) {
            assertThat(process.waitFor()).isZero();
        }
        assertThat(Files.readAllLines(parent.resolve("made"))).hasSize(1);
        assertThat(parent.resolve("18/what-belongs-there")).exists();
        try (var files = Files.list(parent)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("nobody leaves a half")
                    .containsExactlyInAnyOrder("made", "18", "18.lock");
        }
    }

    @Test
    void what_a_maker_that_died_left_is_no_folder() throws Exception {
        Files.createDirectories(parent.resolve("half123"));

        var made = MadeOnce.folder(parent, "18", half -> Files.writeString(half.resolve("whole"), ""));

        assertThat(made.resolve("whole")).exists();
    }

    /** A process that needs the folder. */
    static final class OneOfThem {
        private OneOfThem() {}

        public static void main(String[] arguments) throws IOException {
            var parent = Path.of(arguments[0]);
            var made = MadeOnce.folder(parent, "18", half -> {
                Files.write(
                        parent.resolve("made"), List.of("once"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                Files.writeString(half.resolve("what-belongs-there"), "");
            });
            if (!Files.exists(made.resolve("what-belongs-there"))) {
                System.exit(1);
            }
        }
    }
}
