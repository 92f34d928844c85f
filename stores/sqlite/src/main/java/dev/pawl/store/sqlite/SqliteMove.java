package dev.pawl.store.sqlite;

import dev.pawl.store.OpenMode;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.Table;
import dev.pawl.store.jdbc.UsersTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A store that moves out of its file. First the file is sealed: whoever opens it later is told where the store is now, and whoever has it open can write no
 * more. Then it can be read in peace.
 */
final class SqliteMove {
    /** What whoever still writes is told. */
    static final String SEALED = "this store was moved";

    private SqliteMove() {}

    /**
     * Seals the store, or finds it sealed by an earlier try for the same address.
     *
     * @param moving tables of the store's user that are to move with it
     * @param staying such tables that are to stay
     * @return what tells this move from every other
     */
    static String seal(SqliteFile store, String to, Set<String> moving, Set<String> staying, Runnable beforeSealing) {
        try (var connection = store.connect(true);
                var statement = connection.createStatement()) {
            var before = sealedFor(connection);
            if (before != null) {
                return tokenFor(store, connection, before, to);
            }
            beforeSealing.run();
            store.prepare(OpenMode.BRINGING_FORWARD);
            statement.execute("begin immediate");
            refuseWhileSomebodyWorks(store, connection);
            var own = new UsersTables(connection).toMove(store, moving, staying);
            statement.execute("create table moved (address text not null, token text not null)");
            try (var insert = connection.prepareStatement("insert into moved values (?, lower(hex(randomblob(16))))")) {
                insert.setString(1, to);
                insert.executeUpdate();
            }
            statement.execute("create table moved_with (name text not null)");
            for (var table : own) {
                try (var insert = connection.prepareStatement("insert into moved_with values (?)")) {
                    insert.setString(1, table.name());
                    insert.executeUpdate();
                }
                seal(statement, table.name());
            }
            var tables = Table.ALL.stream()
                    .map(table -> table.inFile().table())
                    .distinct()
                    .toList();
            for (var table : tables) {
                seal(statement, table);
            }
            statement.execute("pragma application_id = " + SqliteFile.MOVED_ID);
            statement.execute("commit");
            return token(connection);
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, store.path());
        }
    }

    private static void seal(Statement statement, String table) throws SQLException {
        for (var what : new String[] {"insert", "update", "delete"}) {
            statement.execute(
                    "create trigger " + UsersTable.quoted(UsersTables.SEALING + table + "_" + what) + " before " + what
                            + " on " + UsersTable.quoted(table) + " begin select raise(abort, '" + SEALED + "'); end");
        }
    }

    /** The tables of the store's user that move with it; none of a file that an earlier version sealed. */
    static List<UsersTable> own(SqliteFile store, Connection sealed) throws SQLException {
        var names = new TreeSet<String>();
        try (var there = sealed.getMetaData().getTables(null, null, "moved_with", null)) {
            if (!there.next()) {
                return List.of();
            }
        }
        try (var statement = sealed.createStatement();
                var rows = statement.executeQuery("select name from moved_with")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return new UsersTables(sealed).described(names);
    }

    private static String tokenFor(SqliteFile store, Connection connection, String before, String to)
            throws SQLException {
        if (!before.equals(to)) {
            throw new StoreFailure(
                    Move.OPERATOR, store.path() + " was moved to " + before + ", or is on its way there", null);
        }
        return token(connection);
    }

    private static void refuseWhileSomebodyWorks(SqliteFile store, Connection connection) throws SQLException {
        var lifelines = Lifelines.beside(store.path(), OpenMode.AS_IT_IS);
        try {
            var alive = new ArrayList<String>();
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("select id, name from worker")) {
                while (row.next()) {
                    if (!lifelines.gone(row.getLong(1))) {
                        alive.add(row.getString(2));
                    }
                }
            }
            if (!alive.isEmpty()) {
                throw new StoreFailure(
                        Move.OPERATOR,
                        "somebody works with " + store.path() + ": " + String.join(", ", alive) + "; stop that first",
                        null);
            }
        } finally {
            lifelines.close();
        }
    }

    /** The address for which a store is sealed; null when it is not. */
    static @Nullable String sealedFor(Connection connection) throws SQLException {
        if (SqliteFile.pragma(connection, "application_id") != SqliteFile.MOVED_ID) {
            return null;
        }
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select address from moved")) {
            row.next();
            return row.getString(1);
        }
    }

    private static String token(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select token from moved")) {
            row.next();
            return row.getString(1);
        }
    }
}
