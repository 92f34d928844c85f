package dev.pawl.store.jdbc;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** As a table whose rows are copied. */
    public Table rows() {
        return new Table(
                new Table.TableColumns(quoted(name), columnNames(UsersTable::quoted)),
                new Table.TableColumns(inPostgres(name), columnNames(UsersTable::inPostgres)));
    }

    private List<String> columnNames(UnaryOperator<String> written) {
        return columns.stream().map(column -> written.apply(column.name())).collect(Collectors.toList());
    }
}
