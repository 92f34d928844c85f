package dev.pawl.checks.bench;

import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowRef;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How fast rows of the ledger are enrolled, sent and reconciled, beside bare batched JDBC on the same tables with the same indexes, which knows rows by their keys, as
 * whoever reads an answer does, and asks nothing: a slice of one and a slice of the other in turn, in commits of a thousand rows.
 */
public final class LedgerRows {
    private static final int AT_ONCE = 1_000;
    private static final int SLICES = 10;
    private static final int LOOKS = 20;
    private static final int JOBS = 2_000;
    private static final Time TIME = Time.system();
    private static final String C = "reviews";

    private final String kind;
    private final Store store;
    private final Connection bare;
    private final String schema;
    private final int rows;
    private final Map<String, double[]> seconds = new LinkedHashMap<>();
    private Change.Hold run = new Change.Hold(0, 0);
    private int entries;

    /**
     * Over a store and over the tables of another.
     *
     * @param schema what stands before the names of the other's tables
     */
    public LedgerRows(String kind, Store store, Connection bare, String schema, int rows) {
        this.kind = kind;
        this.store = store;
        this.bare = bare;
        this.schema = schema;
        // As many in each slice.
        this.rows = rows / (SLICES * AT_ONCE) * (SLICES * AT_ONCE);
    }

    private interface Slice {
        void take(int from, int to) throws SQLException;
    }

    /** Measures, and says what it came to, a line a figure. */
    public List<String> measure() throws SQLException {
        begin();
        bare.setAutoCommit(false);
        turns("enrol", this::enrol, this::enrolBare);
        turns("send", this::send, this::sendBare);
        store.exchange(
                List.of(new Change.SealPartIfOwned(
                        run, id(), entry("seal"), new PartSealing(C, "p", new PartSeal(rows, "h")))),
                Wanted.NOTHING);
        turns("reconcile", this::reconcile, this::reconcileBare);
        var lines = new ArrayList<String>();
        seconds.forEach((what, took) -> lines.add(String.format(
                Locale.ROOT,
                "{\"workload\":\"ledger\",\"store\":\"%s\",\"what\":\"%s\",\"rows\":%d,\"rowsPerSecond\":%.0f,\"bare\":%.0f,\"shareOfBound\":%.2f}",
                kind,
                what,
                rows,
                rows / took[0],
                rows / took[1],
                took[1] / took[0])));
        lines.add(counts());
        return lines;
    }

    private void begin() {
        store.exchange(List.of(new Change.Enlist(1, "bench", Duration.ofHours(1), Taking.of("w"))), Wanted.NOTHING);
        var submitted = store.exchange(
                        List.of(new Change.SubmitJob(
                                new Identity("w", Key.of("run")), "1", new Change.SubmitJob.Claim(1, 1))),
                        Wanted.NOTHING)
                .claimed()
                .getFirst()
                .job();
        run = new Change.Hold(submitted.id(), submitted.standing().fence());
    }

    private void turns(String what, Slice pawl, Slice bound) throws SQLException {
        var took = new double[2];
        for (var slice = 0; slice < SLICES; slice++) {
            var from = rows / SLICES * slice;
            var to = rows / SLICES * (slice + 1);
            took[slice % 2] += timed(slice % 2 == 0 ? pawl : bound, from, to);
            took[1 - slice % 2] += timed(slice % 2 == 0 ? bound : pawl, from, to);
        }
        seconds.put(what, took);
    }

    private static double timed(Slice slice, int from, int to) throws SQLException {
        var start = TIME.nanos();
        slice.take(from, to);
        return (TIME.nanos() - start) / 1e9;
    }

    private static String key(int i) {
        return String.format(Locale.ROOT, "k%08x", i * 0x9E3779B1);
    }

    private static String payload(int i) {
        return "{\"text\":\"" + "it was a good chair, number ".repeat(6) + i + "\"}";
    }

    private static String result(int i) {
        return "{\"label\":\"furniture\",\"sure\":0.9,\"n\":" + i + "}";
    }

