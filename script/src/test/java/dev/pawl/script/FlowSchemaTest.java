package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.pawl.command.Meaning;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What editors are told about flows is what Pawl itself says. */
class FlowSchemaTest {

    private static boolean fits(String json) throws IOException {
        try (var schema = Objects.requireNonNull(Flow.class.getResourceAsStream("flow.schema.json"))) {
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(new String(schema.readAllBytes(), StandardCharsets.UTF_8))
                    .validate(json, InputFormat.JSON)
                    .isEmpty();
        }
    }

    private static void agree(boolean fits, String json) throws IOException {
        assertThat(fits(json)).as(json).isEqualTo(fits);
        boolean read;
        try {
            FlowReader.read(Path.of("/somewhere/flow.yaml"), json);
            read = true;
        } catch (FlowMistaken mistaken) {
            read = false;
        }
        assertThat(read).as(json).isEqualTo(fits);
    }

    private static String steps(String steps) {
        return "{\"workflow\":\"w\",\"key\":[\"input.id\"],\"steps\":[" + steps + "]}";
    }

    /** JSON is YAML, so both can be asked the same. */
    @Test
    void the_schema_and_the_reader_agree() throws IOException {
        agree(true, steps("{\"step\":\"a\",\"run\":\"b\"}"));
        agree(
                true,
                steps(
                        "{\"step\":\"a\",\"run\":[\"b\",\"c\"],\"timeout\":\"1h30m\",\"retry\":{\"attempts\":3},\"exit\":{\"1\":\"transient\"},\"env\":{\"A\":\"b\"},\"stdin\":\"input.x\",\"was\":\"z\"}"));
        agree(
                true,
                steps(
                        "{\"effect\":\"a\",\"run\":\"b\",\"contract\":{\"idempotent\":\"48h\"},\"verify\":\"c\",\"settle\":\"3s\"}"));
        agree(
                true,
                steps("{\"approve\":\"x\",\"ask\":\"May it?\",\"expires\":\"12h\"},{\"effect\":\"a\",\"run\":\"b\"}"));
        agree(true, steps("{\"sleep\":\"x\",\"for\":\"10m\"}"));
        agree(
                true,
                steps(
                        "{\"foreach\":\"x\",\"in\":\"input.l\",\"key\":\"item\",\"at-once\":2,\"steps\":[{\"step\":\"a\",\"run\":\"b\"}]}"));
        agree(false, steps("{\"step\":\"a\"}"));
        agree(false, steps("{\"step\":\"a\",\"run\":\"b\",\"contract\":\"none\"}"));
        agree(false, steps("{\"step\":\"a\",\"run\":\"b\",\"timout\":\"1s\"}"));
        agree(false, steps("{\"effect\":\"a\",\"run\":\"b\",\"contract\":\"sometimes\"}"));
        agree(false, steps("{\"sleep\":\"x\",\"for\":\"a while\"}"));
        agree(false, steps("{\"foreach\":\"x\",\"in\":\"input.l\",\"steps\":[{\"step\":\"a\",\"run\":\"b\"}]}"));
        agree(false, "{\"key\":[\"input.id\"],\"steps\":[{\"step\":\"a\",\"run\":\"b\"}]}");
        agree(false, "{\"workflow\":\"w\",\"key\":[\"${input.id}\"],\"steps\":[{\"step\":\"a\",\"run\":\"b\"}]}");
    }

    @Test
    void the_schema_has_the_same_words_for_what_exit_codes_mean() throws IOException {
        for (var word : Meaning.WORDS.all()) {
            agree(true, steps("{\"step\":\"a\",\"run\":\"b\",\"exit\":{\"1\":\"" + word + "\"}}"));
            agree(true, steps("{\"effect\":\"a\",\"run\":\"b\",\"exit\":{\"1\":\"" + word + "\"}}"));
        }
        agree(false, steps("{\"step\":\"a\",\"run\":\"b\",\"exit\":{\"1\":\"unknown\"}}"));
        agree(false, steps("{\"step\":\"a\",\"run\":\"b\",\"exit\":{\"1\":\"Done\"}}"));
    }

    @Test
    void the_example_can_be_read() throws IOException {
        var flow = FlowReader.read(Path.of("../examples/shell/blog-pr/daily-blog-pr.yaml"));
        assertThat(flow.steps()).hasSize(3);
        assertThat(Files.isExecutable(flow.directory().resolve(flow.programs().getFirst())))
                .isTrue();
    }
}
