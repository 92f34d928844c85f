package dev.pawl.store.jdbc;

import dev.pawl.job.JobState;
import dev.pawl.store.Answering;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** States and statuses as they stand in SQL: by name, in capitals, where the table has numbers. */
public final class SqlCodes {
    private static final Map<String, String> CODES = codes();
    private static final Pattern NAME = Pattern.compile("\\b(" + String.join("|", CODES.keySet()) + ")\\b");

    private SqlCodes() {}

    private static Map<String, String> codes() {
        var codes = new HashMap<String, String>();
        for (var state : JobState.values()) {
            codes.put(state.name(), Integer.toString(RowMapping.code(state)));
        }
        for (var status : Answering.Status.values()) {
            codes.put(status.name(), Integer.toString(RowMapping.code(status)));
        }
        return Map.copyOf(codes);
    }

    /** {@code sql} with the number of each state and status in place of its name. */
    public static String in(String sql) {
        return NAME.matcher(sql).replaceAll(name -> CODES.getOrDefault(name.group(), name.group()));
    }
}
