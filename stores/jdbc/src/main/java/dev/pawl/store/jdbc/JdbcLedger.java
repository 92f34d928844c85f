package dev.pawl.store.jdbc;

import dev.pawl.json.Json;
import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerRow;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowHistory.TryEnd;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowRules;
import dev.pawl.ledger.RowState;
import dev.pawl.ledger.RowWord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Parts;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes of rows that are not jobs: what a change is about is read at once, {@link RowRules} say what comes of it, and that is written at once. Not thread-safe.
 */
final class JdbcLedger {
    private static final TableWrite ENROL = TableWrite.insert(
            "pawl.ledger_row",
            "id bigint, collection bigint, key text, generation integer, hash text, state smallint, because text, dealt smallint, changed bigint, made integer,"
                    + " spent integer, won integer");
    private static final TableWrite PAYLOAD =
            TableWrite.insert("pawl.ledger_payload", "row bigint, generation integer, payload text");
    private static final TableWrite SENT =
            TableWrite.update("pawl.ledger_row", "made integer, part bigint, won integer", "id bigint");
    private static final TableWrite MOVED = TableWrite.update(
            "pawl.ledger_row",
            "generation integer, hash text, state smallint, because text, dealt smallint, changed bigint, made integer, spent integer, part bigint, won integer",
            "id bigint");
    private static final TableWrite OPENED = TableWrite.insert(
            "pawl.ledger_attempt",
            "row bigint, generation integer, number integer, part bigint, opened bigint, state smallint, because text, why text, result text, ended bigint");
    private static final TableWrite ENDED = TableWrite.update(
            "pawl.ledger_attempt",
            "state smallint, because text, why text, spending text, result text, ended bigint",
            "row bigint, generation integer, number integer");
    private static final TableWrite SAID = TableWrite.insert(
            "pawl.ledger_word", "row bigint, generation integer, at bigint, word text, who text, why text");

    private static final Dialect.EachOf ROWS =
            new Dialect.EachOf(KeptRow.OWN_COLUMNS, "pawl.ledger_row r", "r.collection = ? and r.key = k.value", true);
    private static final Dialect.EachOf PAYLOADS =
            new Dialect.EachOf("l.row", "pawl.ledger_payload l", "l.row = k.value", false);
    private static final Dialect.EachOf TRIES = new Dialect.EachOf(
            "a.row, a.generation, a.number, a.state, a.spending", "pawl.ledger_attempt a", "a.row = k.value", false);

    /** Rows are numbered from 1. */
    private static final long NO_ROW = 0;

    /** So many names of parts are remembered. */
    private static final int MOST_NAMES = 1_000;

    private final Statements sql;
    private final Dialect dialect;
    private final LedgerCounts counts;
    private final Map<Long, String> partNames = new HashMap<>();

    JdbcLedger(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.dialect = dialect;
        this.counts = new LedgerCounts(sql, dialect);
    }

    /** How many rows stand how, to be written before the transaction ends. */
    LedgerCounts counts() {
        return counts;
    }

    private record TryRef(long row, int generation, int number) {}

    /** What is written of rows in the end, each kind at once. */
    private static final class RowsToWrite {
        private final List<@Nullable Object[]> enrolled = new ArrayList<>();
        private final List<@Nullable Object[]> payloads = new ArrayList<>();
        private final List<@Nullable Object[]> sent = new ArrayList<>();
        private final List<@Nullable Object[]> moved = new ArrayList<>();
        private final List<@Nullable Object[]> opened = new ArrayList<>();
        private final List<@Nullable Object[]> ended = new ArrayList<>();
        private final List<@Nullable Object[]> said = new ArrayList<>();
    }

    private void write(RowsToWrite rows) throws SQLException {
        dialect.many(sql, ENROL, rows.enrolled);
        dialect.many(sql, PAYLOAD, rows.payloads);
        dialect.many(sql, SENT, rows.sent);
        dialect.many(sql, MOVED, rows.moved);
        dialect.many(sql, OPENED, rows.opened);
        dialect.many(sql, ENDED, rows.ended);
        dialect.many(sql, SAID, rows.said);
    }

