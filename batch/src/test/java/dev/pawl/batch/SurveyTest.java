package dev.pawl.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.Pawl;
import dev.pawl.job.Workflow;
import dev.pawl.json.Json;
import dev.pawl.key.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is found out about rows before anything starts. */
class SurveyTest {
    private static final Survey.LookUp NOTHING = hashes -> Map.of();

    @TempDir
    private Path root;

    private Survey survey(String key, @Nullable Pawl pawl, String... rows) throws IOException {
        var file = root.resolve("rows.jsonl");
        Files.write(file, List.of(rows));
        return Survey.of(
                RowFile.at(file), "nightly", KeyFields.of(key), pawl == null ? NOTHING : pawl.operator()::briefs, null);
    }

    private static List<Key> left(Survey survey) throws IOException {
        var keys = new ArrayList<Key>();
        survey.eachLeft((key, row) -> keys.add(key));
        return keys;
    }

    @Test
    void a_row_is_itself_by_its_key_and_the_same_row_twice_is_one() throws IOException {
        var survey = survey("id", null, "{\"id\":1,\"a\":2}", "{\"a\":2.0,\"id\":1}", "{\"id\":2}");
        assertThat(survey.troubles(false)).isEmpty();
        assertThat(survey.counts().repeated).isEqualTo(1);
        assertThat(survey.counts().left).isEqualTo(2);
        assertThat(left(survey)).containsExactly(Key.of(1), Key.of(1), Key.of(2));
    }

    @Test
    void different_rows_with_one_key_are_all_listed() throws IOException {
        var survey = survey("id", null, "{\"id\":1}", "{\"id\":1,\"a\":2}", "{\"id\":2}", "{\"id\":1,\"a\":3}");
        assertThat(survey.troubles(false)).hasSize(1).first().asString().contains("lines 1, 2, 4", "--key");
    }

    @Test
    void rows_without_a_key_are_listed_with_the_field_that_is_missing() throws IOException {
        var survey = survey(
                "id,user.name",
                null,
                "{\"id\":1,\"user\":{\"name\":\"anna\"}}",
                "{\"id\":1}",
                "{\"id\":null,\"user\":{\"name\":\"b\"}}",
                "{\"id\":[1],\"user\":{\"name\":\"b\"}}",
                "{\"id\":\" \",\"user\":{\"name\":\"b\"}}",
                "{\"id\":true,\"user.name\":\"c\"}");
        var trouble = survey.troubles(false).getFirst();
        assertThat(trouble)
                .contains("4 rows", "line 2: there is no field \"user.name\"", "line 3: there is no field \"id\"")
                .contains("line 4: field \"id\" is no text and no number", "line 5: field \"id\" is empty");
        assertThat(left(survey("id", null, "{\"id\":1.50}"))).containsExactly(Key.of("1.5"));
        assertThat(survey("id", null, "{\"id\":1e99999999}").troubles(false).getFirst())
                .contains("very many digits");
        assertThat(survey("id", null, "{\"id\":1,\"n\":1e99999999}")
                        .troubles(false)
                        .getFirst())
                .contains("line 1", "10000 digits");
        assertThatIllegalArgumentException().isThrownBy(() -> KeyFields.of("a,,b"));
    }

    @Test
    void lines_that_are_no_rows_are_refused_or_put_aside() throws IOException {
        var survey = survey("id", null, "{\"id\":1}", "rubbish");
        assertThat(survey.troubles(false))
                .hasSize(1)
                .first()
                .asString()
                .contains("1 line cannot be read", "line 2", "--skip-bad-lines");
        var aside = new TreeMap<Long, String>();
        var skipping = Survey.of(
                RowFile.at(root.resolve("rows.jsonl")),
                "nightly",
                KeyFields.of("id"),
                NOTHING,
                row -> aside.put(row.line(), row.trouble() + " " + row.text()));
        assertThat(skipping.troubles(false)).isEmpty();
        assertThat(aside).containsOnlyKeys(2L);
        assertThat(aside.get(2L)).startsWith("not JSON").endsWith(" rubbish");
    }

    @Test
    void a_long_list_is_cut() throws IOException {
        var rows = new String[50];
        for (var i = 0; i < rows.length; i++) {
            rows[i] = "rubbish";
        }
        assertThat(survey("id", null, rows).troubles(false).getFirst())
                .contains("line 20", "and 30 more")
                .doesNotContain("line 21:");
    }

    @Test
    void a_key_that_is_another_one_tomorrow_is_refused_unless_somebody_insists() throws IOException {
        var rows = new String[20];
        for (var i = 0; i < rows.length; i++) {
            rows[i] = "{\"id\":" + (1_775_995_200L + i) + "}";
        }
        var survey = survey("id", null, rows);
        assertThat(survey.troubles(false)).hasSize(1).first().asString().contains("--allow-volatile-key");
        assertThat(survey.troubles(true)).isEmpty();
    }

