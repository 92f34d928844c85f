package dev.pawl.store.jdbc;

import dev.pawl.ledger.LedgerRow;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many rows of a collection stand how, added up as they move. A database that many write to at once has several rows for each, so that nobody waits for
 * anybody. Not thread-safe.
 */
final class LedgerCounts {
    private record CountRow(long collection, int state, String because, boolean dealt) {
        static final Comparator<CountRow> ORDER = Comparator.comparingLong(CountRow::collection)
                .thenComparingInt(CountRow::state)
                .thenComparing(CountRow::because)
                .thenComparing(CountRow::dealt);
    }

    private final Statements sql;
    private final String add;
    private final Map<CountRow, Long> added = new HashMap<>();

    LedgerCounts(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.add = "insert into pawl.ledger_count (collection, state, because, dealt, slot, many) values (?, ?, ?, ?, "
                + dialect.tallySlot()
                + ", ?) on conflict (collection, state, because, dealt, slot) do update set many = ledger_count.many + excluded.many";
    }

    /** So many more rows stand like this one, or fewer. */
    void add(long collection, LedgerRow row, long many) {
        added.merge(
                new CountRow(
                        collection,
                        LedgerCodes.ROW_STATES.code(row.state()),
                        row.standing().because(),
                        row.standing().dealtWith()),
                many,
                Long::sum);
    }

    /** Writes what was added, always in the same order: those who write at the same time never wait for each other in a circle. */
    void write() throws SQLException {
        for (var count : inOrder().entrySet()) {
            if (count.getValue() != 0) {
                sql.run(
                        add,
                        count.getKey().collection(),
                        count.getKey().state(),
                        count.getKey().because(),
                        count.getKey().dealt() ? 1 : 0,
                        count.getValue());
            }
        }
        added.clear();
    }

    private SortedMap<CountRow, Long> inOrder() {
        var ordered = new TreeMap<CountRow, Long>(CountRow.ORDER);
        ordered.putAll(added);
        return ordered;
    }

    /** What was added is undone. */
    void forget() {
        added.clear();
    }
}
