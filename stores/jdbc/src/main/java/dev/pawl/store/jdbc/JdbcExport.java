package dev.pawl.store.jdbc;

import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells everything that is in the tables, kind after kind, on one connection, whose transaction sees all of it as it is at one moment. What is made of the rest
 * (tallies, names, sums of all days) is not told.
 */
public final class JdbcExport {
    private static final int AT_ONCE = 200;

    /** One may be a megabyte, and a database sends as many as it was asked for. */
    private static final int ARTIFACTS_AT_ONCE = 8;

    private final Connection connection;
    private final String schema;

    /**
     * Tells what {@code connection} leads to.
     *
     * @param schema what stands for {@code pawl.} before the names of tables
     */
    public JdbcExport(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /** Every column that is told: {@code job.seq}. */
    public static Set<String> told() {
        return Arrays.stream(StoreKind.values())
                .filter(LineTable::isThere)
                .map(LineTable::of)
                .flatMap(table -> table.columns().stream().map(column -> table.name() + "." + column))
                .collect(Collectors.toSet());
    }

    /** Tells all of it. */
    public void to(Consumer<StoreLine> told) throws SQLException {
        for (var lineKind :
                Arrays.stream(StoreKind.values()).filter(LineTable::isThere).toList()) {
            var table = LineTable.of(lineKind);
            try (var statement = connection.prepareStatement(table.select().replace("pawl.", schema))) {
                statement.setFetchSize(lineKind == StoreKind.ARTIFACT ? ARTIFACTS_AT_ONCE : AT_ONCE);
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        told.accept(line(lineKind, rows, table));
                    }
                }
            }
        }
    }

    private static StoreLine line(StoreKind lineKind, ResultSet rows, LineTable table) throws SQLException {
        var fields = lineKind.fields();
        var values = new @Nullable Object[fields.size()];
        for (var i = 0; i < values.length; i++) {
            var value = rows.getObject(i + 1);
            var codes = table.words().get(fields.get(i));
            values[i] = value instanceof byte[] bytes
                    ? Base64.getEncoder().encodeToString(bytes)
                    : value instanceof Number code && codes != null ? codes.word(code.intValue()) : value;
        }
        return StoreLine.of(lineKind, values);
    }
}
