package dev.pawl.json;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.pawl.key.Encoding;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Reads and writes values. Thread-safe. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .annotationIntrospector(new MissingNumbers())
            .build();
    private static final ObjectReader STRICT = MAPPER.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final JsonStringEncoder QUOTES = JsonStringEncoder.getInstance();

    private static final Pattern ABOUT_JACKSON =
            Pattern.compile(" ?\\((?:set|disable|enable|bound as|token) `[^`]*`[^)]*\\)"
                    + "| ?\\(`JsonToken[^`]*`\\)| ?\\(index \\d+\\)"
                    + "| ?\\(start marker at \\[[^\\]]*\\]\\)"
                    + "|; `DeserializationFeature[^`]*` enabled"
                    + "|: not allowed as per `[^`]*`"
                    + "| from `StreamReadConstraints[^`]*`"
                    + "| at \\[Source:[^\\]]*\\]");

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
                    "a " + Objects.requireNonNull(value).getClass().getName() + " cannot be written as JSON", e);
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
            throw new JsonMismatch("not one JSON value: " + sentence(e), e);
        }
    }

    /** A tree in canonical form, as {@link #canonical(String)} has it. */
    public static String canonical(JsonNode tree) {
        try {
            var text = new StringBuilder();
            append(text, tree);
            return text.toString();
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

    /** A number or a boolean that a record or a creator misses is a mismatch, not a zero: nobody wrote that zero. */
    private static final class MissingNumbers extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
            var said = super.hasRequiredMarker(config, member);
            var wanted = said == null && member.getRawType().isPrimitive() && alwaysWritten(member);
            return wanted ? Boolean.TRUE : said;
        }

        /** A creator's parameter cannot be annotated as ignored; the record's component is. */
        private boolean isIgnored(AnnotatedMember member) {
            var components = member.getDeclaringClass().getRecordComponents();
            if (components != null
                    && member instanceof AnnotatedParameter parameter
                    && parameter.getIndex() < components.length) {
                return components[parameter.getIndex()].getAccessor().isAnnotationPresent(JsonIgnore.class);
            }
            return _hasAnnotation(member, JsonIgnore.class);
        }

        /** What may be left out when it is written cannot be wanted when it is read. */
        private boolean alwaysWritten(AnnotatedMember member) {
            var included = member.getDeclaringClass().getAnnotation(JsonInclude.class);
            var own = _findAnnotation(member, JsonInclude.class);
            var property = _findAnnotation(member, JsonProperty.class);
            return (included == null || included.value() == JsonInclude.Include.ALWAYS)
                    && (own == null || own.value() == JsonInclude.Include.ALWAYS)
                    && (property == null || property.access() != JsonProperty.Access.READ_ONLY)
                    && !isIgnored(member);
        }
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
