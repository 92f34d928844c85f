package dev.pawl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.OptBoolean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Equal values have one canonical form. */
class JsonTest {

    record Mail(String to, Instant at, List<Integer> numbers) {}

    @Test
    void however_it_is_written_the_fingerprint_is_the_same() {
        var one = Json.fingerprint("{\"b\":1.0,\"a\":[1e2,-0,{\"y\":null,\"x\":true}]}");
        assertThat(one)
                .matches("[0-9a-f]{32}")
                .isEqualTo(Json.fingerprint(" { \"a\" : [100, 0, {\"x\":true,\"y\":null}] , \"b\" : 1 } "));
        assertThat(Json.canonical("{\"b\":1.50,\"a\":\"\\u00e9\"}")).isEqualTo("{\"a\":\"é\",\"b\":1.5}");
        assertThat(one).isNotEqualTo(Json.fingerprint("{\"b\":\"1\",\"a\":[1e2,-0,{\"y\":null,\"x\":true}]}"));
    }

    @Test
    void a_canonical_text_is_quoted_as_every_other() {
        var text = new StringBuilder();
        for (var c = 0; c < 0x300; c++) {
            text.append((char) c);
        }
        text.append("\u2028\u2029\ud83d\ude00\ufeff");
        assertThat(Json.canonical(Json.write(text.toString()))).isEqualTo(Json.write(text.toString()));
        assertThat(Json.canonical("\"a\\/b \\u007f \\u001f \\b\\t\\n\\f\\r \\u00e9 \\ud800\""))
                .as("fingerprints of these are kept for ever")
                .isEqualTo("\"a/b \u007f \\u001F \\b\\t\\n\\f\\r é \ud800\"");
        assertThat(Json.canonical(" {\"\\n\" : [ ] , \"\\\"\" : [ { } , null ] } "))
                .isEqualTo("{\"\\n\":[],\"\\\"\":[{},null]}");
        assertThat(Json.canonical(JsonNodeFactory.instance.binaryNode(new byte[] {1})))
                .isEqualTo("\"AQ==\"");
    }

    @Test
    void records_times_and_lists_come_back() {
        var mail = new Mail("anna", Instant.parse("2026-04-12T02:00:00.123456789Z"), List.of(1, 2));
        assertThat(Json.read(Json.write(mail), Mail.class)).isEqualTo(mail);
        assertThat(Json.read("[\"a\"]", new TypeToken<List<String>>() {})).containsExactly("a");
    }

