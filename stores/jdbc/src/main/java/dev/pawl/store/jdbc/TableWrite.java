package dev.pawl.store.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows that are written into a table, many at once: inserted, or changed where columns are as they are given. Written once for databases that take arrays and for
 * those that take one row after the other.
 *
 * @param atOnce for arrays of the columns
 * @param each for one row, with its columns as parameters
 * @param types of the columns, in their order
 */
public record TableWrite(String atOnce, String each, List<String> types) {

    /** Inserts rows with these columns: {@code id bigint, key text}. */
    static TableWrite insert(String table, String columns) {
        var all = List.of(columns.split(",\\s+"));
        var names = names(all);
        var listed = String.join(", ", names);
        return new TableWrite(
                "insert into " + table + " (" + listed + ") select " + listed + " from " + unnest(names),
                "insert into " + table + " (" + listed + ") values ("
                        + String.join(", ", Collections.nCopies(names.size(), "?")) + ")",
                types(all));
    }

    /**
     * Changes rows.
     *
     * @param set columns that get the values that are given
     * @param where columns that tell which row it is
     */
    static TableWrite update(String table, String set, String where) {
        var setting = List.of(set.split(",\\s+"));
        var finding = List.of(where.split(",\\s+"));
        var all = new ArrayList<>(setting);
        all.addAll(finding);
        return new TableWrite(
                "update " + table + " as t set "
                        + each(names(setting), name -> name + " = e." + name, ", ")
                        + " from " + unnest(names(all)) + " where "
                        + each(names(finding), name -> "t." + name + " = e." + name, " and "),
                "update " + table + " set " + each(names(setting), name -> name + " = ?", ", ") + " where "
                        + each(names(finding), name -> name + " = ?", " and "),
                types(all));
    }

    private interface Written {
        String write(String name);
    }

    private static String each(List<String> names, Written written, String between) {
        return names.stream().map(written::write).collect(Collectors.joining(between));
    }

    private static String unnest(List<String> names) {
        return "unnest(" + String.join(", ", Collections.nCopies(names.size(), "?")) + ") as e("
                + String.join(", ", names) + ")";
    }

    private static List<String> names(List<String> columns) {
        return columns.stream()
                .map(column -> column.substring(0, column.indexOf(' ')))
                .toList();
    }

    private static List<String> types(List<String> columns) {
        return columns.stream()
                .map(column -> column.substring(column.indexOf(' ') + 1))
                .toList();
    }
}
