package dev.pawl.store.jdbc;

import dev.pawl.export.StoreKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The table that has the lines of a kind, with a column for each of their fields, in order. A job's queue and principal stand with its claim group.
 *
 * @param name of the table
 * @param columns a column for each field
 * @param which the rows that are told
 * @param order by what they are told
 * @param words fields that are numbers in the table and words in a line
 */
record LineTable(String name, List<String> columns, String which, String order, Map<String, ColumnCodes<?>> words) {
    private static final Map<StoreKind, LineTable> ALL = new EnumMap<>(Map.ofEntries(
            Map.entry(
                    StoreKind.JOB,
                    of(
                                    "job",
                                    "seq, workflow, key, queue, on_behalf_of, input, state, resubmission, fence, owner, claim, last_change, suspect, strikes,"
                                            + " created, changed, due, result, failure, question, priority, lane, lane_most, news, cancelling, gate,"
                                            + " gate_closings, end_number, traceparent, owes, version",
                                    "seq")
                            .withWords(Map.of("state", RowMapping.STATES))),
            Map.entry(StoreKind.ENTRY, of("journal", "job, seq, change, resubmission, at, kind, place, body", "seq")),
            Map.entry(
                    StoreKind.ATTEMPT,
                    of(
                                    "attempt",
                                    "job, resubmission, place, number, status, intended, remembered",
                                    "job, resubmission, place, number")
                            .withWords(Map.of("status", RowMapping.STATUSES))),
            Map.entry(
                    StoreKind.CALL,
                    of("call", "child, parent, resubmission, place, detached", "child, parent, resubmission, place")),
            Map.entry(
                    StoreKind.ARTIFACT, of("artifact", "job, resubmission, place, bytes", "job, resubmission, place")),
            Map.entry(StoreKind.FOLLOW_UP, of("follow_up", "id, job, kind, rest", "id")),
            Map.entry(
                    StoreKind.WORKER,
                    of("worker", "id, name, beat, beat_at, term, claim, taking, ending", "id")
                            .withWords(Map.of("end", JdbcWorkers.ENDS))),
            Map.entry(StoreKind.GONE, of("gone", "worker, at", "worker")),
            Map.entry(StoreKind.QUEUE, of("queue", "name, most", "name")),
            Map.entry(
                    StoreKind.GATE,
                    of("gate", String.join(", ", JdbcGates.COLUMNS), "name")
                            .withWords(Map.of("cause", JdbcGates.CAUSES))),
            Map.entry(StoreKind.PASSED, of("passed", "gate, since, taken", "gate")),
            Map.entry(
                    StoreKind.SPENT,
                    of("spent", String.join(", ", JdbcSpending.COLUMNS), "day, workflow, model")
                            .where(" where day >= 0")),
            Map.entry(StoreKind.COLLECTION, of("collection", "id, name, number", "id")),
            Map.entry(
                    StoreKind.PART, of("ledger_part", "id, collection, name, job, opened, many, hash, provider", "id")),
            Map.entry(
                    StoreKind.ROW,
                    of(
                                    "ledger_row",
                                    "id, collection, key, generation, hash, state, because, dealt, changed, made, spent, part, won",
                                    "id")
                            .withWords(Map.of("state", LedgerCodes.ROW_STATES))),
            Map.entry(StoreKind.PAYLOAD, of("ledger_payload", "row, generation, payload", "row, generation")),
            Map.entry(
                    StoreKind.ROW_ATTEMPT,
                    of(
                                    "ledger_attempt",
                                    "row, generation, number, part, opened, state, because, why, spending, result, ended",
                                    "row, generation, number")
                            .withWords(Map.of("state", LedgerCodes.ATTEMPT_STATES))),
            Map.entry(StoreKind.ROW_WORD, of("ledger_word", "row, generation, at, word, who, why", "id")),
            Map.entry(StoreKind.PRICES, of("prices", "number, at, who, why, lines", "number"))));

    private static LineTable of(String name, String columns, String order) {
        return new LineTable(name, List.of(columns.split(", ")), "", order, Map.of());
    }

    private LineTable withWords(Map<String, ColumnCodes<?>> more) {
        return new LineTable(name, columns, which, order, more);
    }

    private LineTable where(String condition) {
        return new LineTable(name, columns, condition, order, words);
    }

    /** Where the lines of {@code lineKind} are; none of a kind that is no part of a store itself. */
    static boolean isThere(StoreKind lineKind) {
        return ALL.containsKey(lineKind);
    }

    /** Where the lines of {@code lineKind} are. */
    static LineTable of(StoreKind lineKind) {
        var table = ALL.get(lineKind);
        if (table == null) {
            throw new IllegalStateException("nobody knows where each field of " + lineKind + " is");
        }
        return table;
    }

    /** What finds all of them. */
    String select() {
        var from = name.equals("job")
                ? " from pawl.job join pawl.claim_group on claim_group.id = job.claim_group"
                : " from pawl." + name;
        return "select " + String.join(", ", columns.stream().map(this::written).toList()) + from + which + " order by "
                + order;
    }

    private String written(String column) {
        return name.equals("job") && column.equals("workflow") ? "job.workflow" : column;
    }
}
