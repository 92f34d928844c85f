package dev.pawl.store.sqlite;

import dev.pawl.store.OutgoingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.UsersTable;
import dev.pawl.store.jdbc.UsersTable.ColumnKind;
import dev.pawl.store.jdbc.UsersTable.UsersColumn;
import dev.pawl.store.jdbc.UsersTable.UsersIndex;
import dev.pawl.text.ShellWord;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What others keep in a store's file: nothing of it moves unless somebody says so, and nothing of it is left behind unseen. */
final class UsersTables {
    /** The tables of a store; a test compares them with those that a new one has. */
    static final Set<String> OURS = Set.of(
            "arrival",
            "artifact",
            "attempt",
            "call",
            "claim_group",
            "collection",
            "follow_up",
            "gate",
            "gone",
            "job",
            "journal",
            "ledger_attempt",
            "ledger_count",
            "ledger_part",
            "ledger_payload",
            "ledger_row",
            "ledger_word",
            "passed",
            "prices",
            "queue",
            "spent",
            "tally",
            "worker");

    /** What cannot be told in the other database's words, and may matter. */
    private static final Pattern MORE_THAN_COLUMNS =
            Pattern.compile("\\b(check|references|generated|collate|autoincrement)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern MORE_THAN_AN_INDEX = Pattern.compile("\\b(collate|desc)\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+(\\.[0-9]+)?");
    private static final Pattern QUOTED = Pattern.compile("'([^']|'')*'");

    /** How such a table is written here. */
    static final UsersTable.TableSql WRITING = new UsersTable.TableSql() {
        @Override
        public String name(String given) {
            return UsersTable.quoted(given);
        }

        @Override
        public String declared(UsersTable usersTable, UsersColumn usersColumn) {
            var type = switch (usersColumn.kind()) {
                case WHOLE -> "integer";
                case FRACTION -> "real";
                case NUMBER -> "numeric";
                case TEXT -> "text";
                case BYTES -> "blob";
            };
            var usual = usersColumn.usual();
            return name(usersColumn.name()) + " " + type
                    + (usersTable.numbersItself() && usersColumn.inKey() > 0 ? " primary key" : "")
                    + (usual == null ? "" : " default " + usual) + (usersColumn.required() ? " not null" : "");
        }

        // Under a name that nobody else has.
        @Override
        public String indexName(UsersTable usersTable, int number) {
            return name("moved_" + usersTable.name() + "_" + number);
        }

        @Override
        public List<String> afterRows(UsersTable usersTable) {
            return List.of();
        }
    };

    /** How the triggers begin that seal a table. */
    static final String SEALING = "sealed_";

    private final Connection connection;

    UsersTables(Connection connection) {
        this.connection = connection;
    }

    /** The names of all tables that are not the store's. */
    Set<String> names() throws SQLException {
        var names = new TreeSet<String>();
        each(
                "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
                row -> {
                    if (!OURS.contains(row.getString(1))) {
                        names.add(row.getString(1));
                    }
                });
        return names;
    }

    /**
     * Those that are to move, once each of them all is named as one that moves or one that stays.
     *
     * @throws StoreFailure when one is not, or cannot move
     */
    List<UsersTable> toMove(SqliteFile store, Set<String> moving, Set<String> staying) throws SQLException {
        var there = names();
        for (var said : List.of(moving, staying)) {
            var unknown = new TreeSet<>(said);
            unknown.removeAll(there);
            if (!unknown.isEmpty()) {
                throw refused(store.path() + " has no table " + String.join(", ", unknown) + " that is not Pawl's"
                        + (there.isEmpty() ? "" : "; it has " + String.join(", ", there)));
            }
        }
        var unnamed = new TreeSet<>(there);
        unnamed.removeAll(moving);
        unnamed.removeAll(staying);
        if (!unnamed.isEmpty()) {
            var list = String.join(",", unnamed);
            throw refused(store.path() + " holds tables that are not Pawl's: " + String.join(", ", unnamed)
                    + ". What jobs have written there would be left behind; say --with-tables " + ShellWord.of(list)
                    + " to take them along, or --leave-tables " + ShellWord.of(list)
                    + " to leave them in the file. Nothing was moved");
        }
        var named = new TreeSet<>(moving);
        named.removeAll(staying);
        return described(named);
    }

    /** The same of a file, with what somebody has said. */
    static List<UsersTable> require(SqliteFile store, Connection connection, OutgoingStore.Destination destination)
            throws SQLException {
        return new UsersTables(connection).toMove(store, destination.moving(), destination.staying());
    }

    /** What these tables are. */
    List<UsersTable> described(SortedSet<String> names) throws SQLException {
        var tables = new ArrayList<UsersTable>();
        for (var name : names) {
            tables.add(described(name));
        }
        return tables;
    }

    private UsersTable described(String name) throws SQLException {
        var columns = new ArrayList<UsersColumn>();
        var table = UsersTable.quoted(name);
        each("select sql from sqlite_master where type = 'table' and name = " + text(name), row -> {
            var more = MORE_THAN_COLUMNS.matcher(row.getString(1));
            if (more.find()) {
                throw cannot(name, "it says \"" + more.group().toLowerCase(Locale.ROOT) + "\"");
            }
        });
        each("select name from sqlite_master where type = 'trigger' and tbl_name = " + text(name), row -> {
            if (!row.getString(1).startsWith(SEALING)) {
                throw cannot(name, "it has the trigger " + row.getString(1));
            }
        });
        each("pragma table_xinfo(" + table + ")", row -> {
            if (row.getInt("hidden") != 0) {
                throw cannot(name, "it computes its column " + row.getString("name"));
            }
            columns.add(new UsersColumn(
                    row.getString("name"),
                    kind(row.getString("type")),
                    row.getInt("notnull") != 0,
                    usual(name, row.getString("name"), row.getString("dflt_value")),
                    row.getInt("pk")));
        });
        refuseWhatDoesNotFit(name, columns);
        each(
                "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name = "
                        + text(name),
                row -> {
                    var more = MORE_THAN_AN_INDEX.matcher(row.getString(2));
                    if (more.find()) {
                        throw cannot(
                                name,
                                "its index " + row.getString(1) + " says \""
                                        + more.group().toLowerCase(Locale.ROOT) + "\"");
                    }
                });
        var indexes = new ArrayList<UsersIndex>();
        each("pragma index_list(" + table + ")", row -> {
            if (!row.getString("origin").equals("pk")) {
                if (row.getInt("partial") != 0) {
                    throw cannot(name, "its index " + row.getString("name") + " has only some of its rows");
                }
                indexes.add(new UsersIndex(row.getInt("unique") != 0, columnsOf(name, row.getString("name"))));
            }
        });
        return new UsersTable(name, columns, indexes);
    }

    /** A column of a file may hold anything, whatever it was declared as; what would arrive as something else does not move. */
    private void refuseWhatDoesNotFit(String name, List<UsersColumn> columns) throws SQLException {
        for (var column : columns) {
            var fitting = switch (column.kind()) {
                case WHOLE -> "'integer'";
                case FRACTION -> "'real'";
                case NUMBER -> "'integer', 'real'";
                case TEXT -> "'text'";
                case BYTES -> "'blob'";
            };
            var written = UsersTable.quoted(column.name());
            each(
                    "select typeof(" + written + ") from " + UsersTable.quoted(name) + " where typeof(" + written
                            + ") not in ('null', " + fitting + ") limit 1",
                    row -> {
                        throw cannot(
                                name,
                                "its column " + column.name() + " holds a value of type " + row.getString(1)
                                        + ", for which it is not declared");
                    });
        }
    }

    private List<String> columnsOf(String table, String index) throws SQLException {
        var columns = new ArrayList<String>();
        each("pragma index_info(" + UsersTable.quoted(index) + ")", row -> {
            var column = row.getString("name");
            if (column == null) {
                throw cannot(table, "its index " + index + " is over something that is computed");
            }
            columns.add(column);
        });
        return columns;
    }

    /** What a column holds by its declared type, as SQLite itself takes it; days and times are kept as they were written. */
    private static ColumnKind kind(String declared) {
        var type = declared.toUpperCase(Locale.ROOT);
        if (type.contains("INT")) {
            return ColumnKind.WHOLE;
        }
        if (type.isEmpty()
                || type.contains("CHAR")
                || type.contains("CLOB")
                || type.contains("TEXT")
                || type.contains("DATE")
                || type.contains("TIME")) {
            return ColumnKind.TEXT;
        }
        if (type.contains("BLOB")) {
            return ColumnKind.BYTES;
        }
        return type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB")
                ? ColumnKind.FRACTION
                : ColumnKind.NUMBER;
    }

    private static @Nullable String usual(String table, String column, @Nullable String given) {
        if (given == null || given.equalsIgnoreCase("null")) {
            return null;
        }
        if (NUMBER.matcher(given).matches() || QUOTED.matcher(given).matches()) {
            return given;
        }
        throw cannot(table, "its column " + column + " is " + given + " unless said");
    }

    private static StoreFailure cannot(String table, String because) {
        return refused("table " + table + " cannot be taken along, because " + because
                + "; copy it yourself, and say --leave-tables " + ShellWord.of(table) + ". Nothing was moved");
    }

    private static StoreFailure refused(String why) {
        return new StoreFailure(Move.OPERATOR, why, null);
    }

    private static String text(String name) {
        return "'" + name.replace("'", "''") + "'";
    }

    private interface EachRow {
        void take(ResultSet row) throws SQLException;
    }

    private void each(String sql, EachRow taking) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                taking.take(rows);
            }
        }
    }
}
