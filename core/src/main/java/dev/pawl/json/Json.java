package dev.pawl.json;

import dev.pawl.key.Encoding;
import java.math.BigDecimal;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes values. Thread-safe. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .annotationIntrospector(new MissingNumbers())
            .build();
    private static final ObjectReader STRICT = MAPPER.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final Pattern ABOUT_JACKSON = Pattern.compile(
            " ?\\((set|for|bound|start marker at|index)[^()]*(\\([^()]*\\)[^()]*)*\\)|; `[^`]*`.*|: not allowed as per.*|\\[Source:[^\\]]*\\]");

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
            throw new JsonMismatch(
                    "a " + (value == null ? "null" : value.getClass().getName()) + " cannot be written as JSON", e);
        }
    }

    /**
     * The value that {@code json} holds.
     *
     * @throws JsonMismatch when it does not fit {@code type}
     */
    @SuppressWarnings("unchecked")
    public static <T> @Nullable T read(String json, TypeToken<T> type) {
        try {
            return (T) MAPPER.readValue(json, MAPPER.constructType(type.type()));
        } catch (JacksonException e) {
            throw new JsonMismatch("this JSON does not read as " + type + ": " + sentence(e), e);
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
        try {
            var tree = STRICT.readTree(json);
            if (tree.isMissingNode()) {
                throw new JsonMismatch("not one JSON value: there is nothing", null);
            }
            return MAPPER.writeValueAsString(sorted(tree));
        } catch (JacksonException e) {
            throw new JsonMismatch("not one JSON value: " + sentence(e), e);
        }
    }

    /** 32 hex digits that are equal for equal values, however they were written. */
    public static String fingerprint(String json) {
        return Encoding.hash(canonical(json));
    }

    /** What Jackson says, without what it says about itself. */
    private static String sentence(JacksonException thrown) {
        return ABOUT_JACKSON
                .matcher(thrown.getOriginalMessage())
                .replaceAll("")
                .lines()
                .findFirst()
                .orElse("it cannot be read");
    }

    /** A number or a boolean that is missing is a mismatch, not a zero: nobody wrote that zero. */
    private static final class MissingNumbers extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
            return member.getRawType().isPrimitive() ? Boolean.TRUE : super.hasRequiredMarker(config, member);
        }
    }

    private static JsonNode sorted(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                var members = new TreeMap<String, JsonNode>();
                object.properties().forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
                var copy = MAPPER.createObjectNode();
                members.forEach(copy::set);
                yield copy;
            }
            case ArrayNode array -> {
                var copy = MAPPER.createArrayNode();
                array.forEach(element -> copy.add(sorted(element)));
                yield copy;
            }
            default -> node.isNumber() ? number(node.decimalValue()) : node;
        };
    }

    private static JsonNode number(BigDecimal value) {
        if (Math.abs((long) value.precision() - value.scale()) > MOST_DIGITS
                || Math.abs((long) value.scale()) > MOST_DIGITS) {
            throw new JsonMismatch(
                    "not one JSON value: a number has more than " + MOST_DIGITS + " digits when it is written out",
                    null);
        }
        var plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        return MAPPER.getNodeFactory().rawValueNode(new tools.jackson.databind.util.RawValue(plain.toPlainString()));
    }
}
