package dev.pawl.store.postgres;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sessions with the server, so many at the most; who finds none free waits for one. They are kept open between uses, unless whoever gave us the data
 * source keeps them open. Thread-safe.
 */
final class Connections {
    private static final int PATIENCE_SECONDS = 5;

    private final Handover source;
    private final Settings settings;
    private final Semaphore free;
    private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger losses = new AtomicInteger();
    private volatile boolean closed;

    Connections(Handover source, Settings settings, int most) {
        this.source = source;
        this.settings = settings;
        this.free = new Semaphore(most);
    }

    Session borrow() throws SQLException {
        free.acquireUninterruptibly();
        for (var session = idle.poll(); session != null; session = idle.poll()) {
            if (isGood(session)) {
                return session;
            }
            close(session);
        }
        try {
            return connect();
        } catch (SQLException | RuntimeException e) {
            free.release();
            throw e;
        }
    }

    /** After a connection was lost, the others are tried before they are used again. */
    private boolean isGood(Session session) throws SQLException {
        var lost = losses.get();
        if (session.goodAfter() == lost) {
            return true;
        }
        session.goodAfter(lost);
        return session.connection().isValid(PATIENCE_SECONDS);
    }

    private Session connect() throws SQLException {
        var lost = losses.get();
        var connection = source.take();
        try {
            var session = new Session(connection, settings);
            session.goodAfter(lost);
            return session;
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

    /** A session that failed. */
    void drop(Session session, @Nullable SQLException why) {
        close(session);
        free.release();
        if (why != null && PostgresErrors.spoilsTheConnection(why)) {
            losses.incrementAndGet();
        }
    }

    /** Whoever gave us the connection gets it back as it was. */
    private void close(Session session) {
        try (var connection = session.connection()) {
            if (!settings.ways().own() && !connection.isClosed()) {
                session.leave();
            }
        } catch (SQLException e) {
            // It is of no use to anybody, which its owner finds out as we would.
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
