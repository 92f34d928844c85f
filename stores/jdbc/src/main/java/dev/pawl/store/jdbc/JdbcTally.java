package dev.pawl.store.jdbc;

import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many jobs ended in what way on which day, and on all days together, added up as they end, are taken up again and are pruned. A database that many write to at once has several rows
 * for each, so that nobody waits for anybody. Not thread-safe.
 */
final class JdbcTally {
    private static final long DAY = 86_400_000;

    /** Stands for all days together. */
    static final long EVER = -1;

    private record TallyRow(long group, int ending, long day) {
        static final Comparator<TallyRow> ORDER = Comparator.comparingLong(TallyRow::day)
                .thenComparingLong(TallyRow::group)
                .thenComparingInt(TallyRow::ending);
    }

    private final Statements sql;
    private final String add;
    private final SortedMap<TallyRow, Long> added = new TreeMap<>(TallyRow.ORDER);

    JdbcTally(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.add =
                "insert into pawl.tally (claim_group, ending, day, slot, many) values (?, ?, ?, " + dialect.tallySlot()
                        + ", ?) on conflict (day, claim_group, ending, slot) do update set many = tally.many + excluded.many";
    }

    /** The day of an instant, as the tally has it. */
    static long day(long millis) {
        return Math.floorDiv(millis, DAY);
    }

    /** When a day begins. */
    static long begins(long day) {
        return day * DAY;
    }

    /** So many more, or fewer, jobs of a group ended like this at {@code when}; {@link #write} writes it. */
    void add(long group, int ending, Instant when, long many) {
        added.merge(new TallyRow(group, ending, day(when.toEpochMilli())), many, Long::sum);
        added.merge(new TallyRow(group, ending, EVER), many, Long::sum);
    }

    /** Writes what was added, always in the same order: those who write at the same time never wait for each other in a circle. */
    void write() throws SQLException {
        for (var row : added.entrySet()) {
            if (row.getValue() != 0) {
                sql.run(
                        add,
                        row.getKey().group(),
                        row.getKey().ending(),
                        row.getKey().day(),
                        row.getValue());
            }
        }
        added.clear();
    }

    /** What was added is undone. */
    void forget() {
        added.clear();
    }
}
