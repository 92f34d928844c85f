package dev.pawl.script;

import dev.pawl.yaml.Nearest;
import dev.pawl.yaml.Problem;
import dev.pawl.yaml.ValuePath;
import dev.pawl.yaml.Yaml;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Paths as flows have them: {@code results.push.branch}, {@code input.slug}, {@code item.id}, {@code slot.date}. */
final class FlowPath {
    static final List<String> ROOTS = List.of("input", "results", "item", "slot");

    /** What {@link KnownValues} knows of a slot. */
    private static final List<String> SLOT = List.of("at", "date", "time");

    private FlowPath() {}

    /** The path that {@code text} is; null when it is none, and that is told. */
    static @Nullable ValuePath of(String text, Yaml.At at, List<Problem> problems) {
        var path = ValuePath.of(text).orElse(null);
        if (path == null) {
            problems.add(at.problem(
                    "\"" + text + "\" is no path; write results.STEP.FIELD, input.FIELD, item.FIELD or slot.date"));
            return null;
        }
        var names = path.names();
        if (!ROOTS.contains(path.root())) {
            problems.add(at.problem("\"" + text + "\" begins nowhere" + Nearest.hint(path.root(), ROOTS)));
            return null;
        }
        if (path.root().equals("slot") && names.size() > 1 && !SLOT.contains(names.get(1))) {
            problems.add(at.problem("there is no " + text + "; a slot has at, date and time"));
            return null;
        }
        if (path.root().equals("slot") && names.size() > 2) {
            problems.add(at.problem("there is no " + text + "; slot." + names.get(1) + " is a text"));
            return null;
        }
        return path;
    }

    /** The step whose result a path needs; null when it needs none. */
    static @Nullable String step(ValuePath path) {
        return path.root().equals("results") && path.names().size() > 1
                ? path.names().get(1)
                : null;
    }
}
