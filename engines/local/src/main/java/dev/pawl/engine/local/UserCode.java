package dev.pawl.engine.local;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The one place where whatever user code throws becomes a value. */
final class UserCode {

    private UserCode() {}

    /** How a call into user code ended. */
    sealed interface Outcome<T> {
        /** It returned. */
        record Returned<T>(@Nullable T value) implements Outcome<T> {}

        /** It threw. */
        record Threw<T>(Throwable thrown) implements Outcome<T> {}
    }

    static <T> Outcome<T> call(Callable<T> code) {
        try {
            return new Outcome.Returned<>(code.call());
        } catch (Throwable thrown) {
            return new Outcome.Threw<>(thrown);
        }
    }
}
