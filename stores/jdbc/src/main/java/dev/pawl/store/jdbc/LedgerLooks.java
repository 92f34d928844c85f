package dev.pawl.store.jdbc;

import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPage;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.ListedRow;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.RowHistory.RowSaid;
import dev.pawl.ledger.RowHistory.RowTry;
import dev.pawl.ledger.RowHistory.TryEnd;
import dev.pawl.ledger.RowState;
import dev.pawl.ledger.SentPage;
import dev.pawl.ledger.SentRow;
import dev.pawl.list.Cursor;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks into the ledger with one connection's statements; changes nothing. Not thread-safe. */
public final class LedgerLooks {
    private static final String VALUES =
            ", (select payload from pawl.ledger_payload where ledger_payload.row = r.id and ledger_payload.generation = r.generation),"
                    + " (select result from pawl.ledger_attempt a where a.row = r.id and a.generation = r.generation and a.number = r.won)";

    /** Comes after whatever a key goes on with. */
    private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

    private final Statements sql;

    LedgerLooks(Statements sql) {
        this.sql = sql;
    }

    /** See {@code LedgerSide.collections}. */
    public List<LedgerCollection> collections() throws SQLException {
        var all = new ArrayList<LedgerCollection>();
        sql.each(
                "select name, number from pawl.collection order by name",
                row -> all.add(new LedgerCollection(row.getString(1), row.getLong(2))));
        return all;
    }

    /** See {@code LedgerSide.rowCounts}. */
    public List<RowCount> counts(String collection) throws SQLException {
        var all = new ArrayList<RowCount>();
        sql.each(
                "select state, because, dealt, sum(many) from pawl.ledger_count where collection = (select id from pawl.collection where name = ?)"
                        + " group by state, because, dealt having sum(many) > 0",
                row -> all.add(new RowCount(
                        LedgerCodes.ROW_STATES.constant(row.getInt(1)),
                        row.getString(2),
                        row.getInt(3) != 0,
                        row.getLong(4))),
                collection);
        all.sort(Comparator.comparing(RowCount::state)
                .thenComparing(RowCount::because)
                .thenComparing(RowCount::dealtWith));
        return all;
    }

    /** See {@code LedgerSide.rows}. */
    public LedgerPage rows(LedgerQuery rowQuery) throws SQLException {
        var behind = rowQuery.listing().behind().isStart()
                ? 0
                : rowQuery.listing().behind().numbers(1)[0];
        var collection = collection(rowQuery.collection());
        var found = new ArrayList<Found>();
        var most = rowQuery.listing().most();
        if (collection != null) {
            if (rowQuery.keyPrefix().isEmpty()) {
                findInOrder(rowQuery, collection, behind, found);
            } else {
                findByKey(rowQuery, collection, behind, found);
            }
        }
        var more = found.size() > most;
        var page = found.subList(0, Math.min(most, found.size()));
        return new LedgerPage(
                page.stream()
                        .map(one -> new ListedRow(one.kept().row(), one.payload(), one.result()))
                        .toList(),
                more ? Cursor.of(page.getLast().kept().id()) : null);
    }

    private record Found(
            KeptRow kept,
            @Nullable String payload,
            @Nullable String result) {}

    /** In the order of enrolling: each way to stand has an index of its own, which is read from where the page begins and no further than the page goes. */
    private void findInOrder(LedgerQuery rowQuery, long collection, long behind, List<Found> found)
            throws SQLException {
        var because = rowQuery.because();
        for (var count : counts(rowQuery.collection()).stream()
                .map(one -> new StandsAs(one.state(), one.because()))
                .distinct()
                .toList()) {
            if (rowQuery.states().contains(count.rowState()) && (because == null || because.equals(count.because()))) {
                read(
                        rowQuery,
                        "where r.collection = ? and r.state = ? and r.because = ? and r.id > ? order by r.id",
                        found,
                        collection,
                        LedgerCodes.ROW_STATES.code(count.rowState()),
                        count.because(),
                        behind);
            }
        }
        found.sort(Comparator.comparingLong(one -> one.kept().id()));
    }

    private record StandsAs(RowState rowState, String because) {}

    /** In the order of keys, so that no more is read than begins like this. */
    private void findByKey(LedgerQuery rowQuery, long collection, long behind, List<Found> found) throws SQLException {
        var states = rowQuery.states().stream()
                .map(state -> Integer.toString(LedgerCodes.ROW_STATES.code(state)))
                .collect(Collectors.joining(", "));
        var because = rowQuery.because();
        read(
                rowQuery,
                // Not by the index of states, which would be sorted.
                "where r.collection = ? and r.key >= ? and r.key < ? and r.key > coalesce((select b.key from pawl.ledger_row b where b.id = ?), '')"
                        + " and r.state + 0 in (" + (states.isEmpty() ? "-1" : states) + ")"
                        + " and (? = 0 or r.because = ?) order by r.key",
                found,
                collection,
                rowQuery.keyPrefix(),
                rowQuery.keyPrefix() + LAST,
                behind,
                because == null ? 0 : 1,
                because == null ? "" : because);
    }

