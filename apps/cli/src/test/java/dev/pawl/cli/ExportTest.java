package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.export.StoreKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store as lines, as a person asks for it. */
class ExportTest {
    @TempDir
    private Path folder;

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + folder.resolve("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    @Test
    void it_is_there_as_a_whole_for_its_owner_alone_over_no_other_file_and_known_when_it_was_changed()
            throws Exception {
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":\"a\"}\n{\"id\":\"b\"}\n");
        var file = folder.resolve("store.jsonl");
        assertThat(pawl("export", file.toString()).err()).as("no store yet").contains("pawl.db");
        assertThat(pawl("batch", "run", rows.toString(), "--name", "n", "--key", "id", "--", "true")
                        .code())
                .isZero();

        var written = pawl("export", file.toString());
        assertThat(written.code()).as(written.err()).isZero();
        assertThat(written.out()).startsWith(file + ": job 2, entry ");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readAllLines(file).getFirst()).contains("\"kind\":\"export\"");
        assertThat(pawl("export", "--check", file.toString()).out()).startsWith(file + " is whole: job 2, entry ");
        assertThat(pawl("export", "--check", "--json", file.toString()).out()).contains("\"job\":{\"lines\":2");

        var again = pawl("export", file.toString());
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("is there already");
        assertThat(pawl("export", folder.resolve("nowhere/x.jsonl").toString()).err())
                .contains("there is no folder");

        var lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, lines.size() - 1));
        var cut = pawl("export", "--check", file.toString());
        assertThat(cut.code()).isEqualTo(2);
        assertThat(cut.err()).contains("store.jsonl: line " + lines.size() + " is missing", "not whole");
        try (var there = Files.list(folder)) {
            assertThat(there.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith(".export"));
        }
    }

    @Test
    void the_page_names_every_kind_and_field() throws Exception {
        var page = Files.readAllLines(Path.of("../../docs/guide/export.md"));
        for (var kind : StoreKind.values()) {
            var fields = kind.fields().stream().map(field -> "`" + field + "`").collect(Collectors.joining(", "));
            assertThat(page)
                    .anyMatch(line ->
                            line.startsWith("| `" + kind.word() + "` | ") && line.endsWith(" | " + fields + " |"));
        }
    }
}
