package dev.pawl.store.jdbc;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as it goes from one database to another.
 *
 * @param name of the table
 * @param columns all that both databases have
 */
public record Table(String name, List<String> columns) {
    private static final int AT_ONCE = 500;

    /** All tables, in the order in which they are copied. */
    public static final List<Table> ALL = List.of(
            of("line", "id, workflow, queue, principal"),
            of(
                    "job",
                    "seq, identity, workflow, key, input, state, resubmission, fence, owner, claim, last_change, suspect, strikes, created,"
                            + " changed, due, result, failure, question, line, priority, lane, lane_most, news, cancelling, gate, ended"),
            of("journal", "seq, job, change, resubmission, at, kind, place, body"),
            of("attempt", "job, resubmission, place, number, status, intended, remembered"),
            of("call", "child, parent, resubmission, place, detached"),
            of("artifact", "job, resubmission, place, bytes"),
            of("worker", "id, name, beat, beaten, term, claim, taking"),
            of("gone", "worker, at"),
            of("queue", "name, most"),
            of("gate", "name, kind, why, since, until, closings, raised, raised_at, openings"),
            of("passed", "gate, since, taken"),
            of("spent", "day, workflow, model, nano_usd, input, output, cached, tool_calls, unpriced, lost"));

    private static Table of(String name, String columns) {
        return new Table(name, List.of(columns.split(", ")));
    }

    /**
     * What is in a table: how many rows, and the sum of their hashes, which is the same in whatever order they are read.
     *
     * @param rows how many
     * @param sum of the SHA-256 of every row
     */
    public record Contents(long rows, String sum) {}

    /** What is in the table of {@code connection}, whose tables have {@code schema} before their names. */
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

    /** Copies all rows. */
    public void copy(Connection from, String fromSchema, Connection to, String toSchema) throws SQLException {
        var marks = String.join(", ", Collections.nCopies(columns.size(), "?"));
        try (var reading = reading(from, fromSchema);
                var rows = reading.executeQuery();
                var writing = to.prepareStatement("insert into " + toSchema + name + " (" + String.join(", ", columns)
                        + ") values (" + marks + ")")) {
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

    private PreparedStatement reading(Connection connection, String schema) throws SQLException {
        var statement = connection.prepareStatement("select " + String.join(", ", columns) + " from " + schema + name);
        statement.setFetchSize(AT_ONCE);
        return statement;
    }

    /** A value so that no two different ones look alike, whichever database it comes from. */
    private static String text(@Nullable Object value) {
        if (value == null) {
            return "-;";
        }
        return switch (value) {
            case Number number -> "n" + number.longValue() + ";";
            case byte[] bytes -> "b" + HexFormat.of().formatHex(bytes) + ";";
            default -> "t" + value.toString().length() + ":" + value + ";";
        };
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
