package dev.pawl.store.sqlite;

import dev.pawl.export.StoreLine;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.JdbcExport;
import dev.pawl.store.jdbc.UsersRows;
import dev.pawl.store.jdbc.UsersTable;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that moves out of its file. First the file is sealed: whoever opens it later is told where the store is now, and whoever has it open can write no
 * more. Then it can be read in peace.
 */
final class SqliteDeparture implements OutgoingStore {
    /** What whoever still writes is told. */
    static final String SEALED = "this store was moved";

    private final SqliteFile store;
    private final String token;

    private SqliteDeparture(SqliteFile store, String token) {
        this.store = store;
        this.token = token;
    }

    /** Seals the store, or finds it sealed by an earlier try for the same place. */
    static SqliteDeparture seal(SqliteFile store, Destination destination, Consumer<String> beforeSealing) {
        store.requireWhole();
        try {
            try (var looking = store.connect(false)) {
                var before = sealedFor(looking);
                if (before != null) {
                    return sealed(store, looking, before, destination.to());
                }
                // Whoever works with it is not brought forward under its feet, nor when it stays.
                refuseWhileSomebodyWorks(store, looking);
                UsersTables.require(store, looking, destination);
            }
            var token = UUID.randomUUID().toString();
            beforeSealing.accept(token);
            store.prepare(OpenMode.BRINGING_FORWARD);
            return sealNow(store, destination, token);
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, store.path());
        }
    }

    private static SqliteDeparture sealed(SqliteFile store, Connection connection, String before, String to)
            throws SQLException {
        if (!before.equals(to)) {
            throw new StoreFailure(
                    Move.OPERATOR, store.path() + " was moved to " + before + ", or is on its way there", null);
        }
        return new SqliteDeparture(store, token(connection));
    }

    private static SqliteDeparture sealNow(SqliteFile store, Destination destination, String token)
            throws SQLException {
        try (var connection = store.connect(true);
                var statement = connection.createStatement()) {
            statement.execute("begin immediate");
            var meanwhile = sealedFor(connection);
            if (meanwhile != null) {
                throw new StoreFailure(Move.OPERATOR, store.path() + " was moved to " + meanwhile + " just now", null);
            }
            refuseWhileSomebodyWorks(store, connection);
            var own = UsersTables.require(store, connection, destination);
            statement.execute(
                    "create table moved (address text not null, token text not null, arrived integer not null)");
            try (var insert = connection.prepareStatement("insert into moved values (?, ?, 0)")) {
                insert.setString(1, destination.to());
                insert.setString(2, token);
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
            for (var table : UsersTables.OURS) {
                seal(statement, table);
            }
            statement.execute("pragma application_id = " + SqliteFile.MOVED_ID);
            statement.execute("commit");
            return new SqliteDeparture(store, token);
        }
    }

    @Override
    public boolean hasArrived() {
        try (var looking = store.connect(false)) {
            return knowsOfArrivals(looking) && SqliteFile.number(looking, "select arrived from moved") == 1;
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, store.path());
        }
    }

    @Override
    public void arrived() {
        try (var connection = store.connect(true);
                var statement = connection.createStatement()) {
            if (!knowsOfArrivals(connection)) {
                statement.execute("alter table moved add column arrived integer not null default 0");
            }
            statement.execute("update moved set arrived = 1");
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, store.path());
        }
    }

    /** An earlier version that sealed it did not write down what became of it. */
    private static boolean knowsOfArrivals(Connection connection) throws SQLException {
        return SqliteFile.number(connection, "select count(*) from pragma_table_info('moved') where name = 'arrived'")
                == 1;
    }

    private static void seal(Statement statement, String table) throws SQLException {
        for (var what : new String[] {"insert", "update", "delete"}) {
            statement.execute(
                    "create trigger " + UsersTable.quoted(UsersTables.SEALING + table + "_" + what) + " before " + what
                            + " on " + UsersTable.quoted(table) + " begin select raise(abort, '" + SEALED + "'); end");
        }
    }

    @Override
    public String token() {
        return token;
    }

    @Override
    public void tell(Consumer<StoreLine> told) {
        try (var sealed = store.connect(false)) {
            if (SqliteFile.pragma(sealed, "user_version") == SqliteFile.SCHEMA) {
                sealed.setAutoCommit(false);
                new JdbcExport(sealed, "").to(told);
                sealed.rollback();
            } else {
                tellBroughtForward(sealed, told);
            }
            for (var table : own(sealed)) {
                new UsersRows(sealed, table, UsersTables.WRITING).tell(told);
            }
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, store.path());
        }
    }

    /** An earlier version has sealed it, and nobody can bring it forward as it is: a copy is, and told. */
    private void tellBroughtForward(Connection sealed, Consumer<StoreLine> told) throws SQLException {
        try {
            var file = Files.createTempFile(Objects.requireNonNull(store.path().getParent()), ".moving", ".part");
            try {
                try (var copying = sealed.prepareStatement("vacuum into ?")) {
                    copying.setString(1, file.toString());
                    copying.execute();
                }
                var copy = new SqliteFile(file, store.busy());
                unseal(copy);
                copy.prepare(OpenMode.BRINGING_FORWARD);
                try (var reading = copy.connectWithoutLog()) {
                    new JdbcExport(reading, "").to(told);
                }
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    "a copy of " + store.path() + ", which an earlier version has sealed, cannot be made beside it: "
                            + e.getMessage(),
                    e);
        }
    }

    private static void unseal(SqliteFile copy) throws SQLException {
        try (var connection = copy.connectWithoutLog();
                var statement = connection.createStatement()) {
            var triggers = new ArrayList<String>();
            try (var rows = statement.executeQuery("select name from sqlite_master where type = 'trigger'")) {
                // Others' too: of the copy only what is ours is told.
                while (rows.next()) {
                    triggers.add(rows.getString(1));
                }
            }
            for (var trigger : triggers) {
                statement.execute("drop trigger " + UsersTable.quoted(trigger));
            }
            statement.execute("drop table moved");
            statement.execute("drop table if exists moved_with");
            statement.execute("pragma application_id = " + SqliteFile.APPLICATION_ID);
        }
    }

    @Override
    public void close() {
        // It is read on connections that end with what they tell.
    }

    /** The tables of the store's user that move with it; none of a file that an earlier version sealed. */
    private static List<UsersTable> own(Connection sealed) throws SQLException {
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
