package dev.pawl.store.sqlite;

import dev.pawl.store.jdbc.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * SQLite's log beside the file ({@code FILE-wal}), and what the file says about it. While somebody writes, the newest commits are in the log alone; so
 * before the first of them the file itself is marked: without its log it is not whole. Whoever ends well takes the mark back, and the last one folds the log
 * into the file, which is then all there is of the store.
 *
 * <p>Whoever still writes marks the file again when it finds the mark gone: so nobody has to know who is the last. Not thread-safe.
 */
final class SqliteLog {
    private static final int MOST_TRIES = 10;
    private static final int SQLITE_BUSY = 5;

    /** How long somebody who leaves waits for others, who fold the log themselves when they leave. */
    private static final int BUSY_MILLIS = 500;

    private final Statements sql;
    private final AtomicBoolean owed;
    private boolean owes;

    /**
     * The log as one connection writes it.
     *
     * @param owed whether the mark may be in the log alone: a process that reads may hold it back there, for as long as it does
     */
    SqliteLog(Statements sql, AtomicBoolean owed) {
        this.sql = sql;
        this.owed = owed;
    }

    /** Begins a transaction that writes, with a log and in a file that is marked. */
    void begin() throws SQLException {
        sql.run("begin immediate");
        // Taken once nobody else writes: what is owed from now on is owed by whoever comes after us.
        owes = owed.getAndSet(false);
        for (var i = 0; i < MOST_TRIES && id(sql) == SqliteFile.APPLICATION_ID; i++) {
            sql.run("rollback");
            sql.one("pragma journal_mode = wal", row -> row.getString(1));
            sql.run("begin immediate");
            // A process that left may have ended the log just now; none can once we are in a transaction with it.
            if (goesWithLog(sql)) {
                sql.run("pragma application_id = " + SqliteFile.LOGGED_ID);
                sql.run("commit");
                owes = !isInTheFile();
                sql.run("begin immediate");
            }
        }
    }

    /** The transaction was committed: a mark that could not be put into the file before is, if it can be now. */
    void committed() {
        if (owes) {
            try {
                owes = !isInTheFile();
            } catch (SQLException e) {
                // What was committed is committed; the mark is tried again with the next transaction.
            }
            stillOwed();
        }
    }

    /** The transaction was undone. */
    void undone() {
        stillOwed();
    }

    private void stillOwed() {
        if (owes) {
            owed.set(true);
        }
    }

    /** Copies the log into the file itself, which must say so without it; false when not all of it could be. */
    private boolean isInTheFile() throws SQLException {
        return Boolean.TRUE.equals(
                sql.one("pragma wal_checkpoint(passive)", row -> row.getInt(1) == 0 && row.getInt(2) == row.getInt(3)));
    }

    /** Marks the file in a transaction that somebody else has begun; it stands or falls with what is written there, and until it is copied into the file it is owed. */
    static void markWithin(Statements theirs) throws SQLException {
        if (id(theirs) == SqliteFile.APPLICATION_ID && goesWithLog(theirs)) {
            theirs.run("pragma application_id = " + SqliteFile.LOGGED_ID);
        }
    }

    private static boolean goesWithLog(Statements sql) throws SQLException {
        return "wal".equals(sql.one("pragma journal_mode", row -> row.getString(1)));
    }

    private static int id(Statements sql) throws SQLException {
        return Objects.requireNonNull(sql.one("pragma application_id", row -> row.getInt(1)));
    }

    /**
     * Ends the use of the log on the last connection of somebody who leaves.
     *
     * @param wrote whether it wrote; a process that only looked takes no mark back, and folds what another one has left who ended well
     */
    static void end(Connection connection, boolean wrote) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = " + BUSY_MILLIS);
            var id = SqliteFile.pragma(connection, "application_id");
            if (wrote && id == SqliteFile.LOGGED_ID) {
                takeMarkBack(statement);
            } else if (id != SqliteFile.APPLICATION_ID) {
                return;
            }
            try {
                // Only the last one can, and only with all of the log in the file.
                statement.execute("pragma journal_mode = delete");
            } catch (SQLException othersAreThere) {
                statement.execute("pragma wal_checkpoint(full)");
            }
        }
    }

    /** On a full disk the log cannot grow; but once all of it is in the file it is written from its beginning again. */
    private static void takeMarkBack(Statement statement) throws SQLException {
        try {
            statement.execute("pragma application_id = " + SqliteFile.APPLICATION_ID);
        } catch (SQLException noRoom) {
            if ((noRoom.getErrorCode() & 0xff) == SQLITE_BUSY) {
                throw noRoom;
            }
            statement.execute("pragma wal_checkpoint(restart)");
            statement.execute("pragma application_id = " + SqliteFile.APPLICATION_ID);
        }
    }
}
