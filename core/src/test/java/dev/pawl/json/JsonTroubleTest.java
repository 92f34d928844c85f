package dev.pawl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/** Whatever is wrong with a text or with a value, the sentence about it says where it is and what should be there. */
class JsonTroubleTest {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private enum Month {
        JAN,
        FEB,
        MAR,
        APR,
        MAY,
        JUN,
        JUL,
        AUG,
        SEP,
        OCT,
        NOV,
        DEC,
        UNDECIMBER
    }

    private record Kinds(
            boolean flag,
            @Nullable Boolean maybe,
            char letter,
            @Nullable Character other,
            double weight,
            @Nullable BigDecimal price,
            @Nullable String text,
            @Nullable List<String> names,
            @Nullable Map<String, Integer> ages,
            @Nullable Month month) {}

    private static String trouble(String json, Class<?> type) {
        var thrown = catchThrowableOfType(JsonMismatch.class, () -> Json.read(json, type));
        assertThat(thrown).as(json).isNotNull();
        var said = String.valueOf(thrown.getMessage());
        return said.substring(said.indexOf(": ") + 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"flag":"x"}     | flag is a text, and should be true or false
            {"maybe":{}}     | maybe is an object, and should be true or false
            {"letter":"xy"}  | letter is a text, and should be one character
            {"other":[]}     | other is a list, and should be one character
            {"weight":true}  | weight is true or false, and should be a number
            {"price":"much"} | price is a text, and should be a number
            {"text":[1]}     | text is a list, and should be a text
            {"names":{}}     | names is an object, and should be a list
            {"ages":7}       | ages is a whole number, and should be an object
            {"month":"SOON"} | month is a text, and should be one of JAN, FEB, MAR, APR, MAY, JUN, JUL, AUG, SEP, OCT, NOV, DEC, …
            """)
    void what_should_be_there_is_said_in_words_for_people(String json, String says) {
        assertThat(trouble(json, Kinds.class)).isEqualTo(says);
        assertThat(trouble("7", int[].class)).isEqualTo("it is a whole number, and should be a list");
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Cog.class, name = "cog")
    })
    private sealed interface Shape {}

    private record Circle(int radius) implements Shape {}

    private record Drawing(Shape shape) {}

    private record Wheel(@JsonAlias("r") int radius) {}

    private record Cog(@JsonAlias("r") int radius) implements Shape {}

    @Test
    void a_kind_that_nobody_knows_is_said_by_where_it_stands() {
        assertThat(trouble("{\"kind\":\"square\"}", Shape.class)).isEqualTo("it is of no kind that is known here");
        assertThat(trouble("{\"shape\":{\"kind\":\"square\"}}", Drawing.class))
                .isEqualTo("shape is of no kind that is known here");
    }

    @Test
    void what_stands_under_an_earlier_name_is_not_said_to_be_lacking() {
        for (var wrong : List.of("\"x\"", "{}", "[]", "null")) {
            assertThat(trouble("{\"r\":" + wrong + "}", Wheel.class))
                    .as(wrong)
                    .isEqualTo("what stands for 'radius' should be a whole number");
        }
        assertThat(trouble("{\"kind\":\"circle\"}", Shape.class)).isEqualTo("it lacks 'radius'");
        assertThat(trouble("{\"r\":99999999999}", Wheel.class))
                .as("at least what it is about")
                .contains("'radius'");
        assertThat(trouble("{\"r\":\"x\",\"kind\":\"cog\"}", Shape.class)).contains("'radius'");
    }

    /** Takes nothing. */
    record Silent(String name) {
        public Silent {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void a_refusal_without_words_is_called_by_what_it_is() {
        assertThat(trouble("{\"name\":\"a\"}", Silent.class)).isEqualTo("it is refused: UnsupportedOperationException");
    }

    @Test
    void a_value_that_could_not_be_made_and_nobody_says_why_does_not_fit() {
        var thrown =
                ValueInstantiationException.from((@Nullable JsonParser) null, "no", MAPPER.constructType(Circle.class));
        assertThat(JsonTrouble.ofFit(thrown, MAPPER.readTree("{}"))).isEqualTo("it is an object, which does not fit");
    }

    @Test
    void a_text_that_is_larger_than_anybody_means_is_told_apart_from_one_that_cannot_be_read() {
        for (var large : List.of("[".repeat(2_000) + "]".repeat(2_000), "1".repeat(2_000))) {
            assertThatExceptionOfType(JsonMismatch.class)
                    .isThrownBy(() -> Json.tree(large))
                    .withMessage("not one JSON value: it is too deep, or holds a name or a number that is too long");
        }
    }

    @Test
    void what_is_no_fault_of_the_text_is_not_blamed_on_a_place_in_it() {
        assertThat(JsonTrouble.ofText(JacksonIOException.construct(new IOException("gone"), null)))
                .isEqualTo("it cannot be read");
    }

    @Test
    void a_name_is_there_twice_only_within_one_object() {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.exact("{\"a\":{\"b\":1},\"c\":[{\"b\":2}],\"c\":3}"))
                .withMessage("not one JSON value: 'c' is in it twice");
        assertThat(JsonTrouble.namedTwice(MAPPER.createParser("{\"a\":{\"a\":1}}")))
                .isEqualTo("it cannot be read");
        assertThatExceptionOfType(UnexpectedEndOfInputException.class)
                .isThrownBy(() -> JsonTrouble.namedTwice(MAPPER.createParser("{\"a\":1")));
    }

    static final class Refusing {
        public int getN() {
            return 0;
        }

        public void setN(int n) {
            if (n % 2 != 0) {
                throw new IllegalArgumentException("only even numbers: " + n);
            }
        }
    }

    @Test
    void what_a_setter_refuses_is_no_number_that_is_too_large() {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.read("{\"n\":1}", Refusing.class))
                .withMessageContaining("only even numbers")
                .withMessageNotContaining("too large");
    }

    @Test
    void a_number_under_an_earlier_name_that_is_too_large_is_not_lacking() {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.read("{\"r\":99999999999}", Wheel.class))
                .withMessageContaining("too large")
                .withMessageNotContaining("lacks");
    }

    record Even(int n) {
        Even {
            if (n % 2 != 0) {
                throw new IllegalArgumentException("only even numbers: " + n);
            }
        }
    }

    private record Pair(
            @JsonAlias("e") Even even,
            @JsonAlias("s") @Nullable Silent silent) {}

    private record Bag(@JsonAlias("k") List<Integer> keys) {}

    private record Stack(@JsonAlias("r") @Nullable Runnable run) {}

    @Test
    void a_value_under_an_earlier_name_that_the_type_refuses_is_not_lacking() {
        assertThat(trouble("{\"e\":{\"n\":1}}", Pair.class))
                .isEqualTo("what stands for 'even' is refused: only even numbers: 1");
        assertThat(trouble("{\"s\":{\"name\":\"a\"}}", Pair.class))
                .isEqualTo("what stands for 'silent' is refused: UnsupportedOperationException");
        assertThat(trouble("{\"r\":{}}", Stack.class)).isEqualTo("what stands for 'run' does not fit");
    }

    @Test
    void what_stands_deeper_under_an_earlier_name_is_named_with_where_it_is() {
        assertThat(trouble("{\"k\":[1,\"x\"]}", Bag.class))
                .isEqualTo("what stands for 'keys[1]' should be a whole number");
        assertThat(trouble("{\"e\":{\"n\":\"x\"}}", Pair.class))
                .isEqualTo("what stands for 'even.n' should be a whole number");
        assertThat(trouble("{\"e\":{}}", Pair.class)).isEqualTo("it lacks 'n' in even");
    }

    @Test
    void a_null_in_a_list_of_numbers_is_no_list_that_is_missing() {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Json.read("[null]", int[].class))
                .withMessageNotContaining("should be a list");
    }
}
