package dev.pawl.store.jdbc;

import dev.pawl.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of a store's user that lies beside ours in the same file or database, as far as it can go from one to the other.
 *
 * @param name its name
 * @param columns in their order
 * @param indexes beside the primary key
 */
public record UsersTable(String name, List<UsersColumn> columns, List<UsersIndex> indexes) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public UsersTable {
        columns = List.copyOf(columns);
        indexes = List.copyOf(indexes);
    }

    /** What a column holds. */
    public enum ColumnKind {
        /** Whole numbers. */
        WHOLE,
        /** Fractions, as exactly as a double has them. */
        FRACTION,
        /** Numbers of any length. */
        NUMBER,
        /** Text. */
        TEXT,
        /** Bytes. */
        BYTES
    }

    /**
     * A column.
     *
     * @param name its name
     * @param kind what it holds
     * @param required whether it is never null
     * @param usual the number or quoted text that it has unless said; null when there is none
     * @param inKey its place in the primary key, from 1; 0 when it has none
     */
    public record UsersColumn(
            String name,
            ColumnKind kind,
            boolean required,
            @Nullable String usual,
            int inKey) {}

    /**
     * An index.
     *
     * @param unique whether no two rows are alike in it
     * @param columns in their order
     */
    public record UsersIndex(boolean unique, List<String> columns) {
        public UsersIndex {
            columns = List.copyOf(columns);
        }
    }

    /** The columns of the primary key, in its order. */
    public List<UsersColumn> key() {
        return columns.stream()
                .filter(column -> column.inKey() > 0)
                .sorted(Comparator.comparingInt(UsersColumn::inKey))
                .toList();
    }

    /** Whether rows get their number from the database where they are not given one. */
    public boolean numbersItself() {
        var key = key();
        return key.size() == 1 && key.getFirst().kind() == ColumnKind.WHOLE;
    }

    /** A name as it is written in SQL, whatever is in it. */
    public static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** Names so that PostgreSQL finds them however they were written: what needs no quotes is in small letters there. */
    public static String inPostgres(String name) {
        return quoted(PLAIN.matcher(name).matches() ? name.toLowerCase(Locale.ROOT) : name);
    }

    /** As text, which {@link #parse} reads. */
    String text() {
        return Json.write(this);
    }

    /** The table that a text describes. */
    static UsersTable parse(String text) {
        return Objects.requireNonNull(Json.read(text, UsersTable.class));
    }

    /** How a database writes such tables. */
    public interface TableSql {
        /** A name of a table, a column or an index. */
        String name(String given);

        /** What a column is declared as, with its name. */
        String declared(UsersTable usersTable, UsersColumn usersColumn);

        /** What its index with this number is called; empty where the database finds a name. */
        String indexName(UsersTable usersTable, int number);

        /** What is to be done once its rows are there. */
        List<String> afterRows(UsersTable usersTable);
    }

    /** What makes it, without its indexes. */
    public String definition(TableSql tableSql) {
        var parts = columns.stream()
                .map(column -> tableSql.declared(this, column))
                .collect(Collectors.toCollection(ArrayList::new));
        if (!key().isEmpty() && !numbersItself()) {
            parts.add("primary key (" + listed(key().stream().map(UsersColumn::name), tableSql) + ")");
        }
        return "create table " + tableSql.name(name) + " (" + String.join(", ", parts) + ")";
    }

    /** What makes its indexes. */
    public List<String> indexing(TableSql tableSql) {
        var made = new ArrayList<String>();
        for (var index : indexes) {
            made.add("create " + (index.unique() ? "unique " : "") + "index "
                    + tableSql.indexName(this, made.size() + 1) + " on " + tableSql.name(name) + " ("
                    + listed(index.columns().stream(), tableSql) + ")");
        }
        return made;
    }

    private static String listed(Stream<String> names, TableSql tableSql) {
        return names.map(tableSql::name).collect(Collectors.joining(", "));
    }
}
