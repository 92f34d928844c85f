package dev.pawl.store.jdbc;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.cost.Use;
import dev.pawl.journal.Entry;
import dev.pawl.store.Spending;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was spent, added up as it is recorded. Not thread-safe. */
final class JdbcSpending {
    private static final List<String> WHAT = List.of("day", "workflow", "model");
    private static final List<String> HOW_MUCH =
            List.of("nano_usd", "input", "output", "cached", "tool_calls", "unpriced", "lost", "cache_written");
    static final List<String> COLUMNS =
            Stream.concat(WHAT.stream(), HOW_MUCH.stream()).toList();

    /** Stands for all days together. */
    private static final long ALL_DAYS = -1;

    private static final String SELECT = "select " + String.join(", ", COLUMNS) + " from pawl.spent where ";

    static final String EVER = SELECT + "day = " + ALL_DAYS + " order by workflow, model";

    static final String ALL = SELECT + "day >= ? and day <> " + ALL_DAYS + " order by day, workflow, model";

    private static final String ADD = "insert into pawl.spent (" + String.join(", ", COLUMNS) + ") values ("
            + String.join(", ", Collections.nCopies(COLUMNS.size(), "?")) + ") on conflict ("
            + String.join(", ", WHAT) + ") do update set "
            + HOW_MUCH.stream()
                    .map(column -> column + " = spent." + column + " + excluded." + column)
                    .collect(Collectors.joining(", "));

    private record SpentRow(long day, String workflow, String model) {
        static final Comparator<SpentRow> ORDER = Comparator.comparingLong(SpentRow::day)
                .thenComparing(SpentRow::workflow)
                .thenComparing(SpentRow::model);
    }

    private final Statements sql;
    private final SortedMap<SpentRow, Cost> added = new TreeMap<>(SpentRow.ORDER);

    JdbcSpending(Statements sql) {
        this.sql = sql;
    }

    /** Adds what {@code entry} of a job says, if it says anything; {@link #write} writes it. */
    void add(long job, Instant now, Entry entry) throws SQLException {
        if (!Spending.isIn(entry)) {
            return;
        }
        var workflow = Objects.requireNonNull(
                sql.one("select workflow from pawl.job where seq = ?", row -> row.getString(1), job));
        var day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        for (var spent : Spending.of(workflow, day, entry)) {
            for (var when : List.of(spent.day().toEpochDay(), ALL_DAYS)) {
                added.merge(new SpentRow(when, workflow, spent.model()), spent.cost(), Cost::plus);
            }
        }
    }

    /** Writes what was added, always in the same order: those who write at the same time never wait for each other in a circle. */
    void write() throws SQLException {
        for (var row : added.entrySet()) {
            var cost = row.getValue();
            sql.run(
                    ADD,
                    row.getKey().day(),
                    row.getKey().workflow(),
                    row.getKey().model(),
                    cost.nanoUsd(),
                    cost.tokens().input(),
                    cost.tokens().output(),
                    cost.tokens().cached(),
                    cost.toolCalls(),
                    cost.unknown().unpriced(),
                    cost.unknown().lost(),
                    cost.tokens().cacheWritten());
        }
        added.clear();
    }

    /** What was added is undone. */
    void forget() {
        added.clear();
    }

    static Spent spent(ResultSet row) throws SQLException {
        var cost = new Cost(
                row.getLong(4),
                new Use.Tokens(row.getLong(5), row.getLong(6), row.getLong(7), row.getLong(11)),
                row.getInt(8),
                Duration.ZERO,
                new Cost.Unknown(
                        row.getInt(9),
                        row.getInt(10),
                        row.getString(3).equals(Use.UNREADABLE) ? Math.max(1, row.getInt(9)) : 0));
        return new Spent(row.getString(2), LocalDate.ofEpochDay(row.getLong(1)), row.getString(3), cost);
    }
}
