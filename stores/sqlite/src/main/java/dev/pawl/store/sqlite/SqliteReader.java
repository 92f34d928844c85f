package dev.pawl.store.sqlite;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.jdbc.JdbcStore;
import dev.pawl.store.jdbc.Looks;
import dev.pawl.store.jdbc.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Looks into the file on connections of its own, beside the writer. Thread-safe. */
final class SqliteReader {

    private static final int MOST_IDLE = 4;

    private record Handle(Connection connection, Statements sql, Looks looks) {}

    private final SqliteFile file;
    private final ConcurrentLinkedDeque<Handle> idle = new ConcurrentLinkedDeque<>();
    private final ReentrantReadWriteLock looking = new ReentrantReadWriteLock();
    private volatile boolean closed;

    SqliteReader(SqliteFile file) {
        this.file = file;
    }

    /** Closes it, once those who look have seen what they look for, or after as long as a write would wait for them. */
    void close() {
        closed = true;
        try {
            if (looking.writeLock().tryLock(file.busy().toMillis(), TimeUnit.MILLISECONDS)) {
                looking.writeLock().unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (var handle = idle.poll(); handle != null; handle = idle.poll()) {
            drop(handle);
        }
    }

    <T> T look(JdbcStore.Looking<T> look) {
        looking.readLock().lock();
        try {
            if (closed) {
                throw new StoreFailure(StoreFailure.Move.OPERATOR, file.path() + " was closed by this process", null);
            }
            return looked(look);
        } finally {
            looking.readLock().unlock();
        }
    }

    private <T> T looked(JdbcStore.Looking<T> look) {
        try {
            return lookedWith(handle(), look);
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, file.path());
        }
    }

    private Handle handle() throws SQLException {
        var handle = idle.poll();
        if (handle != null) {
            return handle;
        }
        var connection = file.connect(false);
        var sql = new Statements(connection, "");
        return new Handle(connection, sql, new Looks(sql, SqliteDialect.INSTANCE));
    }

    private <T> T lookedWith(Handle handle, JdbcStore.Looking<T> look) throws SQLException {
        T found;
        try {
            found = atOneMoment(handle, look);
        } catch (SQLException e) {
            drop(handle);
            throw e;
        } catch (RuntimeException e) {
            // Whoever asked was wrong, or cannot read what it found; the connection is as good as before.
            giveBack(handle);
            throw e;
        }
        giveBack(handle);
        return found;
    }

    /** Of several queries each would see what was committed between it and the one before. */
    private static <T> T atOneMoment(Handle handle, JdbcStore.Looking<T> look) throws SQLException {
        handle.sql().run("begin");
        try {
            return look.look(handle.looks());
        } finally {
            handle.sql().run("rollback");
        }
    }

    private void giveBack(Handle handle) {
        if (closed || idle.size() >= MOST_IDLE) {
            drop(handle);
        } else {
            idle.push(handle);
        }
    }

    private static void drop(Handle handle) {
        try {
            handle.connection().close();
        } catch (SQLException e) {
            // A reader that cannot be closed has nothing to lose.
        }
    }
}
