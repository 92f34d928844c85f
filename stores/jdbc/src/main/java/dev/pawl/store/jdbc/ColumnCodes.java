package dev.pawl.store.jdbc;

import java.util.EnumSet;
import java.util.List;

/**
 * The numbers under which the constants of an enum stand in a column, for ever: whatever becomes of their names and order.
 *
 * @param <E> the enum
 */
final class ColumnCodes<E extends Enum<E>> {
    private final List<E> byCode;

    private ColumnCodes(List<E> byCode) {
        this.byCode = byCode;
    }

    /** The constants in the order of their numbers, which begin at 0: all of them, each once. A new one comes last. */
    static <E extends Enum<E>> ColumnCodes<E> of(Class<E> type, List<E> byCode) {
        if (byCode.size() != type.getEnumConstants().length
                || !EnumSet.allOf(type).equals(EnumSet.copyOf(byCode))) {
            throw new IllegalStateException("each constant of " + type.getSimpleName() + " has one number");
        }
        return new ColumnCodes<>(List.copyOf(byCode));
    }

    int code(E constant) {
        return byCode.indexOf(constant);
    }

    E constant(int code) {
        return byCode.get(code);
    }

    /** The name of the constant with this number. */
    String word(int code) {
        return constant(code).name();
    }

    /** The number of the constant with this name. */
    int code(String word) {
        for (var code = 0; code < byCode.size(); code++) {
            if (byCode.get(code).name().equals(word)) {
                return code;
            }
        }
        throw new IllegalArgumentException("\"" + word + "\" is none of " + byCode);
    }
}
