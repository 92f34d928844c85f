package dev.pawl.store.jdbc;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of the table of jobs, each once. What selects and inserts jobs is made of this list: a further column is one line here, its migration, and
 * what reads it.
 */
public enum JobColumn {
    SEQ(ColumnUse.READ),
    WORKFLOW(ColumnUse.READ, ColumnUse.NEW),
    KEY(ColumnUse.READ, ColumnUse.NEW),
    INPUT(ColumnUse.READ, ColumnUse.NEW),
    STATE(ColumnUse.READ, ColumnUse.NEW),
    RESUBMISSION(ColumnUse.READ),
    FENCE(ColumnUse.READ, ColumnUse.NEW),
    OWNER(ColumnUse.READ, ColumnUse.NEW),
    CLAIM(ColumnUse.NEW),
    LAST_CHANGE,
    SUSPECT(ColumnUse.READ),
    STRIKES(ColumnUse.READ),
    CREATED(ColumnUse.READ, ColumnUse.NEW),
    CHANGED(ColumnUse.READ, ColumnUse.NEW),
    DUE(ColumnUse.READ, ColumnUse.NEW),
    RESULT(ColumnUse.READ),
    FAILURE(ColumnUse.READ),
    QUESTION(ColumnUse.READ),
    CLAIM_GROUP(ColumnUse.NEW),
    PRIORITY(ColumnUse.READ, ColumnUse.NEW),
    LANE(ColumnUse.READ, ColumnUse.NEW),
    LANE_MOST(ColumnUse.READ, ColumnUse.NEW),
    NEWS,
    CANCELLING(ColumnUse.READ),
    GATE(ColumnUse.READ),
    GATE_CLOSINGS,
    END_NUMBER,
    ENDING,
    TRACEPARENT(ColumnUse.READ, ColumnUse.NEW),
    OWES(ColumnUse.READ);

    /** What a column is for, beside being there. */
    private enum ColumnUse {
        /** It is part of a job as people and workers see it. */
        READ,
        /** A new job has a value for it. */
        NEW
    }

    private static final List<JobColumn> READ = columns(ColumnUse.READ);
    private static final List<JobColumn> NEW = columns(ColumnUse.NEW);

    private final Set<ColumnUse> uses;

    JobColumn(ColumnUse... uses) {
        this.uses = uses.length == 0 ? EnumSet.noneOf(ColumnUse.class) : EnumSet.copyOf(List.of(uses));
    }

    private static List<JobColumn> columns(ColumnUse use) {
        return Arrays.stream(values())
                .filter(column -> column.uses.contains(use))
                .toList();
    }

    /** Its name in SQL. */
    String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String joined(List<JobColumn> columns, Function<JobColumn, String> each) {
        return columns.stream().map(each).collect(Collectors.joining(", "));
    }

    /** What a list reads of a job: what it was given and what came of it stays where it is, but for the mark of a tombstone. */
    static String summary(String tombstone) {
        return joined(READ, column -> switch (column) {
            case INPUT ->
                "case when state in (DONE, FAILED, CANCELLED) and ending is null then '" + tombstone + "' else '' end";
            case RESULT -> "null";
            default -> "job." + column.sqlName();
        });
    }

    /** The names of those that are read, of a table that is called {@code job}. */
    static String read() {
        return joined(READ, column -> "job." + column.sqlName());
    }

    /** How many are read. */
    static int manyRead() {
        return READ.size();
    }

    /** Where it stands among those that are read, from 1. */
    int at() {
        return READ.indexOf(this) + 1;
    }

    /** The names of those that a new job has values for. */
    public static String ofNew() {
        return joined(NEW, JobColumn::sqlName);
    }

    /** The same, of something that is called {@code table}. */
    public static String ofNew(String table) {
        return joined(NEW, column -> table + "." + column.sqlName());
    }

    /** A parameter for each value of a new job. A database cannot tell the type of a null that is selected. */
    public static String marks() {
        return joined(NEW, column -> column == DUE ? "cast(? as bigint)" : "?");
    }

    /** What gives each value of a new job, in their order. */
    public static String given(Map<JobColumn, String> expressions) {
        return joined(NEW, column -> ofNew(expressions, column));
    }

    /** Each value of a new job, in their order. */
    static @Nullable Object[] values(Map<JobColumn, ? extends @Nullable Object> values) {
        return NEW.stream().map(column -> ofNew(values, column)).toArray();
    }

    private static <T extends @Nullable Object> T ofNew(Map<JobColumn, T> values, JobColumn column) {
        if (!values.containsKey(column)) {
            throw new IllegalStateException("a new job has no " + column.sqlName());
        }
        return values.get(column);
    }
}
