package dev.pawl.command;

import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Reads what a command has said as its result: JSON if it reads as such, else text, with a mask in place of each secret in it. */
final class MaskedJson {
    private static final String MASK = "***";

    private MaskedJson() {}

    /** Secrets are looked for once the text is read: what is escaped in it is one then, too. */
    static JsonNode read(String text, Secrets secrets) {
        var said = text.strip();
        if (said.isEmpty()) {
            return NullNode.getInstance();
        }
        try {
            return masked(parsed(said), secrets);
        } catch (JsonMismatch e) {
            return unread(secrets.masked(said), secrets);
        }
    }

    /** Where a number was a secret, its mask is a text. */
    private static JsonNode unread(String masked, Secrets secrets) {
        if (masked.contains(MASK)) {
            try {
                return masked(parsed(quoted(masked)), secrets);
            } catch (JsonMismatch e) {
                // Then it is no JSON, whatever stands in place of the masks.
            }
        }
        return StringNode.valueOf(masked);
    }

    private static JsonNode parsed(String text) {
        // What two readers would read differently is text, and kept as it was written.
        return Objects.requireNonNull(Json.read(Json.canonical(Json.exact(text)), JsonNode.class));
    }

    private static JsonNode masked(JsonNode node, Secrets secrets) {
        if (secrets.isEmpty()) {
            return node;
        }
        if (node instanceof ObjectNode object) {
            var masked = JsonNodeFactory.instance.objectNode();
            object.forEachEntry(
                    (name, value) -> masked.set(free(masked, secrets.masked(name)), masked(value, secrets)));
            return masked;
        }
        if (node instanceof ArrayNode array) {
            var masked = JsonNodeFactory.instance.arrayNode();
            array.forEach(value -> masked.add(masked(value, secrets)));
            return masked;
        }
        if (!node.isString() && !node.isNumber()) {
            return node;
        }
        var text = node.asString();
        var masked = secrets.masked(text);
        return masked.equals(text) ? node : StringNode.valueOf(masked);
    }

    /** A name that is not taken yet: two that are masked may look alike, and none of them is lost. */
    private static String free(ObjectNode object, String name) {
        var free = name;
        while (object.has(free)) {
            free += "*";
        }
        return free;
    }

    /** The text with what is no text in it, and has a mask, made one. */
    private static String quoted(String text) {
        var quoted = new StringBuilder();
        for (var at = 0; at < text.length(); ) {
            var end = text.charAt(at) == '"' ? afterText(text, at) : afterWord(text, at);
            var word = text.substring(at, end);
            quoted.append(word.charAt(0) != '"' && word.contains(MASK) ? "\"" + word + "\"" : word);
            at = end;
        }
        return quoted.toString();
    }

    private static int afterText(String text, int from) {
        var at = from + 1;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(text.length(), at + 1);
    }

    private static int afterWord(String text, int from) {
        var at = from;
        while (at < text.length() && "{}[],:\" \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return Math.max(at, from + 1);
    }
}
