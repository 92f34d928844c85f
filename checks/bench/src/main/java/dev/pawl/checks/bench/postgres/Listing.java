package dev.pawl.checks.bench.postgres;

import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;

/** Jobs submitted as lists, beside bare inserts of as many rows at once into a table with the same columns and the same unique index. */
final class Listing {
    private static final Time TIME = Time.system();
    private static final int LIST = 10_000;
    private static final int ROWS = 1_000;
    private static final Workflow<Integer, String> LISTED = Workflow.named("listed", Integer.class, String.class);

    private Listing() {}

    /** Jobs a second. */
    static double pawl(Database database, Duration window) {
        try (var pawl = PawlContender.open(database, 1)) {
            var start = TIME.nanos();
            var jobs = 0L;
            while (TIME.nanos() - start < window.toNanos()) {
                var inputs = new HashMap<Key, Integer>();
                for (var i = 0; i < LIST; i++) {
                    inputs.put(Key.of(jobs++), 1);
                }
                pawl.submitAll(LISTED, inputs);
            }
            return jobs * 1e9 / (TIME.nanos() - start);
        }
    }

    /** Rows a second. Identities are made outside of the time that counts, which is more than is fair. */
    static double bare(Database database, Duration window) throws SQLException {
        PawlContender.open(database, 1).close();
        database.run(
                "create table bare (like pawl.job including defaults including identity); alter table bare add primary key (seq);"
                        + "alter table bare add column identity text collate \"C\" not null; create unique index on bare (identity); create index on bare (claim_group, key, seq)");
        try (var connection = database.connect()) {
            connection.setAutoCommit(false);
            var rows = 0L;
            var nanos = 0L;
            while (nanos < window.toNanos()) {
                nanos += insert(connection, rows);
                rows += ROWS;
            }
            return rows * 1e9 / nanos;
        }
    }

    private static long insert(Connection connection, long from) throws SQLException {
        var identities = new String[ROWS];
        var keys = new String[ROWS];
        for (var i = 0; i < ROWS; i++) {
            var identity = new Identity("listed", Key.of(from + i));
            identities[i] = identity.hash();
            keys[i] = identity.key().encoded();
        }
        var start = TIME.nanos();
        try (var statement = connection.prepareStatement(
                "insert into bare (identity, workflow, key, input, state, created, changed, due, claim_group)"
                        + " select s.identity, 'listed', s.key, '1', 0, 1, 1, 1, 1 from unnest(?::text[], ?::text[]) as s(identity, key)")) {
            statement.setArray(1, connection.createArrayOf("text", identities));
            statement.setArray(2, connection.createArrayOf("text", keys));
            statement.executeUpdate();
        }
        connection.commit();
        return TIME.nanos() - start;
    }
}
