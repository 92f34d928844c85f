package dev.pawl.store.jdbc;

import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** The store's table of prices: one row, with the table as the lines that people edit. */
final class JdbcPrices {
    private JdbcPrices() {}

    /** Puts a table in the place of the one before. */
    static Applied keep(Statements sql, Change.KeepPrices change, Instant now) throws SQLException {
        sql.run(
                "insert into pawl.prices (id, number, at, who, why, lines) values (1, 1, ?, ?, ?, ?) on conflict (id) do update"
                        + " set number = prices.number + 1, at = excluded.at, who = excluded.who, why = excluded.why, lines = excluded.lines",
                now.toEpochMilli(),
                change.audit().by(),
                change.audit().why(),
                change.prices().text());
        return Applied.now();
    }

    /** The table, if it came after the one with this number. */
    static Optional<KeptPrices> after(Statements sql, long number) throws SQLException {
        return Optional.ofNullable(sql.one(
                "select number, at, who, why, lines from pawl.prices where number > ?",
                row -> new KeptPrices(
                        row.getLong(1),
                        Instant.ofEpochMilli(row.getLong(2)),
                        new Audit(row.getString(3), row.getString(4)),
                        Prices.parse("the store's prices", row.getString(5))),
                number));
    }
}
