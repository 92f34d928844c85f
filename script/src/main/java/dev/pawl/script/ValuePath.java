package dev.pawl.script;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where a value is: {@code results.push.branch}, {@code input.slug}, {@code item.id}, {@code slot.date}. A path and no expression.
 *
 * @param names one after the other; the first says where to begin
 */
record ValuePath(List<String> names) {
    static final List<String> ROOTS = List.of("input", "results", "item", "slot");

    /** What {@link KnownValues} knows of a slot. */
    static final List<String> SLOT = List.of("at", "date", "time");

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*");

    /** The path that {@code text} is; null when it is none, and that is told. */
    static @Nullable ValuePath of(String text, Yaml.At at, List<Problem> problems) {
        var names = List.of(text.strip().split("\\."));
        if (!FORM.matcher(text.strip()).matches()) {
            problems.add(at.problem(
                    "\"" + text + "\" is no path; write results.STEP.FIELD, input.FIELD, item.FIELD or slot.date"));
            return null;
        }
        if (!ROOTS.contains(names.getFirst())) {
            problems.add(at.problem("\"" + text + "\" begins nowhere" + Nearest.hint(names.getFirst(), ROOTS)));
            return null;
        }
        if (names.getFirst().equals("slot") && names.size() > 1 && !SLOT.contains(names.get(1))) {
            problems.add(at.problem("there is no " + text + "; a slot has at, date and time"));
            return null;
        }
        if (names.getFirst().equals("slot") && names.size() > 2) {
            problems.add(at.problem("there is no " + text + "; slot." + names.get(1) + " is a text"));
            return null;
        }
        return new ValuePath(names);
    }

    /** The step whose result it needs; null when it needs none. */
    @Nullable
    String step() {
        return names.getFirst().equals("results") && names.size() > 1 ? names.get(1) : null;
    }

    /** The value; null when there is none. */
    @Nullable
    JsonNode in(KnownValues known) {
        var value = known.root(names.getFirst());
        for (var name : names.subList(1, names.size())) {
            if (value == null) {
                return null;
            }
            value = value.isArray() && name.matches("\\d{1,9}") ? value.get(Integer.parseInt(name)) : value.get(name);
        }
        return value;
    }

    /** Why there is no value in {@code known}, for people; what it stands in may be text, and the author thinks that it is an object. */
    String missing(KnownValues known) {
        var step = step();
        var result = step == null ? null : new ValuePath(names.subList(0, 2)).in(known);
        return "there is no value " + this
                + (result == null || !result.isString()
                        ? ""
                        : ": what " + step + " said is a text, and no JSON object");
    }

    @Override
    public String toString() {
        return String.join(".", names);
    }
}
