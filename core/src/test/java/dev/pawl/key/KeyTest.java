package dev.pawl.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A key names what is processed: two different works never share one, and one work never has two. */
class KeyTest {

    @Test
    void the_published_test_vectors_hold() throws IOException {
        var rows = Files.readAllLines(Path.of("../docs/keys.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Arrays.stream(line.split("\\|"))
                        .map(cell -> cell.strip().replaceAll("^`|`$", ""))
                        .filter(cell -> !cell.isEmpty())
                        .toList())
                .toList();

        assertThat(rows).hasSizeGreaterThanOrEqualTo(8);
        for (var row : rows) {
            var key = Key.parse(row.get(0));
            assertThat(key.encoded()).isEqualTo(row.get(1));
            assertThat(Encoding.hash(key.encoded())).isEqualTo(row.get(2));
            assertThat(new Identity("daily-blog-pr", key).hash()).isEqualTo(row.get(3));
        }
    }

    @Test
    void parts_with_separators_in_them_do_not_run_together() {
        assertThat(Key.of("a:b", "c").encoded()).isNotEqualTo(Key.of("a", "b:c").encoded());
        assertThat(Key.of("a/b").toString()).isNotEqualTo(Key.of("a", "b").toString());
        assertThat(Key.of("a%2Fb").toString()).isNotEqualTo(Key.of("a/b").toString());
    }

    @Test
    void numbers_have_one_form() {
        assertThat(Key.of(1)).isEqualTo(Key.of(1L)).isEqualTo(Key.of(1.0)).isEqualTo(Key.of("1"));
        assertThat(Key.of(new BigDecimal("10.500"))).isEqualTo(Key.of("10.5"));
        assertThat(Key.of(1e3)).isEqualTo(Key.of(1000));
        assertThat(Key.of(-0.0)).isEqualTo(Key.of(0));
        assertThat(Key.of(1.5f)).isEqualTo(Key.of(1.5));
        assertThat(Key.of(BigInteger.TEN)).isEqualTo(Key.of((short) 10)).isEqualTo(Key.of((byte) 10));
        assertThat(Key.of(new UUID(0, 1))).isEqualTo(Key.of("00000000-0000-0000-0000-000000000001"));
        assertThat(Key.of(RoundingMode.HALF_UP)).isEqualTo(Key.of("HALF_UP"));
        assertThat(Key.of(LocalDate.of(2026, 4, 12))).isEqualTo(Key.of("2026-04-12"));
    }

    @Test
    void text_that_looks_the_same_is_the_same() {
        assertThat(Key.of("caf\u00e9")).isEqualTo(Key.of("cafe\u0301"));
    }

    @Test
    void what_cannot_name_work_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Key.of()).withMessageContaining("1 to 16 parts");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("a", " "))
                .withMessageContaining("is a value missing");
        assertThatIllegalArgumentException().isThrownBy(() -> Key.of("a\nb")).withMessageContaining("control");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("a\u0001b"))
                .withMessageContaining("a%01b");
        assertThatIllegalArgumentException().isThrownBy(() -> Key.of("\ud800")).withMessageContaining("half");
        assertThatIllegalArgumentException().isThrownBy(() -> Key.of("\ud800x")).withMessageContaining("half");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of(Double.NaN))
                .withMessageContaining("NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of(new Object()))
                .withMessageContaining("canonical");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("x".repeat(2_000)))
                .withMessageContaining("hash");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Identity.parse("nokey"))
                .withMessageContaining("WORKFLOW/KEY");
    }

    @Test
    void any_key_reads_back_from_its_encoding_and_from_its_text() {
        var random = new Random(42);
        var alphabet = List.of("a", "1", ":", "/", "%", "%2F", " ", "@", "é", "日", "\ud83d\ude00", "-");
        for (var i = 0; i < 2_000; i++) {
            var parts = new Object[1 + random.nextInt(4)];
            for (var p = 0; p < parts.length; p++) {
                var text = new StringBuilder("x");
                for (var c = random.nextInt(6); c > 0; c--) {
                    text.append(alphabet.get(random.nextInt(alphabet.size())));
                }
                parts[p] = text.toString();
            }
            var key = Key.of(parts);
            assertThat(Key.decode(key.encoded())).isEqualTo(key);
            assertThat(Key.parse(key.toString())).isEqualTo(key);
            assertThat(Identity.parse("w/" + key)).isEqualTo(new Identity("w", key));
            var place = new Place("scope " + parts[0], "name", String.valueOf(parts[parts.length - 1]));
            assertThat(Place.parse(place.toString())).isEqualTo(place);
        }
    }

    @Test
    void a_percent_sign_without_two_digits_behind_it_stands_for_itself() {
        for (var typed : List.of("50%", "5%0", "%zz", "%2z", "%z2", "%é")) {
            assertThat(Key.parse(typed)).as(typed).isEqualTo(Key.of(typed));
        }
        assertThat(Place.parse(new Place("", "a", "b\u0007").toString())).isEqualTo(new Place("", "a", "b\u0007"));
    }

    @Test
    void an_effects_key_depends_on_what_is_done_and_on_nothing_else() {
        var job = new Identity("w", Key.of("a"));
        var key = EffectKey.of(job, new Place("", "post", ""), 0);
        assertThat(key).matches("[0-9a-f]{32}").isEqualTo(EffectKey.of(job, new Place("", "post", ""), 0));
        assertThat(List.of(
                        EffectKey.of(job, new Place("", "post", "x"), 0),
                        EffectKey.of(job, new Place("post", "x", ""), 0),
                        EffectKey.of(job, new Place("", "post", ""), 1),
                        EffectKey.of(new Identity("w", Key.of("b")), new Place("", "post", ""), 0)))
                .doesNotHaveDuplicates()
                .doesNotContain(key);
    }

    @Test
    void a_broken_encoding_is_refused() {
        for (var broken : List.of("", "2/1:a", "1/2:a", "1:a", "1/1", "1/-1:a", "1/x:a")) {
            assertThatIllegalArgumentException().as(broken).isThrownBy(() -> Encoding.decode(broken));
        }
    }
}
