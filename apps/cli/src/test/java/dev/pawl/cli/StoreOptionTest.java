package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Where things are kept that belong to a store. */
class StoreOptionTest {

    private static List<Path> commands(Path file) {
        var option = CommandLine.populateCommand(new StoreOption(), "--store=" + file);
        return option.commands(() -> {
            throw new AssertionError("a file need not be opened for it");
        });
    }

    @Test
    void commands_are_beside_the_stores_file_and_earlier_ones_beside_a_link_to_it_are_found(@TempDir Path folder)
            throws IOException {
        var real = folder.toRealPath();
        var file = Files.createFile(real.resolve("pawl.db"));
        var link = Files.createSymbolicLink(real.resolve("link.db"), file);
        assertThat(commands(file)).containsExactly(real.resolve("pawl.db-commands"));
        assertThat(commands(link)).containsExactly(real.resolve("pawl.db-commands"));
        Files.createDirectory(real.resolve("link.db-commands"));
        assertThat(commands(link)).containsExactly(real.resolve("pawl.db-commands"), real.resolve("link.db-commands"));
        assertThat(commands(real.resolve("new.db"))).containsExactly(real.resolve("new.db-commands"));
    }
}