    @Test
    void what_is_done_is_seen_and_what_was_given_up_too() throws Exception {
        var workflow = Workflow.named("nightly", JsonNode.class, JsonNode.class);
        try (var pawl = Pawl.inMemory()) {
            pawl.work(workflow.implementedBy((job, row) -> {
                if (row.get("id").asInt() == 2) {
                    throw new dev.pawl.failure.PermanentFailure("no");
                }
                return row;
            }));
            for (var id : List.of(1, 2, 3)) {
                var row = Objects.requireNonNull(Json.read("{\"id\":" + id + "}", JsonNode.class));
                try {
                    pawl.submit(workflow, Key.of(id), row).join();
                } catch (dev.pawl.failure.JobFailed failed) {
                    assertThat(id).isEqualTo(2);
                }
            }
            var survey = survey("id", pawl, "{\"id\":1}", "{\"id\":2}", "{\"id\":3,\"more\":1}", "{\"id\":4}");
            assertThat(survey.counts().done).isEqualTo(2);
            assertThat(survey.counts().changed).isEqualTo(1);
            assertThat(survey.counts().failed).isEqualTo(1);
            assertThat(survey.counts().left).isEqualTo(1);
            assertThat(survey.remarks())
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("1 row was done with other values than it has now, and is not done again");
            assertThat(left(survey)).containsExactly(Key.of(4));
        }
    }

    @Test
    void many_rows_are_told_apart() throws IOException {
        var seen = new SeenRows();
        for (var i = 1; i <= 100_000; i++) {
            var hash = new dev.pawl.key.Identity("w", Key.of(i)).hash();
            assertThat(seen.add(hash, i, i)).isZero();
            if (i % 2 == 0) {
                seen.leave(hash);
            }
        }
        var hash = new dev.pawl.key.Identity("w", Key.of(77)).hash();
        assertThat(seen.add(hash, 77, 1_000_000)).isEqualTo(77);
        assertThat(seen.sameRow(hash, 77)).isTrue();
        assertThat(seen.sameRow(hash, 78)).isFalse();
        assertThat(seen.isLeft(hash)).isFalse();
        assertThat(seen.isLeft("0".repeat(32))).isFalse();
        var left = new ArrayList<String>();
        seen.eachLeft(left::add);
        assertThat(left)
                .hasSize(50_000)
                .doesNotHaveDuplicates()
                .contains(new dev.pawl.key.Identity("w", Key.of(78)).hash());
    }

    @Test
    void rows_that_were_changed_after_they_were_looked_at_are_refused_with_their_lines() throws IOException {
        var survey = survey("id", null, "{\"id\":1,\"a\":1}", "{\"id\":2}", "{\"id\":3}");
        var file = root.resolve("rows.jsonl");
        var time = Files.getLastModifiedTime(file);
        Files.write(file, List.of("{\"id\":1,\"a\":1}", "{\"id\":4}", "{\"id\":3}"));
        var told = new ArrayList<Key>();
        assertThatExceptionOfType(RowsChanged.class)
                .isThrownBy(() -> survey.eachLeft((key, row) -> told.add(key)))
                .withMessageContaining("rows.jsonl was changed while it was read")
                .withMessageContaining("line 2: is another row now");
        Files.write(file, List.of("{\"id\":1,\"a\":2}", "{\"id\":2}", "{\"id\":3}"));
        assertThatExceptionOfType(RowsChanged.class)
                .isThrownBy(() -> survey.eachLeft((key, row) -> told.add(key)))
                .withMessageContaining("line 1: is another row now");
        Files.write(file, List.of("{\"id\":1,\"a\":1}", "{\"id\":2}"));
        assertThatExceptionOfType(RowsChanged.class)
                .isThrownBy(() -> survey.eachLeft((key, row) -> told.add(key)))
                .withMessageContaining("it had 3 rows and has 2");
        assertThat(told).as("nothing was begun").isEmpty();
        Files.write(file, List.of("{\"id\":1,\"a\":1}", "{\"id\":2}", "{\"id\":3}"));
        assertThat(left(survey)).as("the same rows again").containsExactly(Key.of(1), Key.of(2), Key.of(3));
        Files.write(file, List.of("{\"id\":1,\"a\":1}", "{\"id\":5}", "{\"id\":3}"));
        Files.setLastModifiedTime(file, time);
        assertThatExceptionOfType(RowsChanged.class)
                .as("also where nothing about the file tells")
                .isThrownBy(() -> left(survey))
                .withMessageContaining("line 2");
    }
}
