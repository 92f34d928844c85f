package dev.pawl.store.postgres;

import dev.pawl.store.StoreFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Takes connections from a data source that somebody else made, and none on which a transaction of theirs runs: the first thing that a store does on a
 * connection would commit it. Such sources hand out the connection of whatever transaction the calling thread is in, so it is looked at every time.
 * Thread-safe.
 */
final class Handover {
    private static final String TRANSACTION_AWARE = "TransactionAwareDataSourceProxy";

    private final DataSource source;
    private volatile boolean arriveInTransactions;

    Handover(DataSource source) {
        this.source = source;
    }

    /**
     * Refuses a source that is known by its name to hand out connections of running transactions, before one runs.
     *
     * @throws StoreFailure when it is one
     */
    void refuseByName() {
        for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getSimpleName().equals(TRANSACTION_AWARE)) {
                throw refused();
            }
        }
    }

    /**
     * A connection that is ours until it is closed, and commits by itself.
     *
     * @throws StoreFailure when somebody's transaction runs on it
     */
    Connection take() throws SQLException {
        var connection = source.getConnection();
        try {
            if (!connection.getAutoCommit()) {
                connection = lookedAt(connection);
            }
            connection.setAutoCommit(true);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Pools may be made so that every connection arrives like this; then nothing has been done on it. */
    private Connection lookedAt(Connection connection) throws SQLException {
        if (connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
            throw refused();
        }
        if (arriveInTransactions) {
            return connection;
        }
        // There may be no second one while this one is out.
        connection.close();
        if (commitsByItselfOnAnotherThread()) {
            throw refused();
        }
        arriveInTransactions = true;
        return source.getConnection();
    }

    /** A thread that was just made is in nobody's transaction. */
    private boolean commitsByItselfOnAnotherThread() throws SQLException {
        var found = new CompletableFuture<Boolean>();
        Thread.ofPlatform().daemon().name("pawl-handover").start(() -> {
            try (var connection = source.getConnection()) {
                found.complete(connection.getAutoCommit());
            } catch (SQLException | RuntimeException e) {
                found.completeExceptionally(e);
            }
        });
        try {
            return found.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException sql ? sql : new SQLException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while a connection was taken", e);
        }
    }

    private static StoreFailure refused() {
        return new StoreFailure(
                StoreFailure.Move.OPERATOR,
                "this data source hands out the connection of the transaction that the calling thread is in, and Pawl would commit it;"
                        + " give Pawl.open the data source behind it, and submit within a transaction with pawl.submit(connection, …)",
                null);
    }
}
