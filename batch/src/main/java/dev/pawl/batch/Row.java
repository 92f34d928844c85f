package dev.pawl.batch;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A row as it was read.
 *
 * @param line where it stands, from 1
 * @param value what it says; null when it cannot be read
 * @param trouble why it cannot be read; null when it can
 * @param text what stands there, of a line that cannot be read; null when it can, or is not known
 */
public record Row(
        long line,
        @Nullable JsonNode value,
        @Nullable String trouble,
        @Nullable String text) {

    static Row good(long line, JsonNode value) {
        return new Row(line, value, null, null);
    }

    static Row bad(long line, String trouble) {
        return new Row(line, null, trouble, null);
    }

    static Row bad(long line, String trouble, String text) {
        return new Row(line, null, trouble, text);
    }
}
