package dev.pawl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.OptBoolean;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What was written down by an older form of a type is neither made up nor dropped. */
class StoredMembersTest {

    record Mail(String recipient, @Nullable String subject) {}

    private static <T> @Nullable T read(String json, Class<T> type) {
        return Values.read(json, TypeToken.of(type));
    }

    private static void refused(String json, Class<?> type, String... says) {
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> read(json, type))
                .satisfies(thrown -> assertThat(thrown.getMessage()).contains(says));
    }

    @Test
    void a_component_that_was_renamed_is_missing_and_left_over() {
        refused("{\"to\":\"anna\"}", Mail.class, "it lacks 'recipient'");
        refused("{\"subject\":\"hello\"}", Mail.class, "it lacks 'recipient'");
        refused("{\"recipient\":\"anna\",\"copy\":\"bert\"}", Mail.class, "it holds 'copy', which Mail does not know");
    }

    @Test
    void deep_inside_of_lists_and_maps_too() {
        var type = new TypeToken<Map<String, List<Mail>>>() {};
        assertThat(Values.read("{\"x\":[{\"recipient\":\"a\"}]}", type)).containsKey("x");
        assertThatExceptionOfType(JsonMismatch.class)
                .isThrownBy(() -> Values.read("{\"x\":[{\"subject\":\"a\"}]}", type))
                .withMessageContaining("it lacks 'recipient'");
    }

    @Test
    void what_is_nullable_may_be_missing_and_a_null_that_was_written_is_what_was_stored() {
        assertThat(read("{\"recipient\":\"anna\"}", Mail.class)).isEqualTo(new Mail("anna", null));
        assertThat(read("{\"recipient\":null}", Mail.class))
                .extracting(Mail::recipient)
                .isNull();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Foreign {
        @Retention(RetentionPolicy.RUNTIME)
        @interface Nullable {}
    }

    record Others(@Foreign.Nullable String note, Integer number) {}

    @Test
    void any_annotation_of_that_name_says_so_and_a_type_that_could_be_null_does_not() {
        assertThat(read("{\"number\":1}", Others.class))
                .extracting(Others::number)
                .isEqualTo(1);
        refused("{\"note\":\"x\"}", Others.class, "it lacks 'number'");
    }

    record Perhaps(Optional<String> note, OptionalInt number) {}

    @Test
    void an_optional_that_is_missing_is_empty() {
        assertThat(read("{}", Perhaps.class)).isEqualTo(new Perhaps(Optional.empty(), OptionalInt.empty()));
    }

    record Renamed(@JsonAlias({"to", "address"}) String recipient) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Relaxed(String recipient) {}

    @Test
    void an_alias_tells_a_rename_and_ignore_unknown_that_the_rest_is_not_wanted() {
        assertThat(read("{\"to\":\"anna\"}", Renamed.class)).isEqualTo(new Renamed("anna"));
        assertThat(read("{\"recipient\":\"anna\",\"copy\":\"bert\"}", Relaxed.class))
                .isEqualTo(new Relaxed("anna"));
        refused("{\"to\":\"anna\"}", Relaxed.class, "it lacks 'recipient'");
    }

    static final class Made {
        private final String name;

        @JsonCreator
        Made(@JsonProperty("name") String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }
    }

    @Test
    void a_creators_parameter_is_a_component() {
        assertThat(read("{\"name\":\"x\"}", Made.class))
                .extracting(Made::getName)
                .isEqualTo("x");
        refused("{}", Made.class, "it lacks 'name'");
    }

    // ---- whatever a type writes, it reads

    record Computed(String first, String last) {
        public String getFull() {
            return first + last;
        }

        @JsonProperty("initial")
        String initial() {
            return first.substring(0, 1);
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Sparse(String a, String b) {}

    record Hidden(String a, @JsonIgnore String b) {}

    @JsonIgnoreProperties("b")
    record Named(String a, String b) {}

    record Unwrapped(String a, @JsonUnwrapped Mail mail) {}

    record Shown(
            String a,

            @JsonProperty(access = JsonProperty.Access.READ_ONLY)
            String b) {}

    record Kept(
            String a,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) @Nullable
            String b) {}

    record Value(@JsonValue String text) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle")})
    sealed interface Shape {}

    record Circle(int radius) implements Shape {}

    record Drawing(Shape shape, List<Shape> more) {}

    static Object[] written() {
        return new Object[] {
            new Computed("anna", "b"),
            new Sparse("a", "b"),
            new Hidden("a", "b"),
            new Named("a", "b"),
            new Unwrapped("a", new Mail("anna", null)),
            new Shown("a", "b"),
            new Kept("a", null),
            new Value("x"),
            new Drawing(new Circle(1), List.of(new Circle(2))),
            new Perhaps(Optional.empty(), OptionalInt.empty()),
            new Made("x"),
            Json.tree("{\"a\":[1]}"),
            "text"
        };
    }

    @ParameterizedTest
    @MethodSource("written")
    void whatever_a_type_writes_it_reads(Object value) {
        var type = value instanceof JsonNode ? JsonNode.class : value.getClass();
        var json = Json.write(value);
        assertThat(Json.write(read(json, type))).isEqualTo(Json.write(Json.read(json, type)));
    }

    @Test
    void a_component_that_is_left_out_when_it_is_null_may_be_missing() {
        assertThat(read("{\"a\":\"x\"}", Sparse.class)).extracting(Sparse::a).isEqualTo("x");
    }

    record Summed(int sum) {
        @JsonCreator
        static Summed of(@JsonProperty("a") Integer a, @JsonProperty("b") Integer b) {
            return new Summed(a + b);
        }
    }

    @Test
    void a_maker_may_want_more_than_there_are_components() {
        assertThat(read("{\"a\":1,\"b\":2}", Summed.class)).isEqualTo(new Summed(3));
        refused("{\"a\":1}", Summed.class, "it lacks 'b'");
    }

    /** Is made first, and told its members one by one. */
    static final class Filled {
        private String name = "";

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }

    @Test
    void what_is_made_before_it_is_told_its_members_knows_which_are_not_its_own() {
        assertThat(read("{\"name\":\"x\"}", Filled.class))
                .extracting(Filled::getName)
                .isEqualTo("x");
        refused("{\"name\":\"x\",\"title\":\"y\"}", Filled.class, "it holds 'title', which Filled does not know");
    }

    record Equipped(
            String name,

            @JacksonInject(value = "tool", optional = OptBoolean.TRUE) @JsonProperty("tool")
            String tool) {}

    @Test
    void what_the_reader_provides_was_never_written_down() {
        assertThat(read("{\"name\":\"x\"}", Equipped.class))
                .extracting(Equipped::name)
                .isEqualTo("x");
    }

    static final class Family {
        public String name = "";

        @JsonManagedReference
        public List<Child> children = List.of();
    }

    static final class Child {
        public final String name;

        @JsonBackReference
        private final Family family;

        @JsonCreator
        Child(@JsonProperty("name") String name, @JsonProperty("family") Family family) {
            this.name = name;
            this.family = family;
        }
    }

    @Test
    void what_is_known_from_where_a_value_stands_was_never_written_down() {
        assertThat(read("{\"name\":\"p\",\"children\":[{\"name\":\"c\"}]}", Family.class))
                .satisfies(family -> assertThat(family.children)
                        .singleElement()
                        .satisfies(child -> assertThat(child.family).isSameAs(family)));
    }
}
