package dev.pawl.checks.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The mistakes that {@code ./verify defects} and {@code ./verify races} plant fit the code of today; else nobody would notice that they are not planted. */
class PlantedTest {

    /** The lines that a patch expects in a file, hunk by hunk. */
    private record Expected(String file, List<String> lines) {}

    private static List<Expected> expectedBy(Path patch) throws IOException {
        var all = new ArrayList<Expected>();
        var file = "";
        for (var line : Files.readAllLines(patch)) {
            if (line.startsWith("--- a/")) {
                file = line.substring("--- a/".length());
            } else if (line.startsWith("@@")) {
                all.add(new Expected(file, new ArrayList<>()));
            } else if (!all.isEmpty() && (line.startsWith(" ") || line.startsWith("-")) && !line.startsWith("---")) {
                all.getLast().lines().add(line.substring(1));
            }
        }
        return all;
    }

    @Test
    void every_planted_mistake_fits_the_code_of_today() throws IOException {
        var patches = new ArrayList<Path>();
        for (var folder : List.of("checks/defects", "checks/races/planted")) {
            try (var files = Files.list(Sources.ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".patch")).forEach(patches::add);
            }
        }
        assertThat(patches).hasSizeGreaterThan(15);
        for (var patch : patches) {
            var hunks = expectedBy(patch);
            assertThat(hunks).as(patch.toString()).isNotEmpty();
            for (var hunk : hunks) {
                assertThat(Files.readString(Sources.ROOT.resolve(hunk.file())))
                        .as(patch + " does not fit " + hunk.file() + " any more")
                        .contains(String.join("\n", hunk.lines()));
            }
        }
    }
}
