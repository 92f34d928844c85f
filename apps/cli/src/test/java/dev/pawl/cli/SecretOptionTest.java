package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --secret} names is seen nowhere. */
class SecretOptionTest {
    private static final String NAME = "TOKEN_OF_THIS_TEST";
    private static final String VALUE = "tok-01\"23456789\nabcdefghij";
    private static final String TELLS =
            "printf 'it is %s\\n' \"$TOKEN_OF_THIS_TEST\"; echo \"$TOKEN_OF_THIS_TEST\" > \"$PAWL_RESULT\"; exit 79";

    @TempDir
    private Path folder;

    private String[] words(String command, String... more) {
        var words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("--store", folder.resolve("pawl.db").toString()));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private List<String> typed(String[]... commands) throws Exception {
        return TypedThere.typed(folder.resolve("home"), Map.of(NAME, VALUE), commands);
    }

    @Test
    void the_secret_of_a_batch_or_a_guard_is_neither_shown_nor_kept() throws Exception {
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var said = typed(
                words("batch run " + rows + " --name=b --key=id --tee --secret=" + NAME, "--", "sh", "-c", TELLS),
                words("logs b/1"),
                words("show b/1"),
                words("guard --name=plain --secret=" + NAME, "--", "sh", "-c", TELLS),
                words("guard --name=keyed --key=1 --secret=" + NAME, "--", "sh", "-c", TELLS));
        assertThat(said).as("%s", said).hasSize(5);
        assertThat(said.getFirst()).startsWith("3 batch").contains("it is ***");
        assertThat(said.get(1)).startsWith("0 logs").contains("it is ***");
        assertThat(said.get(2)).startsWith("0 show").contains("it is ***");
        assertThat(said.subList(3, 5))
                .allSatisfy(line -> assertThat(line).startsWith("79 guard").contains("it is ***"));
        assertThat(said).noneMatch(line -> line.contains("23456789") || line.contains("abcdefghij"));
        try (var files = Files.walk(folder)) {
            var written = files.filter(
                            one -> Files.isRegularFile(one) && !one.toString().contains("/.cache/"))
                    .toList();
            for (var file : written) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain("23456789")
                        .doesNotContain("abcdefghij");
            }
        }
    }

    @Test
    void a_secret_that_was_typed_or_is_not_set_is_refused() throws Exception {
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var batch = "batch run " + rows + " --name=b --key=id --secret=";
        var said = typed(
                words(batch + NAME, "--", "echo", VALUE),
                words(batch + NAME, "--env", "OTHER=is " + VALUE, "--", "true"),
                words(batch + NAME, "--verify", "grep '" + VALUE + "'", "--", "true"),
                words(batch + NAME + " --env " + NAME + "=other", "--", "true"),
                words(batch + "NOT_SET_HERE", "--", "true"),
                words(batch + NAME + " --flow nowhere.yaml"),
                words("guard --name=g --secret=" + NAME, "--", "echo", VALUE));
        assertThat(said).as("%s", said).hasSize(7);
        assertThat(said.subList(0, 3))
                .allSatisfy(line -> assertThat(line)
                        .startsWith("2 batch")
                        .contains("the value of the secret " + NAME + " is in what was typed"));
        assertThat(said.get(3)).startsWith("2 batch").contains("would keep the secret");
        assertThat(said.get(4)).startsWith("2 batch").contains("batch b needs the secret NOT_SET_HERE");
        assertThat(said.get(5)).startsWith("2 batch").contains("--secret is of a command");
        assertThat(said.get(6)).startsWith("125 guard").contains("is in what was typed");
        assertThat(said).noneMatch(line -> line.contains("23456789"));
    }
}
