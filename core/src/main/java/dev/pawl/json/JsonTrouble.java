package dev.pawl.json;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

/** What is wrong with a text that should be JSON, or with JSON that does not fit a type: made from where it is, in our own words. No value is repeated, unless the type itself says it. */
final class JsonTrouble {
    private static final Set<Class<?>> WHOLE =
            Set.of(int.class, long.class, short.class, byte.class, Integer.class, Long.class, Short.class, Byte.class);
    private static final int MOST_NAMES = 12;

    private JsonTrouble() {}

    /** A mismatch that is told in words of its own. */
    static final class Told extends MismatchedInputException {
        private static final long serialVersionUID = 1;

        Told(JavaType type, String sentence) {
            super(null, sentence, type);
        }
    }

    /** What keeps a text from being one JSON value. */
    static String ofText(JacksonException thrown) {
        return switch (thrown) {
            case UnexpectedEndOfInputException ignored -> "it ends too early";
            case StreamConstraintsException ignored -> "it is too deep, or holds a name or a number that is too long";
            case StreamReadException ignored -> {
                var at = thrown.getLocation();
                yield "it cannot be read at line " + at.getLineNr() + ", column " + at.getColumnNr();
            }
            case MismatchedInputException ignored -> "something follows it";
            default -> "it cannot be read";
        };
    }

    /** Which member of an object is there twice. */
    static String namedTwice(JsonParser parser) {
        var names = new ArrayDeque<Set<String>>();
        try (parser) {
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    names.push(new HashSet<>());
                } else if (token == JsonToken.END_OBJECT) {
                    names.pop();
                } else if (token == JsonToken.PROPERTY_NAME && !names.element().add(parser.currentName())) {
                    return "'" + parser.currentName() + "' is in it twice";
                }
            }
        }
        return "it cannot be read";
    }

    /**
     * What keeps JSON from fitting a type.
     *
     * @param tree the JSON
     */
    static String ofFit(JacksonException thrown, JsonNode tree) {
        if (tree.isMissingNode()) {
            return "there is nothing";
        }
        if (thrown instanceof Told) {
            return thrown.getOriginalMessage();
        }
        var path = thrown.getPath();
        var node = at(tree, path);
        if (thrown instanceof InvalidTypeIdException) {
            return (path.isEmpty() ? "it" : text(path)) + " is of no kind that is known here";
        }
        if (node == null) {
            return underAnotherName(thrown, path);
        }
        var where = path.isEmpty() ? "it" : text(path);
        if (thrown instanceof ValueInstantiationException && thrown.getCause() != null) {
            return where + " is refused: " + words(thrown.getCause());
        }
        var wanted = thrown instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        if (wanted == null) {
            var said = thrown.getCause() == null ? null : thrown.getCause().getMessage();
            if (said != null) {
                return where + " is refused: " + said;
            }
            return where + " is " + kind(node)
                    + (thrown instanceof InputCoercionException ? " that is too large" : ", which does not fit");
        }
        if (node.isNull() && wanted.isArray()) {
            // What a list of plain numbers or truths refuses is told as of the list.
            return where + " is nothing, and stands in " + kind(wanted) + " of what cannot be nothing";
        }
        return where + " is " + kind(node) + ", and should be " + kind(wanted);
    }

    /** The same where nothing stands under the name that the type has: it stands under an earlier one, or is lacking. */
    private static String underAnotherName(JacksonException thrown, List<JacksonException.Reference> path) {
        var what = "what stands for '" + text(path) + "'";
        if (thrown instanceof InputCoercionException) {
            return what + " is a number that is too large";
        }
        if (!(thrown instanceof MismatchedInputException mismatch)) {
            var cause = thrown.getCause();
            return cause == null ? what + " does not fit" : what + " is refused: " + words(cause);
        }
        if (isValue(mismatch.getCurrentToken())) {
            return what + " should be " + kind(mismatch.getTargetType());
        }
        var inside = text(path.subList(0, path.size() - 1));
        return "it lacks '" + path.getLast().getPropertyName() + "'" + (inside.isEmpty() ? "" : " in " + inside);
    }

    /** What a refusal says of itself. */
    private static String words(Throwable refusal) {
        var said = refusal.getMessage();
        return said == null ? refusal.getClass().getSimpleName() : said;
    }

    private static boolean isValue(@Nullable JsonToken token) {
        return token != null && (token.isScalarValue() || token.isStructStart());
    }

    private static @Nullable JsonNode at(JsonNode tree, List<JacksonException.Reference> path) {
        JsonNode node = tree;
        for (var step : path) {
            node = step.getPropertyName() != null ? node.get(step.getPropertyName()) : node.get(step.getIndex());
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    private static String text(List<JacksonException.Reference> path) {
        return path.stream()
                .map(step ->
                        step.getPropertyName() != null ? "." + step.getPropertyName() : "[" + step.getIndex() + "]")
                .collect(Collectors.joining())
                .replaceFirst("^\\.", "");
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT, POJO -> "an object";
            case ARRAY -> "a list";
            case STRING, BINARY -> "a text";
            case NUMBER -> node.isIntegralNumber() ? "a whole number" : "a number with a fraction";
            case BOOLEAN -> "true or false";
            case NULL, MISSING -> "null";
        };
    }

    private static String kind(Class<?> wanted) {
        if (WHOLE.contains(wanted)) {
            return "a whole number";
        }
        if (wanted.isEnum()) {
            return "one of "
                    + Arrays.stream(wanted.getEnumConstants())
                            .limit(MOST_NAMES)
                            .map(Object::toString)
                            .collect(Collectors.joining(", "))
                    + (wanted.getEnumConstants().length > MOST_NAMES ? ", …" : "");
        }
        if (wanted == boolean.class || wanted == Boolean.class) {
            return "true or false";
        }
        if (wanted == char.class || wanted == Character.class) {
            return "one character";
        }
        if (Number.class.isAssignableFrom(wanted) || wanted.isPrimitive()) {
            return "a number";
        }
        if (CharSequence.class.isAssignableFrom(wanted)) {
            return "a text";
        }
        if (Collection.class.isAssignableFrom(wanted) || wanted.isArray()) {
            return "a list";
        }
        if (Map.class.isAssignableFrom(wanted)) {
            return "an object";
        }
        var name = wanted.getSimpleName();
        return ("AEIOU".indexOf(Character.toUpperCase(name.charAt(0))) >= 0 ? "an " : "a ")
                + name
                + (wanted.isRecord() ? ", written as an object" : "");
    }
}
