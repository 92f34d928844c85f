package dev.pawl.store.postgres;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.Table;
import dev.pawl.store.jdbc.UsersTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store that moves in. Table after table, each in a transaction of its own that also says that it is there: interrupted and begun again, it goes on
 * with the next. Until the last is there nobody can open it.
 */
final class PostgresMove {
    /** The move that is done, in case whoever made it never heard. */
    private static final String MOVED = "moved";

    /** What gives numbers here, with the table and column that has them. */
    static final Map<String, List<String>> SEQUENCES = Map.of(
            "job_seq_seq", List.of("job", "seq"),
            "journal_seq_seq", List.of("journal", "seq"),
            "claim_group_id_seq", List.of("claim_group", "id"),
            "follow_up_id_seq", List.of("follow_up", "id"),
            "ended", List.of("job", "end_number"));

    private final Connection connection;
    private final String schema;
    private final String server;

    PostgresMove(Connection connection, String schema, String server) {
        this.connection = connection;
        this.schema = "\"" + schema + "\".";
        this.server = server;
    }

    /** Takes everything in from {@code source}. */
    void receive(Connection source, String token, List<UsersTable> own, Consumer<String> said) throws SQLException {
        connection.setAutoCommit(false);
        try {
            if (begin(token)) {
                for (var usersTable : own) {
                    receive(usersTable, source, said);
                }
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
            var arrived = copied(table, source, schema, mark);
            connection.commit();
            said.accept(table.name() + ": " + arrived.rows());
        }
    }

    /** A table of the store's user comes into the schema in which its SQL looks for it: made, filled and compared in one transaction. */
    private void receive(UsersTable usersTable, Connection source, Consumer<String> said) throws SQLException {
        var mark = "moved.own." + usersTable.name();
        if (meta(mark) != null) {
            return;
        }
        var name = UsersTable.inPostgres(usersTable.name());
        if (one("select to_regclass('" + name.replace("'", "''") + "')") != null) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    server + " has a table " + name + " already; drop or rename it there, and say pawl move once more",
                    null);
        }
        run("create table " + name + " (" + definition(usersTable) + ")");
        var arrived = copied(usersTable.rows(), source, "", mark);
        for (var index : usersTable.indexes()) {
            run("create " + (index.unique() ? "unique " : "") + "index on " + name + " ("
                    + index.columns().stream().map(UsersTable::inPostgres).collect(Collectors.joining(", ")) + ")");
        }
        if (usersTable.numbersItself()) {
            var key = UsersTable.inPostgres(usersTable.key().getFirst().name());
            run("select setval(pg_get_serial_sequence('" + name.replace("'", "''") + "', '"
                    + usersTable
                            .rows()
                            .inDatabase()
                            .columns()
                            .get(usersTable.columns().indexOf(usersTable.key().getFirst()))
                            .replace("\"", "")
                            .replace("'", "''")
                    + "'), coalesce((select max(" + key + ") from " + name + "), 0) + 1, false)");
        }
        connection.commit();
        said.accept(usersTable.name() + ": " + arrived.rows());
    }

    private static String definition(UsersTable usersTable) {
        var parts = new ArrayList<String>();
        for (var column : usersTable.columns()) {
            var usual = column.usual();
            parts.add(UsersTable.inPostgres(column.name()) + " "
                    + switch (column.kind()) {
                        case WHOLE -> "bigint";
                        case FRACTION -> "double precision";
                        case NUMBER -> "numeric";
                        case TEXT -> "text";
                        case BYTES -> "bytea";
                    }
                    + (usersTable.numbersItself() && column.inKey() > 0
                            ? " generated by default as identity"
                            : usual == null ? "" : " default " + usual)
                    + (column.required() ? " not null" : ""));
        }
        if (!usersTable.key().isEmpty()) {
            parts.add("primary key ("
                    + usersTable.key().stream()
                            .map(column -> UsersTable.inPostgres(column.name()))
                            .collect(Collectors.joining(", "))
                    + ")");
        }
        return String.join(", ", parts);
    }

    /** Copies all rows of a table that is there and empty, and compares what has arrived with what was sent. */
    private Table.Contents copied(Table table, Connection source, String into, String mark) throws SQLException {
        table.copy(source, connection, into);
        var sent = table.inFile().contents(source, "");
        var arrived = table.inDatabase().contents(connection, into);
        if (!sent.equals(arrived)) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    "table " + table.name() + " did not arrive as it was sent (" + sent.rows() + " rows, "
                            + arrived.rows() + " arrived); nothing of it was kept",
                    null);
        }
        set(mark, arrived.rows() + " " + arrived.sum());
        return arrived;
    }

    private void end(String token) throws SQLException {
        run("update " + schema + "job set called = 1 where seq in (select child from " + schema + "call)");
        for (var counted : SEQUENCES.entrySet()) {
            run("select setval('" + schema + counted.getKey() + "', coalesce(max("
                    + counted.getValue().getLast() + "), 0) + 1, false) from " + schema
                    + counted.getValue().getFirst());
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
