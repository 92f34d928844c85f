package dev.pawl.store.jdbc;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the priorities that there are in a claim group: one step through the index for each. */
final class DuePriorities {
    private DuePriorities() {}

    /** Highest first. */
    static List<Integer> in(long group, Statements sql) throws SQLException {
        var priorities = new TreeSet<Integer>(Comparator.reverseOrder());
        for (var suspect = 0; suspect <= 1; suspect++) {
            var next = highest(group, suspect, Integer.MAX_VALUE, sql);
            while (next != null) {
                priorities.add(next);
                next = highest(group, suspect, next, sql);
            }
        }
        return List.copyOf(priorities);
    }

    private static @Nullable Integer highest(long group, int suspect, int below, Statements sql) throws SQLException {
        return sql.one(
                "select priority from pawl.job where claim_group = ? and suspect = ? and priority < ? and due is not null"
                        + " order by priority desc limit 1",
                row -> row.getInt(1),
                group,
                suspect,
                below);
    }
}
