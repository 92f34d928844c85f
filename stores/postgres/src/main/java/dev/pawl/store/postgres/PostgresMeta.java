package dev.pawl.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a store says of itself as a whole, in its table {@code meta}.
 *
 * @param connection leads to it
 * @param schema with a dot behind it and quotes around it
 */
record PostgresMeta(Connection connection, String schema) {
    /** The move in here that has begun and not ended. */
    static final String MOVING = "moving";

    /** The move in here that is done, in case whoever made it never heard. */
    static final String MOVED_IN = "moved";

    /** Where the store has gone, or is on its way to. */
    static final String MOVED_TO = "moved_to";

    /** What tells that move from every other. */
    static final String MOVED_AS = "moved_as";

    /** Set once all of it is known to have arrived there. */
    static final String HAS_ARRIVED = "moved_and_arrived";

    /** Of the schema with this name. */
    static PostgresMeta of(Connection connection, String schemaName) {
        return new PostgresMeta(connection, "\"" + schemaName + "\".");
    }

    /** Whether an earlier version began a move in here, table after table, and left marks of those that are there. */
    boolean wasBegunByAnEarlierVersion() throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select 1 from " + schema + "meta where name like 'moved.%'")) {
            return row.next();
        }
    }

    void forgetTheEarlierVersion() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("delete from " + schema + "meta where name like 'moved.%'");
        }
    }

    /** Nobody else changes what it says before the transaction ends. */
    void lock() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("lock table " + schema + "meta in exclusive mode");
        }
    }

    @Nullable
    String find(String name) throws SQLException {
        try (var statement = connection.prepareStatement("select value from " + schema + "meta where name = ?")) {
            statement.setString(1, name);
            try (var row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    void set(String name, String value) throws SQLException {
        try (var insert = connection.prepareStatement("insert into " + schema
                + "meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value")) {
            insert.setString(1, name);
            insert.setString(2, value);
            insert.executeUpdate();
        }
    }

    void remove(String name) throws SQLException {
        try (var delete = connection.prepareStatement("delete from " + schema + "meta where name = ?")) {
            delete.setString(1, name);
            delete.executeUpdate();
        }
    }
}
