package dev.pawl.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Binds the parameters of a statement, one after the other. A column of {@link RowsStatement} rows is bound as a value where there is one row. Not thread-safe. */
final class Binding {
    private final PGConnection postgres;
    private final PreparedStatement statement;
    private int next = 1;

    Binding(Connection connection, PreparedStatement statement) throws SQLException {
        this.postgres = connection.unwrap(PGConnection.class);
        this.statement = statement;
    }

    void number(@Nullable Long number) throws SQLException {
        if (number == null) {
            statement.setNull(next++, Types.BIGINT);
        } else {
            statement.setLong(next++, number);
        }
    }

    /** An array, however many there are. */
    void anyOf(String[] texts) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("text", texts));
    }

    /** An array, however many there are. */
    void anyOf(short[] numbers) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("int2", numbers));
    }

    /** An array, however many there are. */
    void anyOf(long[] numbers) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("int8", numbers));
    }

    /** An array, however many there are. */
    void anyOf(int[] numbers) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("int4", numbers));
    }

    // ---- columns of rows

    void numbers(long[] column) throws SQLException {
        if (column.length == 1) {
            statement.setLong(next++, column[0]);
        } else {
            statement.setArray(next++, postgres.createArrayOf("int8", column));
        }
    }

    void numbersOrNull(@Nullable Long[] column) throws SQLException {
        if (column.length == 1) {
            number(column[0]);
        } else {
            statement.setArray(next++, postgres.createArrayOf("int8", column));
        }
    }

    void integers(int[] column) throws SQLException {
        if (column.length == 1) {
            statement.setInt(next++, column[0]);
        } else {
            statement.setArray(next++, postgres.createArrayOf("int4", column));
        }
    }

    void smallNumbers(short[] column) throws SQLException {
        if (column.length == 1) {
            statement.setShort(next++, column[0]);
        } else {
            statement.setArray(next++, postgres.createArrayOf("int2", column));
        }
    }

    void smallNumbersOrNull(@Nullable Short[] column) throws SQLException {
        if (column.length > 1) {
            statement.setArray(next++, postgres.createArrayOf("int2", column));
            return;
        }
        var only = column[0];
        if (only == null) {
            statement.setNull(next++, Types.SMALLINT);
        } else {
            statement.setShort(next++, only);
        }
    }

    void texts(@Nullable String[] column) throws SQLException {
        if (column.length == 1) {
            statement.setString(next++, column[0]);
        } else {
            statement.setArray(next++, postgres.createArrayOf("text", column));
        }
    }

    void flags(boolean[] column) throws SQLException {
        if (column.length == 1) {
            statement.setBoolean(next++, column[0]);
        } else {
            statement.setArray(next++, postgres.createArrayOf("bool", column));
        }
    }
}
