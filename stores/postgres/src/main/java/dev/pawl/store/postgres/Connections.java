package dev.pawl.store.postgres;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sessions with the server, so many at the most; who finds none free waits for one. They are kept open between uses, unless whoever gave us the data
 * source keeps them himself. Thread-safe.
 */
final class Connections {
    private final DataSource source;
    private final Settings settings;
    private final Semaphore free;
    private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Connections(DataSource source, Settings settings, int most) {
        this.source = source;
        this.settings = settings;
        this.free = new Semaphore(most);
    }

    Session borrow() throws SQLException {
        free.acquireUninterruptibly();
        var session = idle.poll();
        if (session != null) {
            return session;
        }
        try {
            return connect();
        } catch (SQLException | RuntimeException e) {
            free.release();
            throw e;
        }
    }

    private Session connect() throws SQLException {
        var connection = source.getConnection();
        try {
            connection.setAutoCommit(true);
            return new Session(connection, settings);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** A session that is as it was when it was borrowed. */
    void giveBack(Session session) {
        if (closed || !settings.ways().own()) {
            close(session);
        } else {
            idle.push(session);
        }
        free.release();
    }

    /** A session that failed. When the server went away, those that nobody uses are of no more use either. */
    void drop(Session session, @Nullable SQLException why) {
        close(session);
        free.release();
        if (why != null && PostgresErrors.spoilsTheConnection(why)) {
            closeIdle();
        }
    }

    private static void close(Session session) {
        try {
            session.connection().close();
        } catch (SQLException e) {
            // It is given up in any case.
        }
    }

    private void closeIdle() {
        for (var session = idle.poll(); session != null; session = idle.poll()) {
            close(session);
        }
    }

    void close() {
        closed = true;
        closeIdle();
    }
}
