package dev.pawl.engine.local;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The one place where whatever user code throws becomes a value. */
final class UserCode {

    private UserCode() {}

    /** How a call into user code ended. */
    sealed interface CodeOutcome<T> {
        /** It returned. */
        record Returned<T>(@Nullable T value) implements CodeOutcome<T> {}

        /** It threw. */
        record Threw<T>(Throwable thrown) implements CodeOutcome<T> {}
    }

    static <T> CodeOutcome<T> call(Callable<T> code) {
        try {
            return new CodeOutcome.Returned<>(code.call());
        } catch (Throwable thrown) {
            return new CodeOutcome.Threw<>(thrown);
        }
    }
}
