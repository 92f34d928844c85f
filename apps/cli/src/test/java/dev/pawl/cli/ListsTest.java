package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of jobs, of what happened to them, and parts of a job's history. */
class ListsTest {
    @TempDir
    private Path folder;

    private Typing pawl(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add("--store=" + folder.resolve("pawl.db"));
        return Typing.of(all.toArray(String[]::new));
    }

    @BeforeEach
    void aNight() throws IOException {
        var rows = folder.resolve("rows.jsonl");
        Files.write(
                rows, List.of("{\"slug\":\"2026-04/one\"}", "{\"slug\":\"2026-04/two\"}", "{\"slug\":\"2026-05\"}"));
        var night = Typing.of(
                "batch",
                "run",
                rows + "",
                "--name",
                "nightly",
                "--key",
                "slug",
                "--halt-after",
                "0",
                "-j",
                "1",
                "--store=" + folder.resolve("pawl.db"),
                "--",
                "sh",
                "-c",
                "read -r row; case $row in *two*) exit 65;; esac");
        assertThat(night.code()).as(night.toString()).isEqualTo(1);
    }

    private List<String> listed(String... words) {
        var all = new ArrayList<>(List.of("jobs", "-q"));
        all.addAll(List.of(words));
        var typed = pawl(all.toArray(String[]::new));
        assertThat(typed.code()).as(typed.toString()).isZero();
        return typed.out().lines().toList();
    }

    @Test
    void jobs_are_listed_newest_first_by_key_class_time_and_so_many_at_the_most() {
        assertThat(listed()).containsExactly("nightly/2026-05", "nightly/2026-04%2Ftwo", "nightly/2026-04%2Fone");
        assertThat(listed("--oldest-first", "-n", "2"))
                .containsExactly("nightly/2026-04%2Fone", "nightly/2026-04%2Ftwo");
        assertThat(listed("--key", "2026-04")).containsExactly("nightly/2026-04%2Ftwo", "nightly/2026-04%2Fone");
        assertThat(listed("--class", "permanent")).containsExactly("nightly/2026-04%2Ftwo");
        assertThat(listed("--class", "transient,account")).isEmpty();
        assertThat(listed("--since", "1h", "--state", "done"))
                .containsExactly("nightly/2026-05", "nightly/2026-04%2Fone");
        assertThat(listed("--since", "2100-01-01T00:00:00Z")).isEmpty();
        assertThat(listed("--queue", "", "--principal", "")).hasSize(3);
        assertThat(listed("--queue", "mail")).isEmpty();
        assertThat(pawl("jobs", "-n", "0").code()).isEqualTo(2);
        assertThat(pawl("jobs", "--class", "odd").err()).contains("transient");
    }

    @Test
    void what_happened_is_told_from_a_cursor_on() {
        var first = pawl("happened", "-n", "2");
        assertThat(first.out()).isEqualTo("""
                nightly/2026-04%2Fone  submitted
                nightly/2026-04%2Ftwo  submitted
                """);
        assertThat(first.err()).contains("pawl: go on from here with --after ");
        var cursor = first.err().strip().replaceFirst(".* ", "");
        var rest = pawl("happened", "--after", cursor);
        assertThat(rest.out())
                .startsWith("nightly/2026-05  submitted\n")
                .contains("nightly/2026-05  done\n", "nightly/2026-04%2Ftwo  failed\n")
                .doesNotContain("nightly/2026-04%2Fone  submitted");
        assertThat(pawl("happened", "--json", "--workflow", "other").out()).isEmpty();
        assertThat(pawl("happened", "--json", "-n", "1").out())
                .isEqualTo("{\"cursor\":\"1.0.0\",\"job\":\"nightly/2026-04%2Fone\",\"what\":\"submitted\"}\n");
        var bad = pawl("happened", "--after", "yesterday");
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err()).contains("that is no cursor");
    }

    @Test
    void the_end_of_a_history_can_be_shown_alone() {
        var whole = pawl("show", "nightly/2026-05").out().lines().toList();
        var last = pawl("show", "nightly/2026-05", "-n", "1").out().lines().toList();
        assertThat(last).hasSizeLessThan(whole.size());
        assertThat(whole).containsAll(last);
        assertThat(pawl("show", "nightly/2026-05", "-n", "0").code()).isEqualTo(2);
    }
}