    @Test
    void what_does_not_fit_says_so() {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.read("{}", Integer.class))
                .withMessageContaining("Integer");
        assertThatExceptionOfType(JsonMismatch.class).isThrownBy(() -> Json.canonical("{} {}"));
        assertThatExceptionOfType(JsonMismatch.class).isThrownBy(() -> Json.canonical("nonsense"));
        var endless = new ArrayList<Object>();
        endless.add(endless);
        assertThatExceptionOfType(JsonMismatch.class).isThrownBy(() -> Json.write(Map.of("a", endless)));
    }

    record Payment(int cents, @Nullable String currency) {}

    @Test
    void a_number_that_is_missing_is_no_zero() {
        assertThat(Json.read("{\"cents\":0}", Payment.class)).isEqualTo(new Payment(0, null));
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.read("{\"amount\":12}", Payment.class))
                .withMessageContaining("'cents'");
    }

    record Spare(String s, @JsonIgnore int cached) {}

    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    record Sparse(int n, boolean b) {}

    record Optional(
            @JsonProperty(value = "n", isRequired = OptBoolean.FALSE)
            int n) {}

    record Shown(
            @JsonProperty(access = JsonProperty.Access.READ_ONLY)
            int n) {}

    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Whole(
            @JsonProperty("cents") int n,
            @JsonInclude(JsonInclude.Include.ALWAYS) int m) {}

    record PartlySparse(
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int n) {}

    record MadeOfMore(int sum) {
        @JsonCreator
        static MadeOfMore of(@JsonProperty("a") int a, @JsonProperty("b") int b) {
            return new MadeOfMore(a + b);
        }
    }

    @Test
    void a_number_that_is_always_written_is_wanted_under_whatever_name() {
        assertThat(Json.read("{\"cents\":1,\"m\":2}", Whole.class)).isEqualTo(new Whole(1, 2));
        assertThat(Json.read("{\"a\":1,\"b\":2}", MadeOfMore.class)).isEqualTo(new MadeOfMore(3));
        for (var json : List.of("{\"cents\":1}", "{\"m\":2}")) {
            assertThatExceptionOfType(JsonMismatch.class).as(json).isThrownBy(() -> Json.read(json, Whole.class));
        }
        assertThatExceptionOfType(JsonMismatch.class).isThrownBy(() -> Json.read("{\"a\":1}", MadeOfMore.class));
    }

    @Test
    void what_was_written_reads_also_when_numbers_are_left_out_on_purpose() {
        assertThat(Json.read(Json.write(new PartlySparse(0)), PartlySparse.class))
                .isEqualTo(new PartlySparse(0));
        assertThat(Json.read(Json.write(new Spare("a", 7)), Spare.class)).isEqualTo(new Spare("a", 0));
        assertThat(Json.read(Json.write(new Sparse(0, false)), Sparse.class)).isEqualTo(new Sparse(0, false));
        assertThat(Json.read("{}", Optional.class)).isEqualTo(new Optional(0));
        assertThat(Json.read(Json.write(new Shown(3)), Shown.class)).isEqualTo(new Shown(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"cents\":12.7}", "{\"cents\":\"12\"}", "{\"cents\":true}", "{\"cents\":\"\"}"})
    void nothing_is_bent_until_it_fits(String json) {
        assertThatExceptionOfType(JsonMismatch.class).isThrownBy(() -> Json.read(json, Payment.class));
    }

    record Strict(String name) {
        Strict {
            throw new IllegalArgumentException("pay (for Anna) now; `x` (set) broke");
        }
    }

    @Test
    void the_words_of_others_stay_as_they_are() {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.read("{\"name\":\"a\"}", Strict.class))
                .withMessageContaining("pay (for Anna) now; `x` (set) broke");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"cents\":null}",
                "{\"cents\":\"x\"}",
                "{\"cents\":}",
                "[1,2",
                "nonsense",
                "{} {}",
                "",
                "[]",
                "{\"cents\":\"\"}",
                "{\"cents\":[1]}"
            })
    void what_is_wrong_is_said_without_words_about_the_parser(String json) {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.read(Json.canonical(json), Payment.class))
                .satisfies(thrown -> assertThat(thrown.getMessage())
                        .doesNotContain("Source:", "REDACTED", "Feature", "JsonToken", "\n")
                        .hasSizeGreaterThan(20));
    }

    @Test
    void a_number_with_a_huge_exponent_is_refused_instead_of_written_out() {
        assertThatExceptionOfType(JsonMismatch.class).isThrownBy(() -> Json.canonical("1e999999999"));
        assertThatExceptionOfType(JsonMismatch.class).isThrownBy(() -> Json.canonical("{\"a\":1e-999999999}"));
        assertThat(Json.canonical("1e300")).hasSize(301);
    }

    @Test
    @SuppressWarnings("rawtypes")
    void a_token_needs_its_type() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TypeToken() {});
    }

    private record Inner(int n, String s) {}

    private enum Day {
        MON,
        TUE
    }

    private record Outer(Inner in, List<Integer> many, Instant at, Day day, boolean yes) {}

    /** Refuses what is negative. */
    record Picky(int n) {
        public Picky {
            if (n < 0) {
                throw new IllegalArgumentException("less than nothing");
            }
        }
    }

    private static String trouble(String json, Class<?> type) {
        var thrown = catchThrowableOfType(JsonMismatch.class, () -> Json.read(json, type));
        assertThat(thrown).as(json).isNotNull();
        var said = String.valueOf(thrown.getMessage());
        return said.substring(said.indexOf(": ") + 2);
    }

    @Test
    void what_does_not_fit_is_said_by_where_it_is_and_in_our_own_words() {
        assertThat(trouble("{\"in\":{\"n\":\"x\",\"s\":\"y\"}}", Outer.class))
                .isEqualTo("in.n is a text, and should be a whole number");
        assertThat(trouble("{\"in\":{\"n\":1.5,\"s\":\"y\"}}", Outer.class))
                .isEqualTo("in.n is a number with a fraction, and should be a whole number");
        assertThat(trouble("{\"in\":{\"n\":99999999999,\"s\":\"y\"}}", Outer.class))
                .isEqualTo("in.n is a whole number that is too large");
        assertThat(trouble("{\"in\":{\"s\":\"y\"}}", Outer.class)).isEqualTo("it lacks 'n' in in");
        assertThat(trouble("{\"many\":[1,\"b\"]}", Outer.class))
                .isEqualTo("many[1] is a text, and should be a whole number");
        assertThat(trouble("{\"many\":{}}", Outer.class)).isEqualTo("many is an object, and should be a list");
        assertThat(trouble("{\"at\":\"secret\"}", Outer.class)).isEqualTo("at is a text, and should be an Instant");
        assertThat(trouble("{\"day\":\"WED\"}", Outer.class)).isEqualTo("day is a text, and should be one of MON, TUE");
        assertThat(trouble("{\"yes\":null}", Outer.class)).isEqualTo("yes is null, and should be true or false");
        assertThat(trouble("[]", Outer.class)).isEqualTo("it is a list, and should be an Outer, written as an object");
        assertThat(trouble("{\"n\":-1}", Picky.class)).isEqualTo("it is refused: less than nothing");
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.exact("{\"a\":[{\"id\":1,\"id\":2}]}"))
                .withMessage("not one JSON value: 'id' is in it twice");
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.exact(" "))
                .withMessage("not one JSON value: there is nothing");
        assertThat(trouble("", Outer.class)).isEqualTo("there is nothing");
        assertThat(trouble("{", Outer.class)).isEqualTo("it ends too early");
        assertThat(trouble("{\"a\" 1}", Outer.class)).isEqualTo("it cannot be read at line 1, column 6");
    }
}
