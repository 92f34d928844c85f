package dev.pawl.store.sqlite;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.JdbcClaims;
import dev.pawl.store.jdbc.JdbcWriter;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes changes on one connection, inside a transaction that its caller began. Not thread-safe. */
final class SqliteWriter {
    private final Statements sql;
    private final SqliteLog log;
    private final Time time;
    private final JdbcWriter changes;
    private final JdbcClaims claims;

    /** @param owed see {@link SqliteLog} */
    SqliteWriter(Connection connection, Time time, AtomicBoolean owed) {
        this.sql = new Statements(connection, "");
        this.log = new SqliteLog(sql, owed);
        this.time = time;
        this.changes = new JdbcWriter(sql, SqliteDialect.INSTANCE);
        this.claims = new JdbcClaims(sql, SqliteDialect.INSTANCE, changes);
    }

    JdbcWriter changes() {
        return changes;
    }

    JdbcClaims claims() {
        return claims;
    }

    void begin() throws SQLException {
        log.begin();
        changes.begin();
    }

    void commit() throws SQLException {
        changes.finish();
        sql.run("commit");
        log.committed();
    }

    void rollback() throws SQLException {
        changes.forget();
        log.undone();
        sql.run("rollback");
    }

    /** Applies everything; the caller commits. */
    Exchanged apply(List<Change> batch, Wanted wanted) throws SQLException {
        var applied = new ArrayList<Applied>(batch.size());
        var claimed = new ArrayList<Claimed>();
        var now = time.now();
        for (var change : batch) {
            applied.add(changes.apply(change, now, claimed));
        }
        var next = claims.claim(wanted, now, claimed);
        return new Exchanged(applied, claimed, next, claims.limited(), now);
    }
}
