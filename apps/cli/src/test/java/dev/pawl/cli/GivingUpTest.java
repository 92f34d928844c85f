package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that can work no more ends, and keeps nobody else away. */
class GivingUpTest {
    @TempDir
    private Path folder;

    private String[] batch() {
        return new String[] {
            "batch",
            "run",
            folder.resolve("rows.jsonl").toString(),
            "--name=b",
            "--key=id",
            "--contract=repeatable",
            "--store=" + folder.resolve("pawl.db"),
            "--",
            "sh",
            "-c",
            "cd " + folder + "; echo >> begun; while ! test -e go; do sleep 0.05; done"
        };
    }

    @Test
    void a_run_without_memory_ends_and_the_next_one_goes_on() throws Exception {
        Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-Deat.when=" + folder.resolve("begun"),
                "-cp",
                System.getProperty("java.class.path"),
                EatsMemory.class.getName()));
        command.addAll(List.of(batch()));
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("it ends").isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("said")))
                .isNotZero();
        Files.createFile(folder.resolve("go"));
        var next = Typing.of(batch());
        assertThat(next.err()).doesNotContain("stands down");
        assertThat(next.out()).as("%s", next).contains("done=1");
        assertThat(next.code()).isZero();
        assertThat(Files.readAllLines(folder.resolve("begun"))).hasSize(1);
    }
}
