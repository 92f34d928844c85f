package dev.pawl.job;

import org.jspecify.annotations.Nullable;

/**
 * What a look found of something that goes on elsewhere.
 *
 * @param <T> what it ends with
 */
public sealed interface Finding<T> {

    /** It goes on. */
    record Going<T>() implements Finding<T> {}

    /** It has ended, with this. */
    record Done<T>(@Nullable T result) implements Finding<T> {}

    /** It goes on once a person has done something there. */
    record Needs<T>(String question) implements Finding<T> {
        private static final int MOST_CHARS = 4_000;

        public Needs {
            if (question.isBlank()) {
                throw new IllegalArgumentException("say what a person has to do there");
            }
            if (question.length() > MOST_CHARS) {
                throw new IllegalArgumentException(
                        "a question has at most " + MOST_CHARS + " characters; say where there is more to read");
            }
        }
    }

    /** It has ended, and nothing comes of it. */
    record Failed<T>(String why) implements Finding<T> {}

    /** It goes on. */
    static <T> Finding<T> going() {
        return new Going<>();
    }

    /** It has ended, with {@code result}. */
    static <T> Finding<T> done(@Nullable T result) {
        return new Done<>(result);
    }

    /** It goes on once a person has done something there: {@code question} says what. */
    static <T> Finding<T> needs(String question) {
        return new Needs<>(question);
    }

    /** It has ended, and nothing comes of it. */
    static <T> Finding<T> failed(String why) {
        return new Failed<>(why);
    }
}
