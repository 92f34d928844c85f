package dev.pawl.store.postgres;

import dev.pawl.export.LineSums;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.jdbc.JdbcArrival;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * A store that moves in, in one transaction. One that left another place holds this one before it: until the last of it is there nobody else opens it, however
 * often that is interrupted and begun again.
 */
final class PostgresArrival {
    /** What gives numbers here, with the table and column that has them. */
    static final Map<String, List<String>> SEQUENCES = Map.of(
            "job_seq_seq", List.of("job", "seq"),
            "journal_seq_seq", List.of("journal", "seq"),
            "claim_group_id_seq", List.of("claim_group", "id"),
            "follow_up_id_seq", List.of("follow_up", "id"),
            "ended", List.of("job", "end_number"));

    private final Connection connection;
    private final PostgresMeta meta;
    private final String server;

    PostgresArrival(Connection connection, String schemaName, String server) {
        this.connection = connection;
        this.meta = PostgresMeta.of(connection, schemaName);
        this.server = server;
    }

    /** Takes all of it in. */
    Map<String, LineSums.Sum> take(IncomingStore arriving) throws SQLException {
        connection.setAutoCommit(false);
        try {
            if (!begin(arriving)) {
                return Map.of();
            }
            meta.lock();
            var there = new JdbcArrival(connection, meta.schema(), PostgresDialect.INSTANCE).take(arriving);
            var token = arriving.token();
            if (token != null) {
                meta.remove(PostgresMeta.MOVING);
                meta.set(PostgresMeta.MOVED_IN, token);
            }
            connection.commit();
            return there;
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        }
    }

    /** Whether anything is left to do. */
    private boolean begin(IncomingStore arriving) throws SQLException {
        var token = arriving.token();
        meta.lock();
        if (token != null && token.equals(meta.find(PostgresMeta.MOVED_IN))) {
            connection.commit();
            return false;
        }
        if (token == null || !token.equals(meta.find(PostgresMeta.MOVING))) {
            requireRoom();
        }
        if (token != null) {
            meta.set(PostgresMeta.MOVING, token);
            connection.commit();
        }
        return true;
    }

    /** Makes sure that no store is here yet, nor on its way. */
    void requireRoom() throws SQLException {
        if (meta.find(PostgresMeta.MOVING) != null) {
            throw IncomingStore.another(server);
        }
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select exists (select 1 from " + meta.schema()
                        + "job) or exists (select 1 from " + meta.schema() + "worker)")) {
            row.next();
            if (row.getBoolean(1)) {
                throw IncomingStore.noRoom(server);
            }
        }
    }
}
