package dev.pawl.store.sqlite;

import dev.pawl.store.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * SQLite's log beside the file ({@code FILE-wal}), and what the file says about it. While somebody writes, the newest commits are in the log alone; so
 * before the first of them the file itself is marked: without its log it is not whole. Whoever ends well takes the mark back, and the last one folds the log
 * into the file, which is then all there is of the store.
 *
 * <p>Whoever still writes marks the file again when it finds the mark gone: so nobody has to know who is the last.
 */
final class SqliteLog {
    private static final int MOST_TRIES = 10;

    /** How long somebody who leaves waits for others, who fold the log themselves when they leave. */
    private static final int BUSY_MILLIS = 500;

    private SqliteLog() {}

    /** Begins a transaction that writes, with a log and in a file that is marked. */
    static void begin(Sql sql) throws SQLException {
        sql.run("begin immediate");
        for (var i = 0; i < MOST_TRIES && id(sql) == SqliteFile.APPLICATION_ID; i++) {
            sql.run("rollback");
            sql.one("pragma journal_mode = wal", row -> row.getString(1));
            sql.run("begin immediate");
            // Somebody who left may have ended the log just now; he cannot once we are in a transaction with it.
            if ("wal".equals(sql.one("pragma journal_mode", row -> row.getString(1)))) {
                sql.run("pragma application_id = " + SqliteFile.LOGGED_ID);
                sql.run("commit");
                // Into the file itself: it must say so without the log.
                sql.one("pragma wal_checkpoint(passive)", row -> row.getInt(1));
                sql.run("begin immediate");
            }
        }
    }

    private static int id(Sql sql) throws SQLException {
        var id = sql.one("pragma application_id", row -> row.getInt(1));
        return id == null ? 0 : id;
    }

    /**
     * Ends the use of the log on the last connection of somebody who leaves.
     *
     * @param wrote whether he wrote; somebody who only looked takes no mark back, and folds what another one has left who ended well
     */
    static void end(Connection connection, boolean wrote) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = " + BUSY_MILLIS);
            var id = SqliteFile.pragma(connection, "application_id");
            if (wrote && id == SqliteFile.LOGGED_ID) {
                statement.execute("pragma application_id = " + SqliteFile.APPLICATION_ID);
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
}
