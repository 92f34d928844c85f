package dev.pawl.engine.local;

import dev.pawl.failure.PermanentFailure;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import org.jspecify.annotations.Nullable;

/**
 * A step's result, as it is recorded and as a resume will see it: the workflow sees the same now.
 *
 * @param json what is recorded
 * @param value what reads back from it
 * @param <T> the result's type
 */
record RecordedResult<T>(String json, T value) {

    /** The largest result that is kept. */
    static final int MOST_CHARS = Values.MOST_CHARS;

    /**
     * Writes {@code value} and reads it back.
     *
     * @throws PermanentFailure when it cannot be kept
     */
    @SuppressWarnings("NullAway") // a step may return null
    static <T> RecordedResult<T> of(@Nullable T value, TypeToken<T> type) {
        try {
            var json = Values.write(value, type);
            if (json.length() > MOST_CHARS) {
                throw new PermanentFailure(tooLong(json));
            }
            return new RecordedResult<>(json, Values.read(json, type));
        } catch (JsonMismatch e) {
            throw new PermanentFailure("its result cannot be kept: " + e.getMessage(), e);
        }
    }

    /** Why a result is not kept that is longer than any that is. */
    static String tooLong(String json) {
        return "its result has " + json.length() + " characters; the most is " + MOST_CHARS
                + ": keep it in a file and return its name";
    }
}
