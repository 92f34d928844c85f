package dev.pawl.store.jdbc;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A statement about rows that are given to it, written once for any number of them. Where it says {@code {e: job bigint, name text}}, it finds rows that it
 * calls {@code e}: as many as there are in the arrays that are bound, or one, whose values are bound themselves, which costs less.
 *
 * @param many for arrays
 * @param one for values
 * @param types of the columns, in their order
 */
public record RowsStatement(String many, String one, List<String> types) {
    private static final Pattern ROWS = Pattern.compile("\\{(\\w+): ([^}]*)\\}");

    /** The statement that {@code sql} writes. */
    public static RowsStatement in(String sql) {
        return new RowsStatement(
                ROWS.matcher(sql)
                        .replaceAll(rows -> many(rows.group(1), rows.group(2).split(",\\s+"))),
                ROWS.matcher(sql)
                        .replaceAll(rows -> one(rows.group(1), rows.group(2).split(",\\s+"))),
                ROWS.matcher(sql)
                        .results()
                        .flatMap(rows -> Arrays.stream(rows.group(2).split(",\\s+")))
                        .map(RowsStatement::type)
                        .toList());
    }

    private static String many(String name, String[] columns) {
        return Arrays.stream(columns)
                .map(RowsStatement::column)
                .collect(Collectors.joining(
                        ", ", "unnest(" + "?, ".repeat(columns.length - 1) + "?) as " + name + "(", ")"));
    }

    private static String one(String name, String[] columns) {
        return Arrays.stream(columns)
                .map(column -> "cast(? as " + type(column) + ") as " + column(column))
                .collect(Collectors.joining(", ", "(select ", ") as " + name));
    }

    private static String column(String withType) {
        return withType.substring(0, withType.indexOf(' '));
    }

    private static String type(String withType) {
        return withType.substring(withType.indexOf(' ') + 1);
    }

    /** For so many rows. */
    public String sql(int rows) {
        return rows == 1 ? one : many;
    }
}
