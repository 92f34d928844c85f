package dev.pawl.store.postgres;

import dev.pawl.export.StoreLine;
import dev.pawl.store.jdbc.JdbcClaims;
import dev.pawl.store.jdbc.JdbcExport;
import dev.pawl.store.jdbc.JdbcStore;
import dev.pawl.store.jdbc.JdbcWriter;
import dev.pawl.store.jdbc.Looks;
import dev.pawl.store.jdbc.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import org.postgresql.PGConnection;

/** One connection with what is prepared on it. Not thread-safe. */
final class Session {
    private static final int COLLISIONS = 5;
    private static final Duration LONGEST_EXPORT = Duration.ofDays(1);

    private final Connection connection;
    private final Settings settings;
    private final Statements sql;
    private final JdbcWriter writer;
    private final JdbcClaims claims;
    private final Looks looks;
    private final int theirThreshold;
    private final int theirPatience;
    private int goodAfter;

    Session(Connection connection, Settings settings) throws SQLException {
        this.connection = connection;
        this.settings = settings;
        this.sql = new Statements(connection, settings.prefix());
        this.writer = new JdbcWriter(sql, PostgresDialect.INSTANCE);
        this.claims = new JdbcClaims(sql, PostgresDialect.INSTANCE, writer);
        this.looks = new Looks(sql, PostgresDialect.INSTANCE);
        this.theirThreshold = connection.unwrap(PGConnection.class).getPrepareThreshold();
        this.theirPatience = connection.getNetworkTimeout();
        connection.unwrap(PGConnection.class).setPrepareThreshold(settings.prepareThreshold());
        patience(Settings.ANSWER);
        if (settings.forTransaction().isEmpty()) {
            try (var statement = connection.createStatement()) {
                statement.execute(Settings.forSession());
            }
        }
    }

    /** Leaves the connection to whoever gave it to us, as it was. */
    void leave() throws SQLException {
        connection.unwrap(PGConnection.class).setPrepareThreshold(theirThreshold);
        connection.setNetworkTimeout(Runnable::run, theirPatience);
    }

    /** After how many losses of connections it was last known to be good. */
    int goodAfter() {
        return goodAfter;
    }

    void goodAfter(int losses) {
        goodAfter = losses;
    }

    Connection connection() {
        return connection;
    }

    Statements sql() {
        return sql;
    }

    JdbcWriter writer() {
        return writer;
    }

    JdbcClaims claims() {
        return claims;
    }

    Looks looks() {
        return looks;
    }

    /** Begins a transaction of several exchanges; returns the store's time, which stays the same until it ends. */
    Instant begin() throws SQLException {
        connection.setAutoCommit(false);
        setForTransaction();
        return Instant.ofEpochMilli(Objects.requireNonNull(sql.one("select " + settings.now(), row -> row.getLong(1))));
    }

    private void setForTransaction() throws SQLException {
        var setting = settings.forTransaction();
        if (!setting.isEmpty()) {
            sql.one(setting, row -> "");
        }
    }

    /** How long an answer may take to arrive from now on. */
    private void patience(Duration longest) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) Math.min(longest.toMillis(), Integer.MAX_VALUE));
    }

    /** The user's part of a transaction may take so long; {@link #usersPartEnds} ends it. */
    void usersPartBegins(Settings.SettingValues theirs, Duration longest) throws SQLException {
        set(theirs.during(longest));
        patience(longest.plus(Settings.ANSWER));
    }

    /** The rest of the transaction is ours again. */
    Instant usersPartEnds() throws SQLException {
        patience(Settings.ANSWER);
        set(Settings.OURS);
        return begin();
    }

    /** Like {@link #begin()}; returns what would be set if the transaction were not ours, for the user's part of it. */
    Settings.SettingValues beginForUser() throws SQLException {
        connection.setAutoCommit(false);
        var before = Objects.requireNonNull(sql.one(settings.theirs(), Settings.SettingValues::of));
        begin();
        return before;
    }

    /** Sets these until the transaction ends. */
    private void set(Settings.SettingValues values) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(values.sql());
        }
    }

    /** Of several queries each would see what was committed between it and the one before. */
    <T> T atOneMoment(JdbcStore.Looking<T> looking) throws SQLException {
        try {
            beginAtOneMoment();
            setForTransaction();
            var found = looking.look(looks);
            rollback();
            return found;
        } catch (SQLException | RuntimeException e) {
            undo(e);
            throw e;
        }
    }

    /** The first thing that a transaction says, and of this transaction alone: a pooler may give the next one another connection. */
    private void beginAtOneMoment() throws SQLException {
        connection.setAutoCommit(false);
        sql.run("set transaction isolation level repeatable read");
    }

    /** Tells everything, as it is when this begins. It may take as long as it takes: it holds nobody up. */
    void export(Consumer<StoreLine> told) throws SQLException {
        try {
            beginAtOneMoment();
            var theirs = beginForUser();
            usersPartBegins(theirs, LONGEST_EXPORT);
            patience(Settings.ANSWER);
            new JdbcExport(connection, settings.prefix()).to(told);
            rollback();
        } catch (SQLException | RuntimeException e) {
            undo(e);
            throw e;
        }
    }

    void commit() throws SQLException {
        writer.finish();
        connection.commit();
        connection.setAutoCommit(true);
    }

    void rollback() throws SQLException {
        writer.forget();
        connection.rollback();
        connection.setAutoCommit(true);
    }

    /** What is done in a transaction of its own, and may be done again in another. */
    interface Retryable<T> {
        T run() throws SQLException;
    }

    /** Does it again, a few times, when the database gave it up for the sake of others. */
    <T> T retrying(Retryable<T> attempt) throws SQLException {
        for (var i = 1; ; i++) {
            try {
                return attempt.run();
            } catch (SQLException e) {
                undo(e);
                if (!PostgresErrors.isCollision(e) || i == COLLISIONS) {
                    throw e;
                }
            } catch (RuntimeException e) {
                undo(e);
                throw e;
            }
        }
    }

    /** Rolls back because of {@code cause}, which is worth more than what may go wrong with that. */
    void undo(Exception cause) {
        try {
            rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
