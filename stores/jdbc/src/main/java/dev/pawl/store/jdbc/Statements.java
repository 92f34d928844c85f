package dev.pawl.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prepared statements of one connection, prepared once. Tables are written as {@code pawl.job}, states as {@link SqlCodes} has them. Not thread-safe. */
public final class Statements {

    /** Reads one row. */
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Takes one row in. */
    public interface RowTaker {
        void take(ResultSet row) throws SQLException;
    }

    private final Connection connection;
    private final String schema;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /**
     * Statements of {@code connection}.
     *
     * @param schema what stands for {@code pawl.} before the names of tables
     */
    public Statements(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /** Runs {@code sql} and says how many rows it changed. */
    public int run(String sql, @Nullable Object... values) throws SQLException {
        return bound(sql, values).executeUpdate();
    }

    /** The first row of {@code sql}; null when there is none. */
    public <T> @Nullable T one(String sql, RowReader<T> reading, @Nullable Object... values) throws SQLException {
        try (var rows = bound(sql, values).executeQuery()) {
            return rows.next() ? reading.read(rows) : null;
        }
    }

    /** Every row of {@code sql}. */
    public void each(String sql, RowTaker taking, @Nullable Object... values) throws SQLException {
        try (var rows = bound(sql, values).executeQuery()) {
            while (rows.next()) {
                taking.take(rows);
            }
        }
    }

    /** Runs {@code sql} for each of {@code rows}, one after the other. */
    public void batch(String sql, List<@Nullable Object[]> rows) throws SQLException {
        PreparedStatement statement = null;
        for (var values : rows) {
            statement = bound(sql, values);
            statement.addBatch();
        }
        if (statement != null) {
            statement.executeBatch();
        }
    }

    /**
     * Runs {@code sql}, whose parameters are the columns of {@code rows} as arrays.
     *
     * @param types of the columns
     */
    public void arrays(String sql, List<String> types, List<@Nullable Object[]> rows) throws SQLException {
        var statement = statement(sql);
        for (var column = 0; column < types.size(); column++) {
            var values = new @Nullable Object[rows.size()];
            for (var row = 0; row < values.length; row++) {
                var value = rows.get(row)[column];
                values[row] = value instanceof String text ? kept(text) : value;
            }
            statement.setArray(column + 1, connection.createArrayOf(types.get(column), values));
        }
        statement.executeUpdate();
    }

    /** Every row of {@code sql}, whose first parameter is an array of {@code values}, and whose others are {@code more}. */
    public void eachOfArray(String sql, String type, List<?> values, RowTaker taking, Object... more)
            throws SQLException {
        var statement = bound(sql, more, 1);
        statement.setArray(1, connection.createArrayOf(type, values.toArray()));
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                taking.take(rows);
            }
        }
    }

    /** Lets go of the statements, and not of the connection. */
    public void close() throws SQLException {
        for (var statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    private PreparedStatement statement(String sql) throws SQLException {
        var statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(SqlCodes.in(sql).replace("pawl.", schema));
            prepared.put(sql, statement);
        }
        return statement;
    }

    private PreparedStatement bound(String sql, @Nullable Object... values) throws SQLException {
        return bound(sql, values, 0);
    }

    /** The statement with these values for its parameters behind the first {@code before}. */
    private PreparedStatement bound(String sql, @Nullable Object[] values, int before) throws SQLException {
        var statement = statement(sql);
        for (var i = 0; i < values.length; i++) {
            switch (values[i]) {
                case Long number -> statement.setLong(before + i + 1, number);
                case Integer number -> statement.setInt(before + i + 1, number);
                case Short number -> statement.setShort(before + i + 1, number);
                case String text -> statement.setString(before + i + 1, kept(text));
                case byte[] bytes -> statement.setBytes(before + i + 1, bytes);
                case null -> statement.setObject(before + i + 1, null);
                default -> throw new IllegalArgumentException("no column takes a " + values[i].getClass());
            }
        }
        return statement;
    }

    /** No database keeps the character zero in every text; what stands for it says at least that something was there. */
    private static String kept(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
    }
}
