package dev.pawl.store.postgres;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that moves in. Table after table, each in a transaction of its own that also says that it is there: interrupted and begun again, it goes on
 * with the next. Until the last is there nobody can open it.
 */
final class PostgresMove {
    /** The move that is done, in case whoever made it never heard. */
    private static final String MOVED = "moved";

    private final Connection connection;
    private final String schema;
    private final String server;

    PostgresMove(Connection connection, String schema, String server) {
        this.connection = connection;
        this.schema = "\"" + schema + "\".";
        this.server = server;
    }

    /** Takes everything in from {@code source}. */
    void receive(Connection source, String token, Consumer<String> said) throws SQLException {
        connection.setAutoCommit(false);
        try {
            if (begin(token)) {
                for (var table : Table.ALL) {
                    var sent = table.from(source);
                    if (sent.inFile().isThere(source)) {
                        receive(sent, source, said);
                    }
                }
                end(token);
            }
        } catch (SQLException | StoreFailure e) {
            connection.rollback();
            throw e;
        }
    }

    /** Whether anything is left to do. */
    private boolean begin(String token) throws SQLException {
        run("lock table " + schema + "meta in exclusive mode");
        if (token.equals(meta(MOVED))) {
            connection.commit();
            return false;
        }
        if (!token.equals(meta(PostgresSchema.MOVING))) {
            requireRoom();
            set(PostgresSchema.MOVING, token);
        }
        connection.commit();
        return true;
    }

    /** Makes sure that no store is here yet, nor on its way. */
    void requireRoom() throws SQLException {
        if (meta(PostgresSchema.MOVING) != null) {
            throw new StoreFailure(
                    Move.OPERATOR, "another store is on its way to " + server + "; move to another schema", null);
        }
        if (one("select 1 from " + schema + "job limit 1") != null
                || one("select 1 from " + schema + "worker limit 1") != null) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    server + " has jobs or workers of its own; move to an empty schema, with pawlSchema=NAME",
                    null);
        }
    }

    private void receive(Table table, Connection source, Consumer<String> said) throws SQLException {
        var mark = "moved." + table.name();
        if (meta(mark) == null) {
            run("delete from " + schema + table.name());
            table.copy(source, connection, schema);
            var sent = table.inFile().contents(source, "");
            var arrived = table.inDatabase().contents(connection, schema);
            if (!sent.equals(arrived)) {
                throw new StoreFailure(
                        Move.OPERATOR,
                        "table " + table.name() + " did not arrive as it was sent (" + sent.rows() + " rows, "
                                + arrived.rows() + " arrived); nothing of it was kept",
                        null);
            }
            set(mark, arrived.rows() + " " + arrived.sum());
            connection.commit();
            said.accept(table.name() + ": " + arrived.rows());
        }
    }

    private void end(String token) throws SQLException {
        run("update " + schema + "job set called = 1 where seq in (select child from " + schema + "call)");
        for (var counted : new String[][] {
            {"job_seq_seq", "job", "seq"},
            {"journal_seq_seq", "journal", "seq"},
            {"claim_group_id_seq", "claim_group", "id"},
            {"ended", "job", "end_number"}
        }) {
            run("select setval('" + schema + counted[0] + "', coalesce(max(" + counted[2] + "), 0) + 1, false) from "
                    + schema + counted[1]);
        }
        // How they ended, and what they are found by, does not come with them: a file that an earlier version sealed
        // does not say it.
        run("set local search_path to " + schema.substring(0, schema.length() - 1));
        run("delete from tally");
        run(PostgresSchema.endings());
        run(PostgresSchema.names());
        run(PostgresSchema.spentInAll());
        run("delete from " + schema + "meta where name = '" + PostgresSchema.MOVING + "' or name like 'moved.%'");
        set(MOVED, token);
        connection.commit();
    }

    private void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private @Nullable String one(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private @Nullable String meta(String name) throws SQLException {
        return one("select value from " + schema + "meta where name = '" + name + "'");
    }

    private void set(String name, String value) throws SQLException {
        try (var insert = connection.prepareStatement("insert into " + schema + "meta (name, value) values (?, ?)")) {
            insert.setString(1, name);
            insert.setString(2, value);
            insert.executeUpdate();
        }
    }
}
