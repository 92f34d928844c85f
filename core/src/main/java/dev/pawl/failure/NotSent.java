package dev.pawl.failure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An effect's own word about the whole effect: nothing happened, and it may be tried again. */
public class NotSent extends RuntimeException {

    private final @Nullable Duration retryAfter;

    /** Nothing happened because of {@code message}. */
    public NotSent(String message) {
        this(message, null, null);
    }

    /** Nothing happened; the other side asks to be left alone for {@code retryAfter}. */
    public NotSent(String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    /** How long the other side asked to be left alone, if it did. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
