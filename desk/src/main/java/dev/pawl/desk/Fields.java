package dev.pawl.desk;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What machines are told: names and what they are. */
public final class Fields {
    private Fields() {}

    /** Names and what they are, in this order. */
    public static Map<String, @Nullable Object> of(@Nullable Object... pairs) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        for (var i = 0; i < pairs.length; i += 2) {
            fields.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        return fields;
    }
}
