package dev.pawl.store.postgres;

import dev.pawl.export.StoreLine;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.JdbcExport;
import dev.pawl.text.ShellWord;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;

/** A store that leaves its schema. First all its tables are sealed, so that whoever has it open can write no more; then it can be read in peace. */
final class PostgresDeparture implements OutgoingStore {
    /** What whoever still writes is told. */
    static final String SEALED = "this store was moved";

    /** How the driver tells it from every other error. */
    static final String SEALED_STATE = "PW001";

    private final Connection connection;
    private final PostgresMeta meta;
    private final String server;
    private final String token;

    private PostgresDeparture(Connection connection, PostgresMeta meta, String server, String token) {
        this.connection = connection;
        this.meta = meta;
        this.server = server;
        this.token = token;
    }

    /** Seals it, or finds it sealed for the same place; {@code connection} is this departure's from then on. */
    static PostgresDeparture seal(
            Connection connection, String schemaName, String server, Destination order, Runnable beforeSealing)
            throws SQLException {
        var meta = PostgresMeta.of(connection, schemaName);
        var before = meta.find(PostgresMeta.MOVED_TO);
        if (before != null && !before.equals(order.to())) {
            throw new StoreFailure(
                    Move.OPERATOR, server + " was moved to " + before + ", or is on its way there", null);
        }
        if (before == null) {
            if (!order.moving().isEmpty()) {
                throw new StoreFailure(
                        Move.OPERATOR,
                        "only a store in a file takes tables along that are not Pawl's; copy those of a database with its own tools (pg_dump --table). Nothing was moved",
                        null);
            }
            beforeSealing.run();
            sealNow(connection, schemaName, server, order, meta);
        }
        return new PostgresDeparture(
                connection, meta, server, Objects.requireNonNull(meta.find(PostgresMeta.MOVED_AS)));
    }

    private static void sealNow(
            Connection connection, String schemaName, String server, Destination order, PostgresMeta meta)
            throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            meta.lock();
            statement.execute("lock table " + meta.schema() + "worker in exclusive mode");
            refuseWhileSomebodyWorks(connection, meta, server);
            refuseToLeaveBehind(connection, schemaName, order);
            statement.execute("create function " + meta.schema()
                    + "sealed() returns trigger language plpgsql as 'begin raise exception ''" + SEALED
                    + "'' using errcode = ''" + SEALED_STATE + "''; end'");
            for (var table : PostgresTables.OURS) {
                if (!table.equals("meta")) {
                    statement.execute("create trigger sealed before insert or update or delete or truncate on "
                            + meta.schema() + table + " for each statement execute function " + meta.schema()
                            + "sealed()");
                }
            }
            meta.set(PostgresMeta.MOVED_TO, order.to());
            meta.set(PostgresMeta.MOVED_AS, UUID.randomUUID().toString());
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    /** Nobody here knows who is gone: who has beaten lately is taken for alive. */
    private static void refuseWhileSomebodyWorks(Connection connection, PostgresMeta meta, String server)
            throws SQLException {
        var alive = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select name from " + meta.schema()
                                + "worker where ending is null and beat_at > extract(epoch from clock_timestamp()) * 1000 - 2 * term order by name")) {
            while (rows.next()) {
                alive.add(rows.getString(1));
            }
        }
        if (!alive.isEmpty()) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    "somebody works with " + server + ", or did a moment ago: " + String.join(", ", alive)
                            + "; stop that first, or wait for two of its terms",
                    null);
        }
    }

    private static void refuseToLeaveBehind(Connection connection, String schemaName, Destination order)
            throws SQLException {
        var others = new TreeSet<String>();
        try (var statement = connection.prepareStatement("select tablename from pg_tables where schemaname = ?")) {
            statement.setString(1, schemaName);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    others.add(rows.getString(1));
                }
            }
        }
        others.removeAll(PostgresTables.OURS);
        others.removeAll(order.staying());
        if (!others.isEmpty()) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    "schema " + schemaName + " holds tables that are not Pawl's: " + String.join(", ", others)
                            + ". They stay; say --leave-tables " + ShellWord.of(String.join(",", others))
                            + " if that is right. Nothing was moved",
                    null);
        }
    }

    @Override
    public String token() {
        return token;
    }

    @Override
    public void tell(Consumer<StoreLine> told) {
        try {
            connection.setAutoCommit(false);
            try {
                new JdbcExport(connection, meta.schema()).to(told);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // It was only read.
        }
    }
}
