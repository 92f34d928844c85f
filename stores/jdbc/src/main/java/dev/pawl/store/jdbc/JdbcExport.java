package dev.pawl.store.jdbc;

import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tells everything that is in the tables, kind after kind, on one connection, whose transaction sees all of it as it is at one moment. What is made of the rest
 * (tallies, names, sums of all days) is not told.
 */
public final class JdbcExport {
    private static final int AT_ONCE = 500;

    private static final Map<StoreKind, String> ROWS = new EnumMap<>(Map.ofEntries(
            Map.entry(
                    StoreKind.JOB,
                    "select j.seq, j.workflow, j.key, g.queue, g.principal, j.input, j.state, j.resubmission, j.fence, j.owner, j.claim, j.last_change,"
                            + " j.suspect, j.strikes, j.created, j.changed, j.due, j.result, j.failure, j.question, j.priority, j.lane, j.lane_most, j.news,"
                            + " j.cancelling, j.gate, j.gate_closings, j.end_number from pawl.job j join pawl.claim_group g on g.id = j.claim_group order by j.seq"),
            Map.entry(
                    StoreKind.ENTRY,
                    "select job, seq, change, resubmission, at, kind, place, body from pawl.journal order by seq"),
            Map.entry(
                    StoreKind.ATTEMPT,
                    "select job, resubmission, place, number, status, intended, remembered from pawl.attempt order by job, resubmission, place, number"),
            Map.entry(
                    StoreKind.CALL,
                    "select child, parent, resubmission, place, detached from pawl.call order by child, parent, resubmission, place"),
            Map.entry(
                    StoreKind.ARTIFACT,
                    "select job, resubmission, place, bytes from pawl.artifact order by job, resubmission, place"),
            Map.entry(StoreKind.FOLLOW_UP, "select id, job, kind, rest from pawl.follow_up order by id"),
            Map.entry(
                    StoreKind.WORKER,
                    "select id, name, beat, beat_at, term, claim, taking, ending from pawl.worker order by id"),
            Map.entry(StoreKind.GONE, "select worker, at from pawl.gone order by worker"),
            Map.entry(StoreKind.QUEUE, "select name, most from pawl.queue order by name"),
            Map.entry(
                    StoreKind.GATE, "select " + String.join(", ", JdbcGates.COLUMNS) + " from pawl.gate order by name"),
            Map.entry(StoreKind.PASSED, "select gate, since, taken from pawl.passed order by gate"),
            Map.entry(
                    StoreKind.SPENT,
                    "select " + String.join(", ", JdbcSpending.COLUMNS)
                            + " from pawl.spent where day >= 0 order by day, workflow, model"),
            Map.entry(StoreKind.PRICES, "select number, at, who, why, lines from pawl.prices order by number")));

    /** Which fields are numbers in the tables that stand for words. */
    private static final Map<StoreKind, Map<String, IntFunction<String>>> WORDS = Map.of(
            StoreKind.JOB, Map.of("state", code -> RowMapping.state(code).name()),
            StoreKind.ATTEMPT, Map.of("status", code -> RowMapping.status(code).name()),
            StoreKind.WORKER, Map.of("end", code -> JdbcWorkers.end(code).name()),
            StoreKind.GATE, Map.of("cause", code -> JdbcGates.cause(code).name()));

    private final Connection connection;
    private final String schema;

    /**
     * Tells what {@code connection} leads to.
     *
     * @param schema what stands for {@code pawl.} before the names of tables
     */
    public JdbcExport(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /** Tells all of it. */
    public void to(Consumer<StoreLine> told) throws SQLException {
        for (var lineKind : StoreKind.values()) {
            var words = WORDS.getOrDefault(lineKind, Map.of());
            try (var statement = connection.prepareStatement(sql(lineKind))) {
                statement.setFetchSize(AT_ONCE);
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        told.accept(line(lineKind, rows, words));
                    }
                }
            }
        }
    }

    private String sql(StoreKind lineKind) {
        var rows = ROWS.get(lineKind);
        if (rows == null) {
            throw new IllegalStateException("nobody knows where " + lineKind + " is");
        }
        return rows.replace("pawl.", schema);
    }

    private static StoreLine line(StoreKind lineKind, ResultSet rows, Map<String, IntFunction<String>> words)
            throws SQLException {
        var fields = lineKind.fields();
        var values = new @Nullable Object[fields.size()];
        for (var i = 0; i < values.length; i++) {
            var value = rows.getObject(i + 1);
            var word = words.get(fields.get(i));
            values[i] = value instanceof byte[] bytes
                    ? Base64.getEncoder().encodeToString(bytes)
                    : value instanceof Number code && word != null ? word.apply(code.intValue()) : value;
        }
        return StoreLine.of(lineKind, values);
    }
}
