package dev.pawl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kotlin.Metadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What users' types come back as, and which are refused before anything is done. */
class ValuesTest {

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    sealed interface Payment permits Card, Cash {}

    record Card(String number) implements Payment {}

    record Cash(int coins) implements Payment {}

    record Order(Payment first, List<Payment> others, Map<String, Payment> named) {}

    record Page<T>(List<T> items) {}

    sealed interface Shape permits Square {}

    record Square(int side) implements Shape {}

    record Drawing(String title, List<Shape> shapes) {}

    interface Animal {}

    abstract static class Plant {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
    static final class Maker {
        private final int size;

        Maker(int size, String unused) {
            this.size = size + unused.length();
        }

        public int getSize() {
            return size;
        }
    }

    /** Belongs to a test. */
    final class Inner {
        private int side;

        public int getSide() {
            return side + ValuesTest.this.hashCode();
        }

        public void setSide(int side) {
            this.side = side;
        }
    }

    record Word(@JsonValue String text) {
        @JsonCreator
        static Word of(String text) {
            return new Word(text);
        }
    }

    enum Colour {
        RED
    }

    /** Has members of many kinds. */
    record Mixed(Colour colour, JsonNode tree, Thread.State state, Named named) {}

    /** Says more than is read. */
    static final class Derived {
        public String name = "";

        public Shape getShape() {
            return new Square(name.length());
        }
    }

    static class Box<T> {
        public List<T> items = List.of();
    }

    static final class RedBox extends Box<Payment> {
        public Colour colour = Colour.RED;
    }

    @Metadata
    static final class OfKotlin {
        private final int size;

        OfKotlin(int size, String unused) {
            this.size = size + unused.length();
        }

        public int getSize() {
            return size;
        }
    }

    record Tree(String name, List<Tree> below, @Nullable Tree above) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(@JsonSubTypes.Type(Dog.class))
    interface Named {}

    record Dog(String name) implements Named {}

    private static <T> @Nullable T again(T value, TypeToken<T> type) {
        Values.requireKept(type);
        return Values.read(Values.write(value, type), type);
    }

    @Test
    void each_of_several_kinds_says_which_it_is_wherever_it_stands() {
        var order = new Order(new Card("1"), List.of(new Cash(2), new Card("3")), Map.of("tip", new Cash(4)));
        assertThat(again(order, TypeToken.of(Order.class))).isEqualTo(order);
        assertThat(again(new Cash(2), TypeToken.of(Payment.class))).isEqualTo(new Cash(2));
        assertThat(again(new Dog("rex"), TypeToken.of(Named.class))).isEqualTo(new Dog("rex"));
        var list = List.<Payment>of(new Cash(2), new Card("3"));
        assertThat(again(list, new TypeToken<List<Payment>>() {})).isEqualTo(list);
        var map = Map.<String, List<Payment>>of("a", list);
        assertThat(again(map, new TypeToken<Map<String, List<Payment>>>() {})).isEqualTo(map);
        assertThat(again(Optional.<Payment>of(new Cash(1)), new TypeToken<Optional<Payment>>() {}))
                .contains(new Cash(1));
        assertThat(again(new Page<Payment>(list), new TypeToken<Page<Payment>>() {}))
                .isEqualTo(new Page<>(list));
    }

    @Test
    void what_is_more_than_was_declared_is_written_as_it_is() {
        var red = new RedBox();
        red.items = List.of(new Cash(1));
        assertThat(Values.write(red, new TypeToken<Box<Payment>>() {})).contains("\"colour\":\"RED\"", "Cash");
        var box = new Box<Payment>();
        box.items = List.of(new Cash(1));
        assertThat(Values.write(box, new TypeToken<Box<Payment>>() {})).contains("Cash");
        assertThat(Values.write(null)).isEqualTo("null");
        assertThat(Values.write(true)).isEqualTo("true");
        assertThat(Values.write(7)).isEqualTo("7");
        assertThat(Values.write(null, new TypeToken<Box<Payment>>() {})).isEqualTo("null");
    }

    @Test
    void a_time_keeps_its_zone() {
        var berlin = ZonedDateTime.parse("2026-10-25T02:30:00+01:00[Europe/Berlin]");
        assertThat(again(berlin, TypeToken.of(ZonedDateTime.class))).isEqualTo(berlin);
        var east = OffsetDateTime.of(2026, 11, 16, 10, 0, 0, 0, ZoneOffset.ofHours(5));
        assertThat(again(east, TypeToken.of(OffsetDateTime.class))).isEqualTo(east);
        assertThat(Values.read("\"2026-11-16T10:00:00+01:00\"", TypeToken.of(ZonedDateTime.class)))
                .as("as it was written before")
                .isEqualTo(ZonedDateTime.parse("2026-11-16T10:00:00+01:00"));
    }

    private static void refused(TypeToken<?> type, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Values.requireKept(type))
                .withMessageContainingAll(words);
    }

    @Test
    void what_could_never_be_read_again_is_refused_with_what_is_to_be_done() {
        refused(
                TypeToken.of(Shape.class),
                "values of " + Shape.class.getName() + " cannot be read once they are stored: Shape is sealed",
                "@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)");
        refused(TypeToken.of(Drawing.class), "Shape (at shapes) is sealed");
        refused(new TypeToken<Map<String, List<Drawing>>>() {}, "Shape (at shapes) is sealed");
        refused(TypeToken.of(Animal.class), "Animal is an interface", "@JsonSubTypes names them");
        refused(TypeToken.of(Plant.class), "Plant is abstract");
        refused(TypeToken.of(Maker.class), "Maker has no constructor that its members could be given to");
        refused(TypeToken.of(Inner.class), "Inner is an inner class");
        refused(TypeToken.of(OfKotlin.class), "OfKotlin is of Kotlin", "jackson-module-kotlin");
        refused(TypeToken.of(Stopwatch.class), "Stopwatch has no constructor");
    }

    @Test
    void what_can_be_read_is_let_through() {
        for (var type : List.of(
                TypeToken.of(Order.class),
                TypeToken.of(Tree.class),
                TypeToken.of(Word.class),
                TypeToken.of(Object.class),
                TypeToken.of(Void.class),
                TypeToken.of(JsonNode.class),
                TypeToken.of(String.class),
                TypeToken.of(int[].class),
                TypeToken.of(byte[].class),
                TypeToken.of(Number.class),
                TypeToken.of(Thread.State.class),
                TypeToken.of(Colour.class),
                TypeToken.of(Mixed.class),
                TypeToken.of(Derived.class),
                new TypeToken<Map<String, Object>>() {})) {
            assertThatCode(() -> Values.requireKept(type)).as(type.toString()).doesNotThrowAnyException();
        }
    }

    @Test
    void what_is_null_is_the_same_as_what_is_not_there() {
        assertThat(Json.comparable("{\"b\":null,\"a\":{\"c\":null,\"d\":[null,{\"e\":null}]}}"))
                .isEqualTo("{\"a\":{\"d\":[null,{}]}}");
        assertThat(Json.comparable("null")).isEqualTo("null");
    }
}
