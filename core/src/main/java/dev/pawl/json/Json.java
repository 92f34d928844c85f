package dev.pawl.json;

import dev.pawl.key.Encoding;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Reads and writes what Pawl itself stores, and JSON as such; values of users' code are {@link Values}. Thread-safe. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .annotationIntrospector(new MissingMembers())
            .build();
    private static final ObjectReader STRICT = MAPPER.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final ObjectReader EXACT = STRICT.with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);

    private static final JsonStringEncoder QUOTES = JsonStringEncoder.getInstance();

    private static final int MOST_DIGITS = 10_000;

    private Json() {}

    /**
     * {@code value} as JSON.
     *
     * @throws JsonMismatch when it cannot be written
     */
    public static String write(@Nullable Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JacksonException | StackOverflowError e) {
            throw cannotBeWritten(value, e);
        }
    }

    static JsonMismatch cannotBeWritten(@Nullable Object value, Throwable why) {
        return new JsonMismatch(
                "a " + Objects.requireNonNull(value).getClass().getName() + " cannot be written as JSON", why);
    }

    static JsonMapper mapper() {
        return MAPPER;
    }

    /**
     * The value that {@code json} holds.
     *
     * @throws JsonMismatch when it does not fit {@code type}
     */
    public static <T> @Nullable T read(String json, TypeToken<T> type) {
        return read(MAPPER, json, type);
    }

    @SuppressWarnings("unchecked")
    static <T> @Nullable T read(JsonMapper mapper, String json, TypeToken<T> type) {
        try {
            return (T) mapper.readValue(json, mapper.constructType(type.type()));
        } catch (JacksonException e) {
            throw new JsonMismatch("this JSON does not read as " + type + ": " + fitTrouble(e, json), e);
        }
    }

    private static String fitTrouble(JacksonException thrown, String json) {
        try {
            return JsonTrouble.ofFit(thrown, MAPPER.readTree(json));
        } catch (JacksonException noJson) {
            return JsonTrouble.ofText(noJson);
        }
    }

    /** Like {@link #read(String, TypeToken)} for a plain class. */
    public static <T> @Nullable T read(String json, Class<T> type) {
        return read(json, TypeToken.of(type));
    }

    /**
     * {@code json} in canonical form: members sorted by name, no white space, numbers without exponent or trailing zeros.
     *
     * @throws JsonMismatch when it is not one JSON value
     */
    public static String canonical(String json) {
        return canonical(tree(json));
    }

    /**
     * {@code json} as a tree, whatever it holds.
     *
     * @throws JsonMismatch when it is not one JSON value
     */
    public static JsonNode tree(String json) {
        try {
            var tree = STRICT.readTree(json);
            if (tree.isMissingNode()) {
                throw new JsonMismatch("not one JSON value: there is nothing", null);
            }
            return tree;
        } catch (JacksonException e) {
            throw new JsonMismatch("not one JSON value: " + JsonTrouble.ofText(e), e);
        }
    }

    /**
     * {@code json} as a tree, of what somebody wrote and nobody has read yet.
     *
     * @throws JsonMismatch when it is not one JSON value, or when two readers would read it differently: it names a member twice, or holds half of a
     *     character
     */
    public static JsonNode exact(String json) {
        try {
            var tree = EXACT.readTree(json);
            if (tree.isMissingNode()) {
                throw new JsonMismatch("not one JSON value: there is nothing", null);
            }
            requireWhole(tree);
            return tree;
        } catch (JacksonException e) {
            // Where it reads well otherwise, only the closer look at names can have objected.
            tree(json);
            throw new JsonMismatch("not one JSON value: " + JsonTrouble.namedTwice(MAPPER.createParser(json)), e);
        }
    }

    private static void requireWhole(JsonNode tree) {
        switch (tree) {
            case ObjectNode object ->
                object.properties().forEach(member -> {
                    requireWhole(member.getKey());
                    requireWhole(member.getValue());
                });
            case ArrayNode array -> array.forEach(Json::requireWhole);
            case StringNode text -> requireWhole(text.stringValue());
            default -> {}
        }
    }

    private static void requireWhole(String text) {
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new JsonMismatch("not one JSON value: half of a character stands alone (a surrogate)", null);
        }
    }

    /** A tree in canonical form, as {@link #canonical(String)} has it. */
    public static String canonical(JsonNode tree) {
        try {
            var text = new StringBuilder();
            append(text, tree);
            return text.toString();
        } catch (JacksonException e) {
            throw new JsonMismatch("not one JSON value: " + JsonTrouble.ofText(e), e);
        }
    }

    /**
     * {@code json} in canonical form without the members that are null, at any depth: a component that nobody has given is the same as one that there was not
     * yet. What stands in a list stays.
     *
     * @throws JsonMismatch when it is not one JSON value
     */
    public static String comparable(String json) {
        var tree = tree(json);
        dropNulls(tree);
        return canonical(tree);
    }

    private static void dropNulls(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        tree.forEach(Json::dropNulls);
    }

    /** 32 hex digits that are equal for equal values, however they were written. */
    public static String fingerprint(String json) {
        return Encoding.hash(canonical(json));
    }

    private static void append(StringBuilder to, JsonNode node) {
        switch (node) {
            case ObjectNode object -> {
                var between = '{';
                for (var name : new TreeSet<>(object.propertyNames())) {
                    quote(to.append(between), name);
                    append(to.append(':'), object.get(name));
                    between = ',';
                }
                to.append(object.isEmpty() ? "{}" : "}");
            }
            case ArrayNode array -> {
                var between = '[';
                for (var element : array) {
                    append(to.append(between), element);
                    between = ',';
                }
                to.append(array.isEmpty() ? "[]" : "]");
            }
            case StringNode text -> quote(to, text.stringValue());
            case NumericNode number -> to.append(plain(number.decimalValue()));
            case BooleanNode truth -> to.append(truth.booleanValue());
            case NullNode ignored -> to.append("null");
            default -> to.append(MAPPER.writeValueAsString(node));
        }
    }

    private static void quote(StringBuilder to, String text) {
        to.append('"');
        QUOTES.quoteAsString(text, to);
        to.append('"');
    }

    private static String plain(BigDecimal value) {
        var digits = Math.max(Math.abs((long) value.precision() - value.scale()), Math.abs((long) value.scale()));
        if (value.signum() != 0 && digits > MOST_DIGITS) {
            throw new JsonMismatch(
                    "not one JSON value: a number has more than " + MOST_DIGITS + " digits when it is written out",
                    null);
        }
        return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    }
}