    Applied enrol(Change.EnrolRows change, Instant now) throws SQLException {
        var collection = makeCollection(change.collection());
        var there = rows(collection, change.rows().stream().map(NewRow::key).toList());
        var ids = dialect.newRows(sql, (int) change.rows().stream()
                        .filter(row -> !there.containsKey(row.key()))
                        .count())
                .iterator();
        var outcomes = new ArrayList<RowOutcome>();
        var writing = new RowsToWrite();
        for (var row : change.rows()) {
            var kept = there.get(row.key());
            var ruling = RowRules.enrol(kept == null ? null : kept.row(), row, change.renewing(), now);
            outcomes.add(ruling.outcome());
            var after = ruling.row();
            if (after == null) {
                continue;
            }
            if (kept == null) {
                var id = ids.next();
                writing.enrolled.add(new @Nullable Object[] {
                    id,
                    collection,
                    row.key(),
                    after.generation(),
                    row.hash(),
                    (short) code(after.state()),
                    after.standing().because(),
                    (short) 0,
                    now.toEpochMilli(),
                    0,
                    0,
                    0
                });
                writing.payloads.add(new @Nullable Object[] {id, after.generation(), row.payload()});
                counts.add(collection, after, 1);
                // One that stands twice in a change is there when it is met again.
                there.put(row.key(), new KeptRow(id, 0, after));
            } else {
                move(writing, collection, kept, after, 0);
                writing.payloads.add(new @Nullable Object[] {kept.id(), after.generation(), row.payload()});
            }
        }
        if (!writing.payloads.isEmpty()) {
            sql.run("update pawl.collection set number = number + 1 where id = ?", collection);
        }
        write(writing);
        return new Applied.OfRows(outcomes);
    }

    /** Sends rows under the right of a job's owner, which was checked. */
    void send(Change.SendRowsIfOwned change, Instant now) throws SQLException {
        var sending = change.sending();
        var collection = Objects.requireNonNull(collection(sending.collection()));
        var part = openPart(collection, sending.part(), change.job(), now);
        var there = rows(collection, sending.rows().stream().map(RowRef::key).toList());
        var writing = new RowsToWrite();
        for (var ref : sending.rows()) {
            var kept = there.remove(ref.key());
            var ruling = RowRules.send(
                    kept == null ? null : kept.row(), ref.generation(), sending.part(), sending.mostAttempts());
            var after = ruling.row();
            if (kept != null && after != null) {
                writing.sent.add(new @Nullable Object[] {after.tries().made(), part, 0, kept.id()});
                open(writing, kept.id(), after, part, AttemptState.OPEN, null, now);
            }
        }
        write(writing);
    }

    /** Why nothing can be sent under a part, or it cannot be sealed; null when it can. Nobody else seals it before the transaction ends. */
    @Nullable
    Applied objection(Change.OfLedger change, Instant now) throws SQLException {
        var collection = collection(change.collection());
        if (collection == null) {
            return new Applied.Refused("there is no collection " + change.collection());
        }
        return switch (change) {
            case Change.SendRowsIfOwned send -> {
                openPart(collection, send.sending().part(), send.job(), now);
                yield Parts.objection(lockedPart(collection, send.sending().part()), send);
            }
            case Change.SealPartIfOwned seal ->
                Parts.objection(lockedPart(collection, seal.sealing().part()), seal);
            default -> null;
        };
    }

    private @Nullable LedgerPart lockedPart(long collection, String name) throws SQLException {
        return sql.one(
                "select name, job, opened, many, hash, provider from pawl.ledger_part where collection = ? and name = ?"
                        + dialect.lockingIt(),
                LedgerLooks::part,
                collection,
                name);
    }

    void seal(Change.SealPartIfOwned change) throws SQLException {
        var sealing = change.sealing();
        sql.run(
                "update pawl.ledger_part set many = ?, hash = ? where collection = ? and name = ? and hash is null",
                sealing.seal().rows(),
                sealing.seal().hash(),
                Objects.requireNonNull(collection(sealing.collection())),
                sealing.part());
    }

    Applied reconcile(Change.ReconcileRows change, Instant now) throws SQLException {
        var collection = collection(change.collection());
        if (collection == null) {
            return refused(change.answers().size());
        }
        var there = rows(
                collection,
                change.answers().stream().map(RowAnswer::key).distinct().toList());
        var used = new HashMap<TryRef, String>();
        // What is said last of an attempt in one change outweighs what was said before, and is written alone.
        var ended = new LinkedHashMap<TryRef, @Nullable Object[]>();
        var tries = tries(there.values(), used);
        var outcomes = new ArrayList<RowOutcome>();
        var writing = new RowsToWrite();
        var moved = new HashMap<String, KeptRow>();
        for (var answer : change.answers()) {
            var kept = there.get(answer.key());
            var ref = new TryRef(kept == null ? NO_ROW : kept.id(), answer.generation(), answer.attempt());
            var ruling = RowRules.answer(
                    kept == null ? null : kept.row(), tries.get(ref), answer, change.mostAttempts(), now);
            outcomes.add(ruling.outcome());
            if (kept != null && ruling.attempt() != null) {
                tries.put(ref, ruling.attempt());
                ended.put(ref, ended(ref, ruling.attempt(), answer, used.get(ref), now));
                if (answer.use() != null) {
                    used.put(ref, answer.use());
                }
                var after = ruling.row();
                if (after != null) {
                    moved.putIfAbsent(answer.key(), kept);
                    there.put(
                            answer.key(),
                            new KeptRow(kept.id(), after.tries().openIn() == null ? 0 : kept.part(), after));
                }
            }
        }
        writing.ended.addAll(ended.values());
        for (var before : moved.values()) {
            var after = Objects.requireNonNull(there.get(before.row().key()));
            move(writing, collection, before, after.row(), after.part());
        }
        write(writing);
        return new Applied.OfRows(outcomes);
    }