    private void made(Change change) {
        var applied = store.exchange(List.of(change), Wanted.NOTHING).applied().getFirst();
        if (!applied.done()) {
            throw new IllegalStateException(change.getClass() + " came to " + applied);
        }
        if (applied instanceof Applied.OfRows ofRows && ofRows.outcomes().size() < 1) {
            throw new IllegalStateException("nothing was done");
        }
    }

    private void enrol(int from, int to) {
        for (var at = from; at < to; at += AT_ONCE) {
            made(new Change.EnrolRows(
                    C,
                    IntStream.range(at, Math.min(at + AT_ONCE, to))
                            .mapToObj(i -> NewRow.of(Key.of(key(i)), payload(i)))
                            .toList(),
                    false));
        }
    }

    private long id() {
        return Changes.owned(run.fence(), entries++);
    }

    private static List<Entry> entry(String name) {
        return List.of(new Entry.StepDone(new Place("", name, ""), "null"));
    }

    private void send(int from, int to) {
        for (var at = from; at < to; at += AT_ONCE) {
            made(new Change.SendRowsIfOwned(
                    run,
                    id(),
                    entry("send-" + at),
                    new PartSending(
                            C,
                            "p",
                            IntStream.range(at, Math.min(at + AT_ONCE, to))
                                    .mapToObj(i -> new RowRef(key(i), 1))
                                    .toList(),
                            4)));
        }
    }

    private void reconcile(int from, int to) {
        for (var at = from; at < to; at += AT_ONCE) {
            made(new Change.ReconcileRows(
                    C,
                    IntStream.range(at, Math.min(at + AT_ONCE, to))
                            .mapToObj(i -> new RowAnswer(key(i), 1, 1, new RowEnding.RowSucceeded(result(i)), null))
                            .toList(),
                    4));
        }
    }

    // ---- the bound: the same rows in the same tables, and nothing asked

    private interface Binding {
        void bind(PreparedStatement statement, int i) throws SQLException;
    }

    private void batch(int from, int to, String[] sql, Binding[] bindings) throws SQLException {
        var statements = new PreparedStatement[sql.length];
        for (var s = 0; s < sql.length; s++) {
            statements[s] = bare.prepareStatement(sql[s].replace("pawl.", schema));
        }
        for (var at = from; at < to; at += AT_ONCE) {
            for (var s = 0; s < sql.length; s++) {
                for (var i = at; i < Math.min(at + AT_ONCE, to); i++) {
                    bindings[s].bind(statements[s], i);
                    statements[s].addBatch();
                }
                statements[s].executeBatch();
            }
            bare.commit();
        }
        for (var statement : statements) {
            statement.close();
        }
    }

    private void enrolBare(int from, int to) throws SQLException {
        var now = TIME.now().toEpochMilli();
        batch(
                from,
                to,
                new String[] {
                    "insert into pawl.ledger_row (id, collection, key, generation, hash, state, because, dealt, changed, made, spent, won) values (?, 1, ?, 1, ?, 0, '', 0, ?, 0, 0, 0)",
                    "insert into pawl.ledger_payload (row, generation, payload) values (?, 1, ?)"
                },
                new Binding[] {
                    (statement, i) -> {
                        var row = NewRow.of(Key.of(key(i)), payload(i));
                        statement.setLong(1, i + 1L);
                        statement.setString(2, row.key());
                        statement.setString(3, row.hash());
                        statement.setLong(4, now);
                    },
                    (statement, i) -> {
                        statement.setLong(1, i + 1L);
                        statement.setString(2, payload(i));
                    }
                });
    }

    private void sendBare(int from, int to) throws SQLException {
        var now = TIME.now().toEpochMilli();
        batch(
                from,
                to,
                new String[] {
                    "update pawl.ledger_row set made = 1, part = 1, won = 0 where collection = 1 and key = ?",
                    "insert into pawl.ledger_attempt (row, generation, number, part, opened, state, because, why, spending, result, ended)"
                            + " select id, 1, 1, 1, ?, 0, '', '', null, null, null from pawl.ledger_row where collection = 1 and key = ?"
                },
                new Binding[] {
                    (statement, i) -> statement.setString(1, key(i)),
                    (statement, i) -> {
                        statement.setLong(1, now);
                        statement.setString(2, key(i));
                    }
                });
    }

