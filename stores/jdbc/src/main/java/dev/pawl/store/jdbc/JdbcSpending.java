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
import java.util.Objects;

/** What was spent, added up as it is recorded. Not thread-safe. */
final class JdbcSpending {
    static final String ALL = "select day, workflow, model, nano_usd, input, output, cached, tool_calls, unpriced, lost"
            + " from spent where day >= ? order by day, workflow, model";

    private static final String ADD =
            "insert into spent (day, workflow, model, nano_usd, input, output, cached, tool_calls, unpriced, lost)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (day, workflow, model) do update set"
                    + " nano_usd = nano_usd + excluded.nano_usd, input = input + excluded.input,"
                    + " output = output + excluded.output, cached = cached + excluded.cached,"
                    + " tool_calls = tool_calls + excluded.tool_calls, unpriced = unpriced + excluded.unpriced,"
                    + " lost = lost + excluded.lost";

    private final Sql sql;

    JdbcSpending(Sql sql) {
        this.sql = sql;
    }

    /** Adds what {@code entry} of a job says, if it says anything. */
    void add(long job, Instant now, Entry entry) throws SQLException {
        if (!(entry instanceof Entry.Used) && !(entry instanceof Entry.OwnerGone)) {
            return;
        }
        var workflow =
                Objects.requireNonNull(sql.one("select workflow from job where seq = ?", row -> row.getString(1), job));
        var day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        for (var spent : Spending.of(workflow, day, entry)) {
            var cost = spent.cost();
            sql.run(
                    ADD,
                    day.toEpochDay(),
                    spent.workflow(),
                    spent.model(),
                    cost.nanoUsd(),
                    cost.tokens().input(),
                    cost.tokens().output(),
                    cost.tokens().cached(),
                    cost.toolCalls(),
                    cost.unknown().unpriced(),
                    cost.unknown().lost());
        }
    }

    static Spent spent(ResultSet row) throws SQLException {
        var cost = new Cost(
                row.getLong(4),
                new Use.Tokens(row.getLong(5), row.getLong(6), row.getLong(7)),
                row.getInt(8),
                Duration.ZERO,
                new Cost.Unknown(row.getInt(9), row.getInt(10)));
        return new Spent(row.getString(2), LocalDate.ofEpochDay(row.getLong(1)), row.getString(3), cost);
    }
}
