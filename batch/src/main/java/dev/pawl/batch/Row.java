package dev.pawl.batch;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A row as it was read.
 *
 * @param line where it stands, from 1
 * @param value what it says; null when it cannot be read
 * @param trouble why it cannot be read; null when it can
 */
public record Row(
        long line, @Nullable JsonNode value, @Nullable String trouble) {

    static Row good(long line, JsonNode value) {
        return new Row(line, value, null);
    }

    static Row bad(long line, String trouble) {
        return new Row(line, null, trouble);
    }
}
