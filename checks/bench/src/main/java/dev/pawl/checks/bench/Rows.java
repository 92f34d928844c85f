package dev.pawl.checks.bench;

import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The rows of W1, written straight into Pawl's own tables. Not thread-safe. */
final class Rows implements AutoCloseable {

    private final Connection connection;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement start;
    private final PreparedStatement step;
    private final PreparedStatement finish;
    private final Time time = Time.system();

    Rows(Path file) throws SQLException {
        SqliteStore.open(file, time).close();
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (var statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma cache_size = -32000");
            statement.execute("pragma temp_store = memory");
        }
        begin = connection.prepareStatement("begin immediate");
        commit = connection.prepareStatement("commit");
        start = connection.prepareStatement(
                "insert into job (seq, identity, workflow, key, input, state, fence, owner, claim, created, changed)"
                        + " values (?, ?, 'w1', ?, '1', 1, 1, 1, ?, ?, ?)");
        step = connection.prepareStatement("insert into journal (job, change, resubmission, at, kind, place, body)"
                + " values (?, ?, 0, ?, 1, ?, ?)");
        finish = connection.prepareStatement(
                "update job set state = 4, fence = 2, owner = 0, claim = 0, changed = ?, result = ?, end_number = seq where seq = ?");
    }

    void begin() throws SQLException {
        begin.executeUpdate();
    }

    void commit() throws SQLException {
        commit.executeUpdate();
    }

    /** Operation {@code n} of a job: 0 starts it, 1 to 5 are its steps, 6 finishes it. */
    void write(long job, int n) throws SQLException {
        var now = time.now().toEpochMilli();
        if (n == 0) {
            var identity = new dev.pawl.key.Identity("w1", dev.pawl.key.Key.of(job));
            start.setLong(1, job);
            start.setString(2, identity.hash());
            start.setString(3, identity.key().encoded());
            start.setLong(4, job);
            start.setLong(5, now);
            start.setLong(6, now);
            start.executeUpdate();
        } else if (n <= Subject.STEPS) {
            step.setLong(1, job);
            step.setLong(2, (1L << 20) + n);
            step.setLong(3, now);
            step.setString(4, "step-" + n);
            step.setString(5, Subject.RESULT);
            step.executeUpdate();
        } else {
            finish.setLong(1, now);
            finish.setString(2, Subject.RESULT);
            finish.setLong(3, job);
            finish.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
