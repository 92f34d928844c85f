package dev.pawl.yaml;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where a value is: {@code results.push.branch}, {@code input.slug}. A path and no expression.
 *
 * @param names one after the other; the first says where to begin
 */
public record ValuePath(List<String> names) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*");

    public ValuePath {
        names = List.copyOf(names);
    }

    /** The path that {@code text} is; empty when it is none. */
    public static Optional<ValuePath> of(String text) {
        return FORM.matcher(text.strip()).matches()
                ? Optional.of(new ValuePath(List.of(text.strip().split("\\."))))
                : Optional.empty();
    }

    /** Where it begins. */
    public String root() {
        return names.getFirst();
    }

    /** The value, when {@code root} is where it begins; null when there is none. */
    public @Nullable JsonNode in(@Nullable JsonNode root) {
        var value = root;
        for (var name : names.subList(1, names.size())) {
            if (value == null) {
                return null;
            }
            value = value.isArray() && name.matches("\\d{1,9}") ? value.get(Integer.parseInt(name)) : value.get(name);
        }
        return value;
    }

    @Override
    public String toString() {
        return String.join(".", names);
    }
}
