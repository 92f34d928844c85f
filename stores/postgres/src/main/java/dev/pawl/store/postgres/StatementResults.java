package dev.pawl.store.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/** The answers to the statements of one exchange, in their order. Not thread-safe. */
final class StatementResults {
    private final PreparedStatement statement;
    private boolean first;

    StatementResults(PreparedStatement statement, boolean skipsFirst) {
        this.statement = statement;
        this.first = !skipsFirst;
    }

    ResultSet next() throws SQLException {
        if (!first) {
            statement.getMoreResults();
        }
        first = false;
        return Objects.requireNonNull(statement.getResultSet());
    }
}
