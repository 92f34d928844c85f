package dev.pawl.json;

import org.jspecify.annotations.Nullable;

/** A value that cannot be written as JSON, or JSON that does not read as the type that was asked for. */
public final class JsonMismatch extends RuntimeException {

    /** What did not fit, and why. */
    public JsonMismatch(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
