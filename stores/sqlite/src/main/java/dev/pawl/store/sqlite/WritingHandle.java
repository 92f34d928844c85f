package dev.pawl.store.sqlite;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreGone;
import dev.pawl.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The connection by which a store writes: opened when it is needed, thrown away when nobody knows what it holds, and the last to leave the file. Used by one thread
 * at a time, but for {@link #wroteElsewhere}.
 */
final class WritingHandle {

    /** By file, a connection that keeps its log from being deleted as long as nobody has said that the file is whole without. */
    private static final Map<Path, Connection> LEFT_OPEN = new ConcurrentHashMap<>();

    private final SqliteFile file;
    private final Time time;
    private final SameFile sameFile;
    private @Nullable Connection connection;
    private @Nullable SqliteWriter writer;
    private final AtomicBoolean markOwed = new AtomicBoolean();
    private boolean suspicious;
    private volatile boolean wrote;

    WritingHandle(SqliteFile file, Time time, SameFile sameFile) {
        this.file = file;
        this.time = time;
        this.sameFile = sameFile;
    }

    /** What writes by it. */
    SqliteWriter writer() throws SQLException {
        var current = writer;
        if (current == null) {
            var opened = opened();
            // Nobody knows whether the mark of whoever wrote before has reached the file.
            markOwed.set(true);
            current = new SqliteWriter(opened, time, markOwed);
            connection = opened;
            writer = current;
            suspicious = false;
            wrote = true;
        }
        return current;
    }

    private Connection opened() throws SQLException {
        if (Files.exists(file.log())) {
            stay();
        }
        var opened = file.connect(true);
        try {
            if (suspicious) {
                foldLog(opened);
            }
        } catch (SQLException e) {
            quietly(opened);
            throw e;
        }
        quietly(LEFT_OPEN.remove(file.path()));
        return opened;
    }

    /**
     * SQLite folds the log and deletes it when the last connection that may write is closed, although the file says that it needs it: whoever was about to take that
     * back may have failed. Until somebody has a sound connection, one that cannot write stays open.
     */
    private void stay() {
        LEFT_OPEN.computeIfAbsent(file.path(), path -> staying());
    }

    private @Nullable Connection staying() {
        Connection stays = null;
        try {
            stays = file.connect(false);
            // Nothing is held before something was read.
            SqliteFile.pragma(stays, "user_version");
            return stays;
        } catch (SQLException e) {
            quietly(stays);
            return null;
        }
    }

    /** The connection of {@link #writer}. */
    Connection connection() {
        return Objects.requireNonNull(connection);
    }

    /** Somebody has written by a connection of their own, and still has the lock. */
    void wroteElsewhere() {
        markOwed.set(true);
        wrote = true;
    }

    /** Rolls back, or gives the handle up: SQLite rolls back by itself after some errors, and then has nothing to roll back. */
    void undo(SqliteWriter current, Exception cause) {
        try {
            current.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
            drop();
        }
    }

    /** After an I/O error nobody knows what the handle holds: it is thrown away, never used again. */
    StoreFailure explained(SQLException e) {
        if (SqliteErrors.spoilsTheHandle(e)) {
            suspicious = true;
            drop();
        }
        return SqliteErrors.explain(e, file.path());
    }

    void drop() {
        if (connection != null) {
            stay();
            quietly(connection);
        }
        connection = null;
        writer = null;
    }

    private static void quietly(@Nullable Connection old) {
        try {
            if (old != null) {
                old.close();
            }
        } catch (SQLException e) {
            // It is given up in any case.
        }
    }

    /**
     * A log whose sync failed may be on disk in part only, although it reads well from the cache. Copying it into the file, synced, makes what
     * is visible durable before anything is built upon it.
     */
    private static void foldLog(Connection opened) throws SQLException {
        try (var statement = opened.createStatement();
                var row = statement.executeQuery("pragma wal_checkpoint(truncate)")) {
            row.next();
            if (row.getInt(1) != 0) {
                throw new SQLException("the log could not be folded into the file yet", "", 5);
            }
        }
    }

    /** To close a connection to a file that is gone would delete the log of whatever lies in its place by now. */
    void leave() {
        try {
            sameFile.require();
        } catch (StoreGone gone) {
            return;
        }
        endLog();
        drop();
    }

    /** What cannot be folded now stays in the log, and the file says so. */
    private void endLog() {
        var last = connection;
        try {
            if (last == null && (wrote || file.hasLogToFold())) {
                last = file.connectAsItIs();
            }
            if (last != null) {
                quietly(LEFT_OPEN.remove(file.path()));
                SqliteLog.end(last, wrote);
                last.close();
            }
        } catch (SQLException e) {
            // The file still says that it needs its log, and to close the last connection would delete that: this one
            // stays open, as if we had been killed, and
            // whoever opens the file next finds the log.
            if (last != null) {
                quietly(LEFT_OPEN.put(file.path(), last));
            }
        }
        connection = null;
    }
}
