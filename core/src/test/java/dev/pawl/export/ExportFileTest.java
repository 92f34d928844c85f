package dev.pawl.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.json.Json;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An export is read as it was written, by this version or an earlier one, and every line that cannot be one is named. */
class ExportFileTest {
    private static final String HEAD = "{\"kind\":\"export\",\"version\":1,\"from\":\"here\"}";
    private static final String QUEUE = "{\"kind\":\"queue\",\"name\":\"mail\",\"most\":3}";

    private static List<StoreLine> read(String... lines) throws IOException {
        var told = new ArrayList<StoreLine>();
        ExportFile.read(new StringReader(String.join("\n", lines) + "\n"), told::add);
        return told;
    }

    private static String end(StoreKind kind, String line) {
        var sums = new LineSums();
        sums.add(kind, line);
        return "{\"kind\":\"end\",\"lines\":" + Json.write(sums.byWord()) + "}";
    }

    @Test
    void a_line_says_what_it_was_written_from() throws IOException {
        assertThat(read(HEAD, QUEUE, end(StoreKind.QUEUE, QUEUE)))
                .containsExactly(StoreLine.of(StoreKind.QUEUE, "mail", 3));
        assertThat(StoreLine.of(StoreKind.QUEUE, "mail", 3).json()).isEqualTo(QUEUE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"kind":"queue","name":"mail"}             | line 2 has no "most"
            {"kind":"queue","name":"mail","most":1.5}  | line 2 has a "most" that is neither a whole number nor a text
            {"kind":"queue","name":"mail","most":true} | line 2 has a "most" that is neither a whole number nor a text
            {"kind":"queue","name":"mail","most":99999999999999999999} | line 2 has a "most" that is neither
            {"kind":"tail","name":"mail","most":1}     | line 2 is of kind "tail", which this Pawl does not know
            [1]                                        | line 2 is no JSON object
            {"kind":                                   | line 2 is no JSON
            """)
    void a_line_that_cannot_be_one_is_named(String line, String says) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(HEAD, line)).withMessageStartingWith(says);
    }

    @Test
    void a_file_that_is_no_export_or_of_another_version_is_named_at_its_first_line() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(QUEUE))
                .withMessage("line 1 does not begin an export of a store");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(HEAD.replace(":1", ":2")))
                .withMessageStartingWith("line 1 is of version 2, and this Pawl reads 1");
    }

    @Test
    void an_earlier_export_is_read_that_lacks_what_came_later() throws IOException {
        var spent = StoreLine.of(StoreKind.SPENT, 20_000, "w", "m", 5, 1, 2, 0, 0, 0, 0, 7);
        var earlier = spent.json().replace(",\"cacheWritten\":7", "");
        assertThat(earlier).isNotEqualTo(spent.json());
        assertThat(read(HEAD, earlier, end(StoreKind.SPENT, earlier))).containsExactly(spent.with("cacheWritten", 0L));
    }

    @Test
    void a_line_has_a_number_a_text_or_nothing_for_each_of_its_fields() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreLine(StoreKind.QUEUE, List.of("mail")))
                .withMessage("a line of kind queue has 2 values, not 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreLine.of(StoreKind.QUEUE, "mail", 1.5))
                .withMessageStartingWith("a value is a number, a text or nothing");
        var line = StoreLine.of(StoreKind.QUEUE, null, (short) 3);
        assertThat(line.number("most")).isEqualTo(3);
        assertThat(line.textIfAny("name")).isNull();
        assertThat(StoreLine.of(StoreKind.QUEUE, "mail", true).number("most")).isEqualTo(1);
        assertThat(StoreLine.of(StoreKind.QUEUE, "mail", false).number("most")).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> line.value("least"))
                .withMessage("a line of kind queue has no least");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> line.text("name"))
                .withMessage("a line of kind queue has no text for name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> line.number("name"))
                .withMessage("a line of kind queue has no number for name");
    }
}
