package dev.pawl.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What reads files that people write. */
class YamlTest {
    private final List<Problem> problems = new ArrayList<>();

    @Test
    void every_part_knows_where_it_stands() {
        var read = (Yaml.Mapping) Objects.requireNonNull(Yaml.read("name: night\nrows:\n  - one\n  - two\n", problems));
        var rows = (Yaml.Listing) Objects.requireNonNull(read.get("rows"));
        assertThat(rows.items().getLast().at()).isEqualTo(new Yaml.At(4, 5));
        assertThat(read.get("nothing")).isNull();
        assertThat(problems).isEmpty();
    }

    @Test
    void what_is_wrong_is_told_with_line_and_column() {
        assertThat(Yaml.read("a: [1\n", problems)).isNull();
        assertThat(Yaml.read("a: 1\na: 2\n", problems)).isNotNull();
        assertThat(problems.getFirst().text("night.yaml")).startsWith("night.yaml:2:1: this is no YAML: ");
        assertThat(problems.getLast().text("night.yaml")).isEqualTo("night.yaml:2:1: \"a\" stands here twice");
    }

    @Test
    void a_path_leads_into_values_and_is_no_expression() {
        var root = JsonMapper.shared().readTree("{\"rows\":[{\"id\":7}]}");
        var path = ValuePath.of(" input.rows.0.id ").orElseThrow();
        assertThat(path.root()).isEqualTo("input");
        assertThat(Objects.requireNonNull(path.in(root)).asInt()).isEqualTo(7);
        assertThat(ValuePath.of("input.rows.1.id").orElseThrow().in(root)).isNull();
        assertThat(ValuePath.of("input..id")).isEmpty();
        assertThat(ValuePath.of("1 + 1")).isEmpty();
    }

    @Test
    void whoever_mistyped_is_told_what_they_meant() {
        assertThat(Nearest.to("reslts", List.of("input", "results"))).contains("results");
        assertThat(Nearest.hint("xyz", List.of("input", "results"))).isEqualTo("; there are input, results");
    }
}