    private void read(LedgerQuery rowQuery, String which, List<Found> found, Object... values) throws SQLException {
        var withValues = rowQuery.listing().withValues();
        var bound = new ArrayList<Object>(List.of(values));
        bound.add(rowQuery.listing().most() + 1);
        sql.each(
                "select " + KeptRow.COLUMNS + (withValues ? VALUES : "") + KeptRow.FROM + which + " limit ?",
                row -> found.add(new Found(
                        KeptRow.of(row),
                        withValues ? row.getString(KeptRow.MANY + 1) : null,
                        withValues ? row.getString(KeptRow.MANY + 2) : null)),
                bound.toArray());
    }

    private @Nullable Long collection(String name) throws SQLException {
        return sql.one("select id from pawl.collection where name = ?", row -> row.getLong(1), name);
    }

    /** See {@code LedgerSide.row}. */
    public Optional<RowHistory> row(String collection, String key) throws SQLException {
        var found = sql.one(
                "select " + KeptRow.COLUMNS + VALUES + KeptRow.FROM
                        + "where r.collection = (select id from pawl.collection where name = ?) and r.key = ?",
                row -> new Found(KeptRow.of(row), row.getString(KeptRow.MANY + 1), row.getString(KeptRow.MANY + 2)),
                collection,
                key);
        if (found == null) {
            return Optional.empty();
        }
        var tries = new ArrayList<RowTry>();
        sql.each(
                "select a.generation, a.number, coalesce(p.name, ''), a.opened, a.state, a.because, a.why, a.spending, a.ended from pawl.ledger_attempt a"
                        + " left join pawl.ledger_part p on p.id = a.part where a.row = ? order by a.generation, a.number",
                row -> tries.add(new RowTry(
                        row.getInt(1),
                        row.getInt(2),
                        row.getString(3),
                        Instant.ofEpochMilli(row.getLong(4)),
                        new TryEnd(
                                LedgerCodes.ATTEMPT_STATES.constant(row.getInt(5)),
                                row.getString(6),
                                row.getString(7),
                                row.getString(8),
                                RowMapping.instantOrNull(row, 9)))),
                found.kept().id());
        var said = new ArrayList<RowSaid>();
        sql.each(
                "select generation, at, word, who, why from pawl.ledger_word where row = ? order by id",
                row -> said.add(new RowSaid(
                        row.getInt(1),
                        Instant.ofEpochMilli(row.getLong(2)),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5))),
                found.kept().id());
        return Optional.of(
                new RowHistory(new ListedRow(found.kept().row(), found.payload(), found.result()), tries, said));
    }

    /** See {@code LedgerSide.parts}. */
    public List<LedgerPart> parts(String collection, String behind, int most) throws SQLException {
        var all = new ArrayList<LedgerPart>();
        sql.each(
                "select name, job, opened, many, hash, provider from pawl.ledger_part where collection = (select id from pawl.collection where name = ?)"
                        + " and id > coalesce((select q.id from pawl.ledger_part q where q.collection = ledger_part.collection and q.name = ?), 0)"
                        + " order by id limit ?",
                row -> all.add(part(row)),
                collection,
                behind,
                most);
        return all;
    }

    static LedgerPart part(ResultSet row) throws SQLException {
        var hash = row.getString(5);
        return new LedgerPart(
                row.getString(1),
                row.getLong(2),
                Instant.ofEpochMilli(row.getLong(3)),
                hash == null ? null : new PartSeal(row.getLong(4), hash),
                row.getString(6));
    }

    /** See {@code LedgerSide.sent}. */
    public SentPage sent(String collection, String part, Cursor behind, int most) throws SQLException {
        var from = behind.isStart() ? new long[] {0, 0, 0} : behind.numbers(3);
        var rows = new ArrayList<SentRow>();
        var positions = new ArrayList<Cursor>();
        sql.each(
                "select r.key, a.generation, a.number, a.state, l.payload, a.row from pawl.ledger_attempt a join pawl.ledger_row r on r.id = a.row"
                        + " left join pawl.ledger_payload l on l.row = a.row and l.generation = a.generation where a.part <> 0 and a.part ="
                        + " (select p.id from pawl.ledger_part p join pawl.collection c on c.id = p.collection where c.name = ? and p.name = ?)"
                        + " and a.row >= ? and (a.row > ? or a.generation > ? or (a.generation = ? and a.number > ?))"
                        + " order by a.row, a.generation, a.number limit ?",
                row -> {
                    rows.add(new SentRow(
                            row.getString(1),
                            row.getInt(2),
                            row.getInt(3),
                            LedgerCodes.ATTEMPT_STATES.constant(row.getInt(4)),
                            row.getString(5)));
                    positions.add(Cursor.of(row.getLong(6), row.getInt(2), row.getInt(3)));
                },
                collection,
                part,
                from[0],
                from[0],
                from[1],
                from[1],
                from[2],
                most + 1);
        var more = rows.size() > most;
        return new SentPage(rows.subList(0, Math.min(most, rows.size())), more ? positions.get(most - 1) : null);
    }
}