    private static @Nullable Object[] ended(
            TryRef ref, AttemptState known, RowAnswer answer, @Nullable String usedBefore, Instant now) {
        var end = TryEnd.of(known, answer, now);
        return new @Nullable Object[] {
            (short) LedgerCodes.ATTEMPT_STATES.code(known),
            end.because(),
            end.why(),
            end.use() == null ? usedBefore : end.use(),
            answer.ending() instanceof RowEnding.RowSucceeded succeeded ? succeeded.result() : null,
            now.toEpochMilli(),
            ref.row(),
            ref.generation(),
            ref.number()
        };
    }

    Applied say(Change.SayOfRows change, Instant now) throws SQLException {
        var collection = collection(change.collection());
        if (collection == null) {
            return refused(change.rows().size());
        }
        var there = rows(collection, change.rows().stream().map(RowRef::key).toList());
        var payloads = new HashSet<Long>();
        dialect.eachOf(
                sql, PAYLOADS, there.values().stream().map(KeptRow::id).toList(), row -> payloads.add(row.getLong(1)));
        var outcomes = new ArrayList<RowOutcome>();
        var writing = new RowsToWrite();
        for (var ref : change.rows()) {
            var kept = there.get(ref.key());
            var ruling = RowRules.say(
                    kept == null ? null : kept.row(),
                    kept != null && payloads.contains(kept.id()),
                    ref,
                    change.word(),
                    now);
            outcomes.add(ruling.outcome());
            var after = ruling.row();
            if (kept != null && after != null) {
                there.put(ref.key(), new KeptRow(kept.id(), 0, after));
                move(writing, collection, kept, after, 0);
                writing.said.add(new @Nullable Object[] {
                    kept.id(),
                    after.generation(),
                    now.toEpochMilli(),
                    change.word().word(),
                    change.audit().by(),
                    change.audit().why()
                });
                if (change.word() instanceof RowWord.Accept accept) {
                    open(writing, kept.id(), after, 0, AttemptState.SUCCEEDED, accept.result(), now);
                }
            }
        }
        write(writing);
        return new Applied.OfRows(outcomes);
    }

    Applied note(Change.NotePart change) throws SQLException {
        var collection = collection(change.collection());
        var changed = collection == null
                ? 0
                : sql.run(
                        "update pawl.ledger_part set provider = ? where collection = ? and name = ?",
                        change.provider(),
                        collection,
                        change.part());
        return changed == 0
                ? new Applied.Refused("there is no part " + change.part() + " of " + change.collection())
                : Applied.now();
    }

    /** Takes what was sent and what came of it; a row of which that is gone has no payload. */
    Applied prune(Change.PruneRows change) throws SQLException {
        var collection = collection(change.collection());
        if (collection == null) {
            return new Applied.Pruned(0);
        }
        var ids = new ArrayList<Long>();
        sql.each(
                // What RowRules.mayBePruned says.
                "select r.id from pawl.ledger_row r where r.collection = ? and (r.state = " + code(RowState.SUCCEEDED)
                        + " or (r.state = "
                        + code(RowState.PERMANENT) + " and r.dealt = 1)) and r.changed < ? and r.part is null"
                        + " and (exists (select 1 from pawl.ledger_payload where ledger_payload.row = r.id)"
                        + " or exists (select 1 from pawl.ledger_attempt where ledger_attempt.row = r.id))"
                        // A part that was not read names what it has sent, of whatever generation.
                        + " and not exists (select 1 from pawl.ledger_attempt a where a.row = r.id and a.state = 0) order by r.key limit ?"
                        + dialect.lockingRows(),
                row -> ids.add(row.getLong(1)),
                collection,
                change.changedBefore().toEpochMilli(),
                change.most());
        var among = dialect.amongNumbers();
        for (var table : List.of("ledger_payload", "ledger_attempt", "ledger_word")) {
            sql.run("delete from pawl." + table + " where row" + among, Json.write(ids));
        }
        return new Applied.Pruned(ids.size());
    }

