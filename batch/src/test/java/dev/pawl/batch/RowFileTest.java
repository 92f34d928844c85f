package dev.pawl.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is a row and what is not. */
class RowFileTest {

    @TempDir
    private Path root;

    private List<String> read(String name, String text) throws IOException {
        var file = root.resolve(name);
        Files.writeString(file, text);
        return read(RowFile.at(file));
    }

    private static List<String> read(RowFile file) throws IOException {
        var rows = new ArrayList<String>();
        file.read(row -> rows.add(row.line() + " "
                + (row.trouble() == null ? Objects.requireNonNull(row.value()).toString() : "! " + row.trouble())));
        return rows;
    }

    @Test
    void json_objects_one_a_line() throws IOException {
        assertThat(read("rows.jsonl", "\uFEFF{\"a\":1}\r\n\n  \n{\"a\":\"ü\"}"))
                .containsExactly("1 {\"a\":1}", "4 {\"a\":\"ü\"}");
    }

    @Test
    void what_is_no_object_is_told_with_its_line() throws IOException {
        var rows = read("rows.jsonl", "{\"a\":1}\nrubbish\n[1]\n{\"a\":\n{} {}\n\"text\"\n");
        assertThat(rows).hasSize(6);
        assertThat(rows.get(0)).isEqualTo("1 {\"a\":1}");
        assertThat(rows.get(1)).startsWith("2 ! not JSON: ");
        assertThat(rows.get(2)).isEqualTo("3 ! not a JSON object");
        assertThat(rows.get(3)).startsWith("4 ! not JSON: ");
        assertThat(rows.get(4)).startsWith("5 ! ");
        assertThat(rows.get(5)).isEqualTo("6 ! not a JSON object");
    }

    @Test
    void a_line_that_is_too_long_is_no_row_and_the_next_one_is() throws IOException {
        var rows = read("rows.jsonl", "{\"a\":\"" + "x".repeat(5 << 20) + "\"}\n{\"a\":2}\n");
        assertThat(rows.get(0)).contains("! longer than");
        assertThat(rows.get(1)).isEqualTo("2 {\"a\":2}");
    }

    @Test
    void a_line_that_is_not_utf_8_is_no_row_and_two_keys_do_not_become_one() throws IOException {
        var file = root.resolve("rows.jsonl");
        var latin1 = "{\"id\":\"caf\u00e9\"}\n{\"id\":\"caf\u00e8\"}\n".getBytes(StandardCharsets.ISO_8859_1);
        Files.write(file, latin1);
        Files.writeString(file, "{\"id\":\"caf\u00e9 \ud83d\ude00\"}\n", StandardOpenOption.APPEND);
        Files.write(file, new byte[] {'{', '"', 'i', (byte) 0xED, (byte) 0xA0, (byte) 0x80}, StandardOpenOption.APPEND);
        assertThat(read(RowFile.at(file)))
                .containsExactly(
                        "1 ! not UTF-8", "2 ! not UTF-8", "3 {\"id\":\"caf\u00e9 \ud83d\ude00\"}", "4 ! not UTF-8");
        var texts = new ArrayList<String>();
        RowFile.at(file).read(row -> texts.add(String.valueOf(row.text())));
        assertThat(texts.getFirst()).isEqualTo("{\"id\":\"caf\ufffd\"}");
        Files.write(root.resolve("rows.csv"), "id,a\n1,caf\u00e9\n2,x\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(read(RowFile.at(root.resolve("rows.csv"))))
                .containsExactly("2 ! not UTF-8", "3 {\"id\":\"2\",\"a\":\"x\"}");
    }

    @Test
    void a_row_that_names_a_member_twice_or_holds_half_a_character_is_none() throws IOException {
        var rows = read(
                "rows.jsonl",
                "{\"id\":1,\"id\":2}\n{\"id\":1,\"a\":{\"b\":1,\"b\":1}}\n{\"id\":\"\\ud83d\"}\n{\"\\udc00\":1}\n{\"a\":[\"\\ud83d\\ude00\"]}\n");
        assertThat(rows.get(0)).startsWith("1 ! not JSON: ").contains("'id' is in it twice");
        assertThat(rows.get(1)).startsWith("2 ! not JSON: ").contains("'b' is in it twice");
        assertThat(rows.get(2)).startsWith("3 ! not JSON: ").contains("half of a character");
        assertThat(rows.get(3)).startsWith("4 ! not JSON: ").contains("it cannot be read at line 1");
        assertThat(rows.get(4)).isEqualTo("5 {\"a\":[\"\ud83d\ude00\"]}");
    }

    @Test
    void reading_ends_when_somebody_has_had_enough() throws IOException {
        var file = root.resolve("rows.jsonl");
        Files.writeString(file, "{}\n{}\n{}\n");
        var rows = new ArrayList<Row>();
        RowFile.at(file).read(row -> {
            rows.add(row);
            return rows.size() < 2;
        });
        assertThat(rows).hasSize(2);
    }

    @Test
    void csv_has_a_heading_and_fields_may_be_quoted() throws IOException {
        assertThat(read("rows.CSV", "\uFEFFid,text\r\n1,plain\n\n2,\"a \"\"word\"\", and\na line\"\r3,\n"))
                .containsExactly(
                        "2 {\"id\":\"1\",\"text\":\"plain\"}",
                        "4 {\"id\":\"2\",\"text\":\"a \\\"word\\\", and\\na line\"}",
                        "6 {\"id\":\"3\",\"text\":\"\"}");
        assertThat(read("empty.csv", "")).isEmpty();
        assertThat(read("heading.csv", "id\n")).isEmpty();
    }

    @Test
    void csv_that_does_not_fit_is_told_with_its_line() throws IOException {
        var rows = read("rows.csv", "id,text\n1\n2,a\"b\n3,\"a\"b\n4,ok\n5,\"never closed\n");
        assertThat(rows)
                .containsExactly(
                        "2 ! it has 1 field, and the heading has 2",
                        "3 ! a quote inside a field that is not quoted",
                        "4 ! something follows a closing quote",
                        "5 {\"id\":\"4\",\"text\":\"ok\"}",
                        "6 ! a quote that is never closed");
        assertThat(read("open.csv", "\"id,name\n1,a\n")).containsExactly("1 ! a quote that is never closed");
        assertThat(read("twice.csv", "id,id\n1,2\n")).containsExactly("1 ! the heading names \"id\" twice");
        assertThat(read("long.csv", "id\n" + "x".repeat(5 << 20) + "\n"))
                .hasSize(1)
                .first()
                .asString()
                .contains("longer");
    }
}
