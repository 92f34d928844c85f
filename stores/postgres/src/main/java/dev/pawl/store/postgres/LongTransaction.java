package dev.pawl.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A transaction that may take as long as it takes, whatever the connection's own patience is, and that is durable when it ends; the connection is as it was then. */
final class LongTransaction {
    private static final Duration LONGEST = Duration.ofDays(1);

    private LongTransaction() {}

    /** What is done in it. */
    @FunctionalInterface
    interface LongPart<T> {
        T run() throws SQLException;
    }

    /** Does it and commits, or undoes it. */
    static <T> T in(Connection connection, LongPart<T> longPart) throws SQLException {
        var patience = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, (int) LONGEST.toMillis());
        connection.setAutoCommit(false);
        try {
            run(
                    connection,
                    "set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;"
                            + " select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'");
            var result = longPart.run();
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            try {
                connection.rollback();
            } catch (SQLException gone) {
                e.addSuppressed(gone);
            }
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
                connection.setNetworkTimeout(Runnable::run, patience);
            }
        }
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
