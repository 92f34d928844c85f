package dev.pawl.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Binds the parameters of a statement, one after the other. Not thread-safe. */
final class Binding {
    private final Connection connection;
    private final PGConnection postgres;
    private final PreparedStatement statement;
    private int next = 1;

    Binding(Connection connection, PreparedStatement statement) throws SQLException {
        this.connection = connection;
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

    void numbers(long[] numbers) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("int8", numbers));
    }

    void numbersOrNull(@Nullable Long[] numbers) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("int8", numbers));
    }

    void integers(int[] numbers) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("int4", numbers));
    }

    void smallNumbers(int[] numbers) throws SQLException {
        var small = new short[numbers.length];
        for (var i = 0; i < numbers.length; i++) {
            small[i] = (short) numbers[i];
        }
        statement.setArray(next++, postgres.createArrayOf("int2", small));
    }

    void smallNumbersOrNull(@Nullable Short[] numbers) throws SQLException {
        statement.setArray(next++, postgres.createArrayOf("int2", numbers));
    }

    void text(String text) throws SQLException {
        statement.setString(next++, text);
    }

    void texts(@Nullable String[] texts) throws SQLException {
        statement.setArray(next++, connection.createArrayOf("text", texts));
    }

    void flags(Boolean[] flags) throws SQLException {
        statement.setArray(next++, connection.createArrayOf("bool", flags));
    }
}
