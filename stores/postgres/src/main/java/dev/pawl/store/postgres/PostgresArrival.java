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
            "collection_id_seq", List.of("collection", "id"),
            "ledger_row_id_seq", List.of("ledger_row", "id"),
            "ledger_part_id_seq", List.of("ledger_part", "id"),
            "ledger_word_id_seq", List.of("ledger_word", "id"),
            "ended", List.of("job", "end_number"));

    private final Connection connection;
    private final PostgresMeta meta;
    private final String server;

    PostgresArrival(Connection connection, String schemaName, String server) {
        this.connection = connection;
        this.meta = PostgresMeta.of(connection, schemaName);
        this.server = server;
    }

    /** Takes all of it in. Whoever had the place open before it was held may have begun something since. */
    Map<String, LineSums.Sum> take(IncomingStore arriving) throws SQLException {
        var token = arriving.token();
        if (token != null && !hold(token)) {
            return Map.of();
        }
        return LongTransaction.in(connection, () -> {
            meta.lock();
            if (token != null && !token.equals(meta.find(PostgresMeta.MOVING))) {
                return Map.of();
            }
            if (token == null && meta.find(PostgresMeta.MOVING) != null) {
                throw IncomingStore.another(server);
            }
            LongTransaction.run(
                    connection,
                    "lock table " + meta.schema() + "job, " + meta.schema() + "worker, " + meta.schema()
                            + "collection in share row exclusive mode");
            if (!meta.wasBegunByAnEarlierVersion()) {
                requireRoom();
            }
            var there = new JdbcArrival(connection, meta.schema(), PostgresDialect.INSTANCE).take(arriving);
            if (token != null) {
                meta.remove(PostgresMeta.MOVING);
                meta.set(PostgresMeta.MOVED_IN, token);
            }
            meta.forgetTheEarlierVersion();
            return there;
        });
    }

    /** Holds the place; returns whether anything is left to do. */
    boolean hold(String token) throws SQLException {
        return LongTransaction.in(connection, () -> {
            meta.lock();
            if (token.equals(meta.find(PostgresMeta.MOVED_IN))) {
                return false;
            }
            var held = meta.find(PostgresMeta.MOVING);
            if (held == null) {
                requireRoom();
                meta.set(PostgresMeta.MOVING, token);
            } else if (!held.equals(token)) {
                throw IncomingStore.another(server);
            }
            return true;
        });
    }

    /** Gives the place up. */
    void letGo(String token) throws SQLException {
        LongTransaction.in(connection, () -> {
            meta.lock();
            if (token.equals(meta.find(PostgresMeta.MOVING))) {
                meta.remove(PostgresMeta.MOVING);
            }
            return true;
        });
    }

    private void requireRoom() throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select exists (select 1 from " + meta.schema()
                        + "job) or exists (select 1 from " + meta.schema() + "worker) or exists (select 1 from "
                        + meta.schema() + "collection)")) {
            row.next();
            if (row.getBoolean(1)) {
                throw IncomingStore.noRoom(server);
            }
        }
    }
}
