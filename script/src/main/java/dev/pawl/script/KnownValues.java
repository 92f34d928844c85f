package dev.pawl.script;

import dev.pawl.json.Json;
import dev.pawl.yaml.ValuePath;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a flow knows while it runs.
 *
 * @param input what the job was given
 * @param results of the steps so far, by their names
 * @param item the one that a loop is at; null outside of loops
 */
record KnownValues(
        JsonNode input, ObjectNode results, @Nullable JsonNode item) {

    static ObjectNode object() {
        return (ObjectNode) Objects.requireNonNull(Json.read("{}", JsonNode.class));
    }

    static KnownValues of(JsonNode input) {
        return new KnownValues(input, object(), null);
    }

    /** The same for one item: what it adds to the results stays with it. */
    KnownValues at(JsonNode one) {
        return new KnownValues(input, results.deepCopy(), one);
    }

    private @Nullable JsonNode root(String name) {
        return switch (name) {
            case "input" -> input;
            case "results" -> results;
            case "item" -> item;
            default -> slot();
        };
    }

    /** The value at {@code path}; null when there is none. */
    @Nullable
    JsonNode value(ValuePath path) {
        return path.in(root(path.root()));
    }

    /** Why there is no value at {@code path}, for people; what it stands in may be text, and the author thinks that it is an object. */
    String missing(ValuePath path) {
        var step = FlowPath.step(path);
        var result = step == null ? null : results.get(step);
        return "there is no value " + path
                + (result == null || !result.isString()
                        ? ""
                        : ": what " + step + " said is a text, and no JSON object");
    }

    /** What a command reads unless it is told otherwise. */
    JsonNode whole() {
        var whole = object();
        whole.set("input", input);
        whole.set("results", results);
        if (item != null) {
            whole.set("item", item);
        }
        return whole;
    }

    /** The same without what other steps found out. */
    JsonNode given() {
        var given = object();
        given.set("input", input);
        if (item != null) {
            given.set("item", item);
        }
        return given;
    }

    /** The instant that the job is for, in parts. */
    private @Nullable JsonNode slot() {
        var at = input.get("slot");
        if (at == null || !at.isString()) {
            return null;
        }
        var slot = object();
        slot.set("at", at);
        try {
            var when = OffsetDateTime.parse(at.asString());
            slot.put("date", when.toLocalDate().toString());
            slot.put("time", when.toLocalTime().toString());
        } catch (DateTimeParseException e) {
            slot.set("date", at);
        }
        return slot;
    }
}
