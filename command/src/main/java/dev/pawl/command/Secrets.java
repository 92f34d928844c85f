package dev.pawl.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Values that are never kept: whatever is kept has a mask in their place. */
public final class Secrets {
    /** There are none. */
    public static final Secrets NONE = new Secrets(List.of());

    private static final String MASK = "***";

    /** Shorter ones would mask half of what is written, and are no secrets. */
    public static final int LEAST_CHARS = 4;

    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values;
    }

    /** These values; those that are too short to be one are left out. */
    public static Secrets of(Collection<String> values) {
        return new Secrets(values.stream()
                .filter(value -> value.length() >= LEAST_CHARS)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
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
