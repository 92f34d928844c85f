package dev.pawl.store.jdbc;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The numbers of lines: who may take a job, in one number. Remembers those it has seen committed. Not thread-safe. */
final class JdbcLines {
    private static final int MOST_REMEMBERED = 1_000;

    private record Line(String workflow, String queue, String principal) {}

    private final Sql sql;
    private final Map<Line, Long> known = new HashMap<>();

    JdbcLines(Sql sql) {
        this.sql = sql;
    }

    /** The line's number; a line that is not there is made. */
    long of(String workflow, String queue, String principal) throws SQLException {
        var line = new Line(workflow, queue, principal);
        var id = known.get(line);
        if (id == null) {
            sql.run(
                    "insert into pawl.line (workflow, queue, principal) values (?, ?, ?) on conflict do nothing",
                    workflow,
                    queue,
                    principal);
            id = Objects.requireNonNull(sql.one(
                    "select id from pawl.line where workflow = ? and queue = ? and principal = ?",
                    row -> row.getLong(1),
                    workflow,
                    queue,
                    principal));
            if (known.size() >= MOST_REMEMBERED) {
                known.clear();
            }
            known.put(line, id);
        }
        return id;
    }

    /** What was made is undone. */
    void forget() {
        known.clear();
    }
}
