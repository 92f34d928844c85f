package dev.pawl.checks.bench.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bound of W2: claims so many and completes the ones before in one commit, on Pawl's tables; no user code, no step record. */
final class BoundDrain implements Drains {
    private static final String COMPLETE =
            "update pawl.job j set state = 4, fence = fence + 1, owner = 0, claim = 0, changed = 1, result = s.result, end_number = nextval('pawl.ended')"
                    + " from unnest(?::bigint[], ?::text[]) as s(job, result) where j.seq = s.job";
    private static final String CLAIM =
            "with due as materialized (select seq from pawl.job where claim_group = 1 and suspect = 0 and priority = 0 and due <= 9999999999999"
                    + " and due is not null order by due, lane, seq limit " + PawlDrain.SLOTS
                    + " for update skip locked)"
                    + " update pawl.job j set state = 1, fence = fence + 1, owner = 1, claim = 1, changed = 1, due = null"
                    + " from due where j.seq = due.seq returning j.seq";

    @Override
    public String name() {
        return "bound";
    }

    @Override
    public int jobs() {
        return 300_000;
    }

    @Override
    public Draining fill(Database database, int jobs) {
        // The same rows in the same tables, put there in the same way.
        PawlDrain.submit(database, jobs);
        return new Claiming(database);
    }

    private static final class Claiming implements Draining {
        private final Database database;
        private volatile boolean closed;
        private @Nullable Thread thread;

        Claiming(Database database) {
            this.database = database;
        }

        @Override
        public void start() {
            thread = Thread.ofPlatform().name("bound-drain").start(this::loop);
        }

        private void loop() {
            try (var connection = database.connect();
                    var statement = connection.createStatement()) {
                statement.execute("set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off");
                connection.setAutoCommit(false);
                drain(connection);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private void drain(Connection connection) throws SQLException {
            try (var complete = connection.prepareStatement(COMPLETE);
                    var claim = connection.prepareStatement(CLAIM)) {
                List<Long> before = new ArrayList<>();
                while (!closed) {
                    if (!before.isEmpty()) {
                        complete.setArray(1, connection.createArrayOf("int8", before.toArray()));
                        complete.setArray(
                                2,
                                connection.createArrayOf(
                                        "text",
                                        before.stream().map(job -> Bound.RESULT).toArray()));
                        complete.executeUpdate();
                        before.clear();
                    }
                    try (var rows = claim.executeQuery()) {
                        while (rows.next()) {
                            before.add(rows.getLong(1));
                        }
                    }
                    connection.commit();
                }
            }
        }

        @Override
        public String left() {
            return "select count(*) from pawl.job where state < 4";
        }

        @Override
        public void close() {
            closed = true;
            if (thread != null) {
                Bound.awaitEnd(thread);
            }
        }
    }
}
