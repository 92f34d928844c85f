package dev.pawl.store.postgres;

import dev.pawl.export.StoreLine;
import dev.pawl.store.OpenMode;
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
import org.postgresql.PGConnection;

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
            Connection connection,
            PostgresSchema schema,
            PostgresMeta meta,
            Destination destination,
            Consumer<String> beforeSealing)
            throws SQLException {
        // Behind a pooler nobody knows a statement again.
        connection.unwrap(PGConnection.class).setPrepareThreshold(0);
        schema.requireKnown(connection);
        if (meta.find(PostgresMeta.MOVED_TO) == null) {
            if (!destination.moving().isEmpty()) {
                throw new StoreFailure(
                        Move.OPERATOR,
                        "only a store in a file takes tables along that are not Pawl's; copy those of a database with its own tools (pg_dump --table). Nothing was moved",
                        null);
            }
            // Whoever works with it is not brought forward under its feet, nor when it stays.
            refuseWhileSomebodyWorks(connection, meta, schema.server());
            refuseToLeaveBehind(connection, schema.name(), destination);
            var token = UUID.randomUUID().toString();
            beforeSealing.accept(token);
            schema.prepare(connection, OpenMode.BRINGING_FORWARD);
            sealNow(connection, schema, meta, destination, token);
        }
        var to = meta.find(PostgresMeta.MOVED_TO);
        if (!destination.to().equals(to)) {
            throw new StoreFailure(
                    Move.OPERATOR, schema.server() + " was moved to " + to + ", or is on its way there", null);
        }
        return new PostgresDeparture(
                connection, meta, schema.server(), Objects.requireNonNull(meta.find(PostgresMeta.MOVED_AS)));
    }

    private static void sealNow(
            Connection connection, PostgresSchema schema, PostgresMeta meta, Destination destination, String token)
            throws SQLException {
        LongTransaction.in(connection, () -> {
            meta.lock();
            if (meta.find(PostgresMeta.MOVED_TO) != null) {
                throw new StoreFailure(Move.OPERATOR, schema.server() + " was moved elsewhere just now", null);
            }
            LongTransaction.run(connection, "lock table " + meta.schema() + "worker in exclusive mode");
            refuseWhileSomebodyWorks(connection, meta, schema.server());
            LongTransaction.run(
                    connection,
                    "create function " + meta.schema()
                            + "sealed() returns trigger language plpgsql as 'begin raise exception ''" + SEALED
                            + "'' using errcode = ''" + SEALED_STATE + "''; end'");
            for (var table : PostgresTables.OURS) {
                if (!table.equals("meta")) {
                    LongTransaction.run(
                            connection,
                            "create trigger sealed before insert or update or delete or truncate on "
                                    + meta.schema() + table + " for each statement execute function "
                                    + meta.schema() + "sealed()");
                }
            }
            meta.set(PostgresMeta.MOVED_TO, destination.to());
            meta.set(PostgresMeta.MOVED_AS, token);
            return true;
        });
    }

    @Override
    public boolean hasArrived() {
        try {
            return meta.find(PostgresMeta.HAS_ARRIVED) != null;
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    @Override
    public void arrived() {
        try {
            meta.set(PostgresMeta.HAS_ARRIVED, "yes");
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    /** Nobody here knows who is gone: who has beaten lately is taken for alive. */
    private static void refuseWhileSomebodyWorks(Connection connection, PostgresMeta meta, String server)
            throws SQLException {
        var alive = new ArrayList<String>();
        try (var statement = connection.createStatement()) {
            try (var rows = statement.executeQuery(
                    "select w.name from " + meta.schema()
                            // An earlier version calls it otherwise.
                            + "worker w where coalesce(to_jsonb(w) ->> 'beat_at', to_jsonb(w) ->> 'beaten')::bigint"
                            + " > extract(epoch from clock_timestamp()) * 1000 - 2 * w.term and (to_jsonb(w) ->> 'ending') is null order by 1")) {
                while (rows.next()) {
                    alive.add(rows.getString(1));
                }
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

    private static void refuseToLeaveBehind(Connection connection, String schemaName, Destination destination)
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
        others.removeAll(destination.staying());
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
            LongTransaction.in(connection, () -> {
                new JdbcExport(connection, meta.schema()).to(told);
                return true;
            });
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