    private static int code(RowState rowState) {
        return LedgerCodes.ROW_STATES.code(rowState);
    }

    private static Applied refused(int rows) {
        return new Applied.OfRows(Collections.nCopies(rows, RowOutcome.REFUSED));
    }

    private void move(RowsToWrite writing, long collection, KeptRow kept, LedgerRow becomes, long part) {
        counts.add(collection, kept.row(), -1);
        counts.add(collection, becomes, 1);
        writing.moved.add(new @Nullable Object[] {
            becomes.generation(),
            becomes.payloadHash(),
            (short) code(becomes.state()),
            becomes.standing().because(),
            (short) (becomes.standing().dealtWith() ? 1 : 0),
            becomes.standing().changed().toEpochMilli(),
            becomes.tries().made(),
            becomes.tries().spent(),
            part == 0 ? null : (Long) part,
            becomes.tries().won(),
            kept.id()
        });
    }

    private static void open(
            RowsToWrite writing,
            long id,
            LedgerRow becomes,
            long part,
            AttemptState known,
            @Nullable String result,
            Instant now) {
        writing.opened.add(new @Nullable Object[] {
            id,
            becomes.generation(),
            becomes.tries().made(),
            part,
            now.toEpochMilli(),
            (short) LedgerCodes.ATTEMPT_STATES.code(known),
            "",
            "",
            result,
            known == AttemptState.OPEN ? null : (Long) now.toEpochMilli()
        });
    }

    // ---- what is there

    /** The rows of these keys, which nobody else changes before the transaction ends. */
    private Map<String, KeptRow> rows(long collection, List<String> keys) throws SQLException {
        var rows = new HashMap<String, KeptRow>();
        dialect.eachOf(
                sql,
                ROWS,
                // In one order, so that two who change the same rows never wait for each other in a circle.
                keys.stream().sorted().toList(),
                row -> {
                    var kept = KeptRow.of(row, partName(row.getLong(2)));
                    rows.put(kept.row().key(), kept);
                },
                collection);
        return rows;
    }

    /** What a part is called never changes. */
    private @Nullable String partName(long part) throws SQLException {
        if (part == 0) {
            return null;
        }
        var known = partNames.get(part);
        if (known == null) {
            known = Objects.requireNonNull(
                    sql.one("select name from pawl.ledger_part where id = ?", row -> row.getString(1), part));
            if (partNames.size() >= MOST_NAMES) {
                partNames.clear();
            }
            partNames.put(part, known);
        }
        return known;
    }

    /** What is known of all attempts of these rows; what they used is put into {@code used}. */
    private Map<TryRef, AttemptState> tries(Collection<KeptRow> rows, Map<TryRef, String> used) throws SQLException {
        var tries = new HashMap<TryRef, AttemptState>();
        dialect.eachOf(sql, TRIES, rows.stream().map(KeptRow::id).toList(), row -> {
            var ref = new TryRef(row.getLong(1), row.getInt(2), row.getInt(3));
            tries.put(ref, LedgerCodes.ATTEMPT_STATES.constant(row.getInt(4)));
            var spending = row.getString(5);
            if (spending != null) {
                used.put(ref, spending);
            }
        });
        return tries;
    }

    private @Nullable Long collection(String name) throws SQLException {
        return sql.one("select id from pawl.collection where name = ?", row -> row.getLong(1), name);
    }

    /** Whoever enrols waits for whoever enrols. */
    private long makeCollection(String name) throws SQLException {
        sql.run("insert into pawl.collection (name, number) values (?, 0) on conflict (name) do nothing", name);
        return Objects.requireNonNull(sql.one(
                "select id from pawl.collection where name = ?" + dialect.lockingIt(), row -> row.getLong(1), name));
    }

    private long part(long collection, String name) throws SQLException {
        return Objects.requireNonNullElse(
                sql.one(
                        "select id from pawl.ledger_part where collection = ? and name = ?",
                        row -> row.getLong(1),
                        collection,
                        name),
                0L);
    }

    private long openPart(long collection, String name, long job, Instant now) throws SQLException {
        sql.run(
                "insert into pawl.ledger_part (collection, name, job, opened) values (?, ?, ?, ?) on conflict (collection, name) do nothing",
                collection,
                name,
                job,
                now.toEpochMilli());
        return part(collection, name);
    }
}