    private void reconcileBare(int from, int to) throws SQLException {
        var now = TIME.now().toEpochMilli();
        batch(
                from,
                to,
                new String[] {
                    "update pawl.ledger_row set state = 1, because = '', changed = ?, spent = 1, part = null, won = 1 where collection = 1 and key = ?",
                    "update pawl.ledger_attempt set state = 1, result = ?, ended = ? where row ="
                            + " (select id from pawl.ledger_row where collection = 1 and key = ?) and generation = 1 and number = 1"
                },
                new Binding[] {
                    (statement, i) -> {
                        statement.setLong(1, now);
                        statement.setString(2, key(i));
                    },
                    (statement, i) -> {
                        statement.setString(1, result(i));
                        statement.setLong(2, now);
                        statement.setString(3, key(i));
                    }
                });
    }

    private String counts() {
        var took = new ArrayList<Double>();
        for (var i = 0; i < LOOKS; i++) {
            var start = TIME.nanos();
            var all =
                    store.rowCounts(C).stream().mapToLong(count -> count.many()).sum();
            took.add((TIME.nanos() - start) / 1e6);
            if (all != rows) {
                throw new IllegalStateException("there are " + all + " rows");
            }
        }
        took.sort(Double::compare);
        return String.format(
                Locale.ROOT,
                "{\"workload\":\"ledger\",\"store\":\"%s\",\"what\":\"counts\",\"rows\":%d,\"medianMillis\":%.2f,\"worstMillis\":%.2f}",
                kind,
                rows,
                took.get(LOOKS / 2),
                took.getLast());
    }

    /** What claiming and finishing jobs costs beside ten collections, to that in a store that has none: a few hundred of one and of the other in turn. */
    public static String claims(String kind, Store beside, Store empty, int each) {
        for (var collection = 0; collection < 10; collection++) {
            for (var at = 0; at < each; at += AT_ONCE) {
                var name = "c" + collection;
                beside.exchange(
                        List.of(new Change.EnrolRows(
                                name,
                                IntStream.range(at, at + AT_ONCE)
                                        .mapToObj(i -> NewRow.of(Key.of(key(i)), payload(i)))
                                        .toList(),
                                false)),
                        Wanted.NOTHING);
            }
        }
        var took = new double[2];
        for (var store : List.of(beside, empty)) {
            store.exchange(
                    List.of(new Change.Enlist(2, "claims", Duration.ofHours(1), Taking.of("w"))), Wanted.NOTHING);
        }
        for (var round = 0; round < SLICES; round++) {
            took[0] += claim(beside, round);
            took[1] += claim(empty, round);
        }
        return String.format(
                Locale.ROOT,
                "{\"workload\":\"ledger\",\"store\":\"%s\",\"what\":\"claims beside ten collections\",\"rows\":%d,\"jobs\":%d,\"times\":%.2f}",
                kind,
                10 * each,
                JOBS * SLICES,
                took[0] / took[1]);
    }

    private static double claim(Store store, int round) {
        for (var i = 0; i < JOBS; i += AT_ONCE) {
            var some = new ArrayList<Change>();
            for (var j = (long) i; j < i + AT_ONCE; j++) {
                some.add(new Change.SubmitJob(new Identity("w", Key.of(round, j)), "1", null));
            }
            store.exchange(some, Wanted.NOTHING);
        }
        var start = TIME.nanos();
        var left = JOBS;
        for (var claim = 1L; left > 0; claim++) {
            var claimed = store.exchange(
                            List.of(), new Wanted(2, round * 1_000_000L + claim, Taking.of("w"), 100, false))
                    .claimed();
            var finishing = new ArrayList<Change>();
            for (var one : claimed) {
                finishing.add(new Change.FinishJob(
                        new Change.Hold(one.job().id(), one.job().standing().fence()),
                        Changes.owned(one.job().standing().fence(), 0),
                        List.of(),
                        new Change.FinishJob.FinalState.Done("1")));
            }
            left -= claimed.size();
            store.exchange(finishing, Wanted.NOTHING);
        }
        return (TIME.nanos() - start) / 1e9;
    }
}
