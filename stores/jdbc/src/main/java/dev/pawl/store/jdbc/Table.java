package dev.pawl.store.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table as it goes from a file to a database.
 *
 * @param inFile what it is in the file
 * @param inDatabase what it is in the database, column for column
 */
public record Table(TableColumns inFile, TableColumns inDatabase) {
    private static final int AT_ONCE = 500;

    /** All tables, in the order in which they are copied. */
    public static final List<Table> ALL = List.of(
            of("claim_group", "id, workflow, queue, principal"),
            of("job", JobColumn.moved()),
            // The database has them apart from the rows that change.
            new Table(TableColumns.of("job", "identity, seq"), TableColumns.of("identified", "identity, job")),
            of("journal", "seq, job, change, resubmission, at, kind, place, body"),
            of("attempt", "job, resubmission, place, number, status, intended, remembered"),
            of("call", "child, parent, resubmission, place, detached"),
            of("follow_up", "id, job, kind, rest"),
            of("artifact", "job, resubmission, place, bytes"),
            of("worker", "id, name, beat, beat_at, term, claim, taking, ending"),
            of("gone", "worker, at"),
            of("queue", "name, most"),
            of("gate", String.join(", ", JdbcGates.COLUMNS)),
            of("passed", "gate, since, taken"),
            of("spent", String.join(", ", JdbcSpending.COLUMNS)),
            of("prices", "id, number, at, who, why, lines"));

    /**
     * Columns of a table.
     *
     * @param table its name
     * @param columns which of its columns
     */
    public record TableColumns(String table, List<String> columns) {
        private static TableColumns of(String table, String columns) {
            return new TableColumns(table, List.of(columns.split(", ")));
        }

        private TableColumns renamed(String now, String before) {
            return new TableColumns(
                    table.equals(now) ? before : table,
                    columns.stream()
                            .map(column -> column.equals(now) ? before : column)
                            .toList());
        }

        /** Whether there is such a table; a file that an earlier version sealed lacks what came later. */
        public boolean isThere(Connection connection) throws SQLException {
            try (var found = connection.getMetaData().getTables(null, null, table, null)) {
                return found.next();
            }
        }

        /** Those of its columns that a file does not have. */
        private Set<String> missing(Connection file) throws SQLException {
            var missing = new HashSet<>(columns);
            try (var found = file.getMetaData().getColumns(null, null, table, null)) {
                while (found.next()) {
                    missing.remove(found.getString("COLUMN_NAME"));
                }
            }
            return missing;
        }

        private TableColumns only(List<Integer> kept) {
            return new TableColumns(table, kept.stream().map(columns::get).toList());
        }

        private PreparedStatement reading(Connection connection, String schema) throws SQLException {
            var statement =
                    connection.prepareStatement("select " + String.join(", ", columns) + " from " + schema + table);
            statement.setFetchSize(AT_ONCE);
            return statement;
        }

        /** What is in it, where {@code connection} leads, whose tables have {@code schema} before their names. */
        public Contents contents(Connection connection, String schema) throws SQLException {
            var sum = BigInteger.ZERO;
            var many = 0L;
            try (var statement = reading(connection, schema);
                    var rows = statement.executeQuery()) {
                while (rows.next()) {
                    var digest = sha256();
                    for (var column = 1; column <= columns.size(); column++) {
                        digest.update(text(rows.getObject(column)).getBytes(StandardCharsets.UTF_8));
                    }
                    sum = sum.add(new BigInteger(1, digest.digest()));
                    many++;
                }
            }
            return new Contents(many, sum.toString(16));
        }
    }

    /**
     * A name of today, in which table it is a column, and what that was called in files that earlier versions have sealed: nobody can bring such a file forward.
     */
    private record EarlierName(String table, String now, String before) {}

    private static final List<EarlierName> EARLIER = List.of(
            new EarlierName("job", "claim_group", "line"),
            new EarlierName("job", "end_number", "ended"),
            new EarlierName("worker", "beat_at", "beaten"));

    /** The same, with the names that it has in this very file. */
    public Table from(Connection file) throws SQLException {
        var there = inFile;
        for (var renamed : EARLIER) {
            try (var column = file.getMetaData().getColumns(null, null, renamed.table(), renamed.now())) {
                if (!column.next()) {
                    there = there.renamed(renamed.now(), renamed.before());
                }
            }
        }
        return new Table(there, inDatabase).without(there.missing(file));
    }

    /** Columns that came later than the file was sealed: what is written there says nothing about them, and the database has its own values for them. */
    private Table without(Set<String> missing) {
        var kept = IntStream.range(0, inFile.columns().size())
                .filter(column -> !missing.contains(inFile.columns().get(column)))
                .boxed()
                .toList();
        return new Table(inFile.only(kept), inDatabase.only(kept));
    }

    private static Table of(String name, String columns) {
        return new Table(TableColumns.of(name, columns), TableColumns.of(name, columns));
    }

    /** Its name in the database. */
    public String name() {
        return inDatabase.table();
    }

    /**
     * What is in a table: how many rows, and the sum of their hashes, which is the same in whatever order they are read.
     *
     * @param rows how many
     * @param sum of the SHA-256 of every row
     */
    public record Contents(long rows, String sum) {}

    /** Copies all rows. */
    public void copy(Connection file, Connection database, String schema) throws SQLException {
        var columns = inDatabase.columns();
        var marks = String.join(", ", Collections.nCopies(columns.size(), "?"));
        try (var reading = inFile.reading(file, "");
                var rows = reading.executeQuery();
                var writing = database.prepareStatement("insert into " + schema + name() + " ("
                        + String.join(", ", columns) + ") values (" + marks + ")")) {
            var waiting = 0;
            while (rows.next()) {
                for (var column = 1; column <= columns.size(); column++) {
                    writing.setObject(column, rows.getObject(column));
                }
                writing.addBatch();
                if (++waiting == AT_ONCE) {
                    writing.executeBatch();
                    waiting = 0;
                }
            }
            writing.executeBatch();
        }
    }

    /** A value so that no two different ones look alike, whichever database it comes from. */
    private static String text(@Nullable Object value) {
        if (value == null) {
            return "-;";
        }
        return switch (value) {
            case Double fraction -> "n" + number(BigDecimal.valueOf(fraction)) + ";";
            case BigDecimal exact -> "n" + number(exact) + ";";
            case Number number -> "n" + number.longValue() + ";";
            case byte[] bytes -> "b" + HexFormat.of().formatHex(bytes) + ";";
            default -> "t" + value.toString().length() + ":" + value + ";";
        };
    }

    private static String number(BigDecimal exact) {
        return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
