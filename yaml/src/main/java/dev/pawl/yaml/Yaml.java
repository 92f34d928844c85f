package dev.pawl.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A YAML text as a tree whose parts know where they stand. */
public sealed interface Yaml {
    /** More than this is nothing that a person wrote. */
    int MOST_CHARS = 1 << 20;

    /** Nor is what is nested more deeply. */
    int MOST_DEPTH = 20;

    /** Nor is what has more parts, aliases written out. */
    int MOST_NODES = 100_000;

    /** Where it begins. */
    At at();

    /**
     * A place in a file, both from 1.
     */
    record At(int line, int column) {
        /** Something that is wrong there. */
        public Problem problem(String what) {
            return new Problem(line, column, what);
        }
    }

    /** A text, or what is written like one. */
    record Scalar(At at, String text, boolean empty) implements Yaml {}

    /** Many, one after the other. */
    record Listing(At at, List<Yaml> items) implements Yaml {}

    /** Names with values. */
    record Mapping(At at, SequencedMap<Scalar, Yaml> members) implements Yaml {
        /** The value called {@code name}; null when there is none. */
        public @Nullable Yaml get(String name) {
            for (var member : members.entrySet()) {
                if (member.getKey().text().equals(name)) {
                    return member.getValue();
                }
            }
            return null;
        }
    }

    /** Reads a text; what is wrong is added to {@code problems}, and then null is returned. */
    static @Nullable Yaml read(String text, List<Problem> problems) {
        if (text.length() > MOST_CHARS) {
            problems.add(new Problem(1, 1, "the file is longer than " + MOST_CHARS + " characters"));
            return null;
        }
        try {
            var settings = LoadSettings.builder()
                    .setAllowDuplicateKeys(true)
                    .setCodePointLimit(MOST_CHARS)
                    .build();
            if (isTooDeep(new Parse(settings).parseString(text), problems)) {
                return null;
            }
            var root = new Compose(settings).composeString(text);
            if (root.isEmpty()) {
                problems.add(new Problem(1, 1, "the file is empty"));
                return null;
            }
            return of(root.get(), problems, 0, new AtomicInteger(MOST_NODES));
        } catch (MarkedYamlEngineException e) {
            var mark = e.getProblemMark();
            problems.add(new Problem(
                    mark.map(one -> one.getLine() + 1).orElse(1),
                    mark.map(one -> one.getColumn() + 1).orElse(1),
                    "this is no YAML: " + e.getProblem()));
            return null;
        } catch (YamlEngineException e) {
            problems.add(new Problem(1, 1, "this is no YAML: " + e.getMessage()));
            return null;
        }
    }

    /** Looked at before anything is composed, which takes a frame of the stack for each level. */
    private static boolean isTooDeep(Iterable<Event> events, List<Problem> problems) {
        var depth = 0;
        for (var event : events) {
            if (event instanceof CollectionStartEvent && ++depth > MOST_DEPTH) {
                problems.add(event.getStartMark()
                        .map(mark -> new At(mark.getLine() + 1, mark.getColumn() + 1))
                        .orElse(new At(1, 1))
                        .problem("this is nested too deeply"));
                return true;
            }
            depth -= event instanceof CollectionEndEvent ? 1 : 0;
        }
        return false;
    }

    private static Yaml of(Node node, List<Problem> problems, int depth, AtomicInteger room) {
        var at = node.getStartMark()
                .map(mark -> new At(mark.getLine() + 1, mark.getColumn() + 1))
                .orElse(new At(1, 1));
        if (depth > MOST_DEPTH) {
            problems.add(at.problem("this is nested too deeply"));
            return new Scalar(at, "", true);
        }
        if (room.decrementAndGet() <= 0) {
            if (room.get() == 0) {
                problems.add(
                        at.problem(
                                "this is more than a file has that people write; aliases that repeat aliases grow without bound"));
            }
            return new Scalar(at, "", true);
        }
        return switch (node) {
            case ScalarNode scalar ->
                new Scalar(at, scalar.getValue(), scalar.getTag().equals(Tag.NULL));
            case SequenceNode list -> {
                var items = new ArrayList<Yaml>();
                list.getValue().forEach(item -> items.add(of(item, problems, depth + 1, room)));
                yield new Listing(at, items);
            }
            case MappingNode map -> {
                var members = new LinkedHashMap<Scalar, Yaml>();
                for (var tuple : map.getValue()) {
                    // Keys that are no texts were refused when the file was composed.
                    var name = (Scalar) of(tuple.getKeyNode(), problems, depth + 1, room);
                    if (members.keySet().stream().anyMatch(known -> known.text().equals(name.text()))) {
                        problems.add(name.at().problem("\"" + name.text() + "\" stands here twice"));
                    }
                    members.put(name, of(tuple.getValueNode(), problems, depth + 1, room));
                }
                yield new Mapping(at, members);
            }
            default -> {
                problems.add(at.problem("this is no text, no list and no mapping"));
                yield new Scalar(at, "", true);
            }
        };
    }
}
