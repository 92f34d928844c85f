package dev.pawl.store.sqlite;

import dev.pawl.export.LineSums;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.jdbc.JdbcArrival;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store that moves in. One that left another place holds this one first, in a transaction of its own: until all of it is there, which is one transaction more,
 * nobody else opens it.
 */
final class SqliteArrival {
    private final Connection connection;
    private final String place;

    SqliteArrival(Connection connection, String place) {
        this.connection = connection;
        this.place = place;
    }

    /** Whether a store is on its way here that left another place. */
    static boolean isHalfway(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select 1 from arrival where done = 0")) {
            return row.next();
        }
    }

    /** Holds the place; returns whether anything is left to do. */
    boolean hold(String token) throws SQLException {
        var done = done(token);
        if (done != null) {
            return done == 0;
        }
        if (isHalfway(connection)) {
            throw IncomingStore.another(place);
        }
        requireRoom();
        mark(token, 0);
        return true;
    }

    /** Gives the place up. */
    void letGo(String token) throws SQLException {
        try (var statement = connection.prepareStatement("delete from arrival where token = ? and done = 0")) {
            statement.setString(1, token);
            statement.executeUpdate();
        }
    }

    /** Takes all of it in. Whoever had the place open before it was held may have begun something since. */
    Map<String, LineSums.Sum> take(IncomingStore arriving) throws SQLException {
        var token = arriving.token();
        if (token != null && !Objects.equals(done(token), 0)) {
            return Map.of();
        }
        if (token == null && isHalfway(connection)) {
            throw IncomingStore.another(place);
        }
        requireRoom();
        var there = new JdbcArrival(connection, "", SqliteDialect.INSTANCE).take(arriving);
        if (token != null) {
            mark(token, 1);
        }
        return there;
    }

    private void requireRoom() throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "select 1 from job union all select 1 from worker union all select 1 from collection limit 1")) {
            if (row.next()) {
                throw IncomingStore.noRoom(place);
            }
        }
    }

    private @Nullable Integer done(String token) throws SQLException {
        try (var statement = connection.prepareStatement("select done from arrival where token = ?")) {
            statement.setString(1, token);
            try (var row = statement.executeQuery()) {
                return row.next() ? (Integer) row.getInt(1) : null;
            }
        }
    }

    private void mark(String token, int done) throws SQLException {
        try (var statement = connection.prepareStatement(
                "insert into arrival (token, done) values (?, ?) on conflict (token) do update set done = excluded.done")) {
            statement.setString(1, token);
            statement.setInt(2, done);
            statement.executeUpdate();
        }
    }
}
