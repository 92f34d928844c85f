package dev.pawl.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with its arguments, for results such as lists: {@code new TypeToken<List<String>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeToken<T> {

    private final Type type;

    /** Reads the type argument of the anonymous subclass. */
    protected TypeToken() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
            throw new IllegalArgumentException(
                    "write new TypeToken<List<String>>() {} with the type between the angle brackets");
        }
        this.type = parameterized.getActualTypeArguments()[0];
    }

    private TypeToken(Type type) {
        this.type = type;
    }

    /** The token of a plain class. */
    public static <T> TypeToken<T> of(Class<T> type) {
        return new Plain<>(type);
    }

    /** The type this stands for. */
    public Type type() {
        return type;
    }

    @Override
    public String toString() {
        return type.getTypeName();
    }

    private static final class Plain<T> extends TypeToken<T> {
        Plain(Class<T> type) {
            super(type);
        }
    }
}
