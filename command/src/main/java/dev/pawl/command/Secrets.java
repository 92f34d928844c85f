package dev.pawl.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Values that are never kept: whatever is kept has a mask in their place. */
public final class Secrets {
    /** There are none. */
    public static final Secrets NONE = new Secrets(List.of(), List.of());

    private static final String MASK = "***";

    /** Shorter ones would mask half of what is written, and are no secrets. */
    public static final int LEAST_CHARS = 4;

    private final List<String> names;
    private final List<String> values;

    private Secrets(Collection<String> names, List<String> values) {
        this.names = List.copyOf(names);
        this.values = values;
    }

    /** The values of environment variables, by their names; those that are too short to be one are left out. */
    public static Secrets named(Map<String, String> values) {
        return new Secrets(values.keySet(), of(values.values()).values);
    }

    /** These values; those that are too short to be one are left out. */
    public static Secrets of(Collection<String> values) {
        return new Secrets(
                List.of(),
                values.stream()
                        .filter(value -> value.length() >= LEAST_CHARS)
                        .distinct()
                        .sorted(Comparator.comparingInt(String::length).reversed())
                        .toList());
    }

    /** What the environment variables are called that they are the values of. */
    List<String> names() {
        return names;
    }

    /** The text with a mask in place of each secret. */
    public String masked(String text) {
        var masked = text;
        for (var value : values) {
            masked = masked.replace(value, MASK);
        }
        return masked;
    }
}
