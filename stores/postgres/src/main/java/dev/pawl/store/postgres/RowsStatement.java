package dev.pawl.store.postgres;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A statement about rows that are given to it, written once for any number of them. Where it says {@code {e: job bigint, name text}}, it finds rows that it
 * calls {@code e}: as many as there are in the arrays that are bound, or one, whose values are bound themselves, which costs less.
 *
 * @param many for arrays
 * @param one for values
 */
record RowsStatement(String many, String one) {
    private static final Pattern ROWS = Pattern.compile("\\{(\\w+): ([^}]*)\\}");

    static RowsStatement in(String sql) {
        return new RowsStatement(
                ROWS.matcher(sql)
                        .replaceAll(rows -> many(rows.group(1), rows.group(2).split(",\\s+"))),
                ROWS.matcher(sql)
                        .replaceAll(rows -> one(rows.group(1), rows.group(2).split(",\\s+"))));
    }

    private static String many(String name, String[] columns) {
        return Arrays.stream(columns)
                .map(RowsStatement::column)
                .collect(Collectors.joining(
                        ", ", "unnest(" + "?, ".repeat(columns.length - 1) + "?) as " + name + "(", ")"));
    }

    private static String one(String name, String[] columns) {
        return Arrays.stream(columns)
                .map(column -> "cast(? as " + column.substring(column.indexOf(' ') + 1) + ") as " + column(column))
                .collect(Collectors.joining(", ", "(select ", ") as " + name));
    }

    private static String column(String withType) {
        return withType.substring(0, withType.indexOf(' '));
    }

    String sql(int rows) {
        return rows == 1 ? one : many;
    }
}
