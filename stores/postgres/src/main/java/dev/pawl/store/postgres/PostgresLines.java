package dev.pawl.store.postgres;

import dev.pawl.store.Change;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The numbers of lines, which are never taken back once they are committed. Thread-safe. */
final class PostgresLines {
    private static final int MOST_REMEMBERED = 10_000;

    private record Line(String workflow, String queue, String principal) {
        static Line of(Change.SubmitJob submit) {
            var handling = submit.given().handling();
            return new Line(submit.identity().workflow(), handling.queue(), handling.principal());
        }
    }

    private final Map<Line, Long> known = new ConcurrentHashMap<>();

    /** The numbers of the lines of these jobs; those that are not there are made. */
    long[] of(Session session, List<Change.SubmitJob> submissions) throws SQLException {
        var numbers = new long[submissions.size()];
        for (var i = 0; i < numbers.length; i++) {
            var line = Line.of(submissions.get(i));
            var id = known.get(line);
            if (id == null) {
                if (known.size() >= MOST_REMEMBERED) {
                    known.clear();
                }
                id = find(session, line);
                known.put(line, id);
            }
            numbers[i] = id;
        }
        return numbers;
    }

    private static long find(Session session, Line line) throws SQLException {
        session.begin();
        try {
            session.sql()
                    .run(
                            "insert into pawl.line (workflow, queue, principal) values (?, ?, ?) on conflict do nothing",
                            line.workflow(),
                            line.queue(),
                            line.principal());
            var id = Objects.requireNonNull(session.sql()
                    .one(
                            "select id from pawl.line where workflow = ? and queue = ? and principal = ?",
                            row -> row.getLong(1),
                            line.workflow(),
                            line.queue(),
                            line.principal()));
            session.commit();
            return id;
        } catch (SQLException e) {
            session.undo(e);
            throw e;
        }
    }
}
