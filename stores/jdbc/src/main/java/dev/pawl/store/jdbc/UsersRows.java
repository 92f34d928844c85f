package dev.pawl.store.jdbc;

import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.store.jdbc.UsersTable.ColumnKind;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table of a store's user, told so that the same value is the same text whichever database has it.
 *
 * @param connection where they are
 * @param usersTable what they are of
 * @param tableSql how the database writes its names
 */
public record UsersRows(Connection connection, UsersTable usersTable, UsersTable.TableSql tableSql) {
    private static final int AT_ONCE = 500;
    private static final String BASE64 = "base64";
    private static final TypeToken<List<@Nullable Object>> VALUES = new TypeToken<>() {};

    /** Tells what the table is, and then its rows. */
    public void tell(Consumer<StoreLine> told) throws SQLException {
        told.accept(StoreLine.of(StoreKind.TABLE, usersTable.name(), usersTable.text()));
        var columns = usersTable.columns().stream()
                .map(column -> tableSql.name(column.name()))
                .collect(Collectors.joining(", "));
        try (var statement =
                connection.prepareStatement("select " + columns + " from " + tableSql.name(usersTable.name()))) {
            statement.setFetchSize(AT_ONCE);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    var values = new ArrayList<@Nullable Object>();
                    for (var i = 0; i < usersTable.columns().size(); i++) {
                        values.add(told(usersTable.columns().get(i).kind(), rows.getObject(i + 1)));
                    }
                    told.accept(StoreLine.of(StoreKind.TABLE_ROW, usersTable.name(), Json.write(values)));
                }
            }
        }
    }

    private static @Nullable Object told(ColumnKind columnKind, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case byte[] bytes -> Map.of(BASE64, Base64.getEncoder().encodeToString(bytes));
            default ->
                switch (columnKind) {
                    case WHOLE -> value instanceof Number number ? (Object) number.longValue() : value.toString();
                    case FRACTION -> value instanceof Number number ? (Object) number.doubleValue() : value.toString();
                    case NUMBER -> value instanceof Number ? plain(new BigDecimal(value.toString())) : value.toString();
                    case TEXT, BYTES -> value.toString();
                };
        };
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    /** The values of a row as a database takes them. */
    static List<@Nullable Object> values(UsersTable usersTable, StoreLine storeLine) {
        var told = Objects.requireNonNull(Json.read(storeLine.text("values"), VALUES));
        if (!storeLine.text("table").equals(usersTable.name())
                || told.size() != usersTable.columns().size()) {
            throw new IllegalArgumentException(
                    "a row is not of table " + usersTable.name() + ", which was told before it");
        }
        var values = new ArrayList<@Nullable Object>();
        for (var i = 0; i < told.size(); i++) {
            values.add(taken(usersTable.columns().get(i).kind(), told.get(i)));
        }
        return values;
    }

    private static @Nullable Object taken(ColumnKind columnKind, @Nullable Object told) {
        return switch (told) {
            case null -> null;
            case Map<?, ?> bytes -> Base64.getDecoder().decode(String.valueOf(bytes.get(BASE64)));
            case String text when columnKind == ColumnKind.NUMBER -> number(text);
            case Number number when columnKind == ColumnKind.WHOLE -> number.longValue();
            case Number number -> number.doubleValue();
            default -> told.toString();
        };
    }

    /** In a file a column of numbers may hold a text, which no database takes for one. */
    private static Object number(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            return text;
        }
    }
}
