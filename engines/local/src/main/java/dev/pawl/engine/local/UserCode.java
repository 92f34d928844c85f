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

    /** What the code returned. Whatever it threw is thrown again, as it was: its caller is user code too. */
    @SuppressWarnings("NullAway") // code may come to nothing
    static <T> T result(CodeOutcome<T> outcome) {
        if (outcome instanceof CodeOutcome.Threw<T> threw) {
            throw again(threw.thrown());
        }
        return ((CodeOutcome.Returned<T>) outcome).value();
    }

    /** Throws {@code thrown} as it is. */
    @SuppressWarnings("unchecked")
    static <X extends Throwable> RuntimeException again(Throwable thrown) throws X {
        throw (X) thrown;
    }

    static <T> CodeOutcome<T> call(Callable<T> code) {
        try {
            return new CodeOutcome.Returned<>(code.call());
        } catch (Throwable thrown) {
            return new CodeOutcome.Threw<>(thrown);
        }
    }
}
