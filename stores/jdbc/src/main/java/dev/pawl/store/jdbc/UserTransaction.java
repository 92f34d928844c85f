package dev.pawl.store.jdbc;

import dev.pawl.journal.Entry;
import dev.pawl.store.SqlStore;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Runs a user's SQL inside a transaction that is not theirs to end, and not for longer than it may. */
public final class UserTransaction {

    private static final Set<String> NOT_THEIRS = Set.of(
            "commit", "rollback", "close", "abort", "setAutoCommit", "setReadOnly", "setSavepoint", "releaseSavepoint");

    private UserTransaction() {}

    /** What the user's code threw. */
    public static final class WorkFailed extends Exception {
        private final Exception thrown;

        WorkFailed(Exception thrown) {
            super(thrown);
            this.thrown = thrown;
        }

        /** What the user's code threw. */
        public Exception thrown() {
            return thrown;
        }
    }

    /**
     * Runs {@code work}; what it did stands with the caller's transaction, or falls with it.
     *
     * @param longest what takes longer than this is refused in the end; interrupting what hangs is the caller's business
     */
    public static List<Entry> run(Connection connection, SqlStore.Work work, Duration longest, Time time)
            throws SQLException, WorkFailed {
        var start = time.nanos();
        try (var statement = connection.createStatement()) {
            statement.execute("savepoint pawl_user");
            var entries = timed(connection, work, longest, time, start);
            try {
                statement.execute("release pawl_user");
            } catch (SQLException e) {
                throw whyNotReleased(e);
            }
            return entries;
        }
    }

    /** Whose fault it is that the transaction is not what it was; a lost connection is nobody's, and thrown as it is. */
    private static WorkFailed whyNotReleased(SQLException e) throws SQLException {
        var state = Objects.requireNonNullElse(e.getSQLState(), "");
        if (state.startsWith("08") || state.startsWith("57P")) {
            throw e;
        }
        return new WorkFailed(new IllegalStateException(
                state.equals("25P02")
                        ? "a statement of the transaction failed, and the database takes no more from it; let the exception through"
                        : "the transaction was ended by its own SQL; leave BEGIN, COMMIT and ROLLBACK to Pawl",
                e));
    }

    private static List<Entry> timed(Connection connection, SqlStore.Work work, Duration longest, Time time, long start)
            throws WorkFailed {
        try {
            var entries = work.run(guarded(connection));
            if (late(longest, time, start)) {
                throw new IllegalStateException(
                        "the transaction took longer than " + Durations.text(longest) + " and was rolled back");
            }
            return entries;
        } catch (Exception thrown) {
            throw new WorkFailed(thrown);
        }
    }

    /** Whether {@code connection} is in a transaction of its own, so that what is done on it is not committed by itself. */
    public static void requireOn(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "this connection commits every statement by itself; begin a transaction (setAutoCommit(false)) and submit inside it");
        }
    }

    /** Whether {@code longest} has passed since {@code start}. */
    public static boolean late(Duration longest, Time time, long start) {
        return time.nanos() - start > longest.toNanos();
    }

    private static Connection guarded(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                UserTransaction.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (NOT_THEIRS.contains(method.getName())) {
                        throw new IllegalStateException(method.getName()
                                + " is not for a job's transaction: Pawl commits it together with its record");
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }
}
