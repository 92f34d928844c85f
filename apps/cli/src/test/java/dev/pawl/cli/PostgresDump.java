package dev.pawl.cli;

import dev.pawl.StoreAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A store in PostgreSQL as SQL: how its schema was made, then its rows, then its sequences. It is of the schema that this Pawl makes. */
final class PostgresDump {
    private PostgresDump() {}

    /** What is there. */
    static String of(String address) throws SQLException {
        var dump = new ArrayList<>(List.of("create schema pawl;", "set search_path to pawl;"));
        try (var connection = DriverManager.getConnection(address)) {
            dump.add(StoreAddress.of(address).schemaText());
            dump.add("delete from meta;");
            for (var table : column(
                    connection, "select tablename from pg_tables where schemaname = 'pawl' order by tablename")) {
                dump.addAll(column(
                        connection,
                        "select 'insert into " + table + " values (' || concat_ws(', ', " + values(connection, table)
                                + ") || ');' from pawl." + table + " order by 1"));
            }
            dump.addAll(column(
                    connection,
                    "select 'select setval(''pawl.' || sequencename || ''', ' || last_value || ');' from pg_sequences"
                            + " where schemaname = 'pawl' and last_value is not null order by sequencename"));
        }
        return String.join("\n", dump) + "\n";
    }

    private static String values(Connection connection, String table) throws SQLException {
        return String.join(
                ", ",
                column(
                        connection,
                        "select 'quote_nullable(' || column_name || '::text)' from information_schema.columns"
                                + " where table_schema = 'pawl' and table_name = '" + table
                                + "' order by ordinal_position"));
    }

    /** Puts it into an empty database. */
    static void restore(String address, String dump) throws SQLException {
        try (var connection = DriverManager.getConnection(address);
                var statement = connection.createStatement()) {
            statement.execute(dump);
        }
    }

    private static List<String> column(Connection connection, String query) throws SQLException {
        var values = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }
}
