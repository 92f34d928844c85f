package dev.pawl.checks.simulation;

import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowState;
import dev.pawl.ledger.SentRow;
import dev.pawl.list.Cursor;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Sees every row of the ledger before and after each change, as nobody else can, and finds what broke a promise. */
final class LedgerWatch extends DelegatingStore {
    static final String ROWS = "rows";
    static final List<String> KEYS = List.of("r0", "r1", "r2", "r3", "r4", "r5");

    /** What a person gives a row as its result. */
    static final String GIVEN = "\"given\"";

    private static final int ALL = 1_000;

    private final List<String> violations = new ArrayList<>();
    private final Map<List<Object>, Integer> duplicates = new HashMap<>();
    private Map<String, RowHistory> before;

    LedgerWatch(Store store) {
        super(store);
        super.exchange(
                List.of(new Change.EnrolRows(
                        ROWS,
                        KEYS.stream().map(key -> new NewRow(key, "1", "hash-1")).toList(),
                        false)),
                Wanted.NOTHING);
        this.before = histories();
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        var exchanged = super.exchange(changes, wanted);
        for (var i = 0; i < changes.size(); i++) {
            if (changes.get(i) instanceof Change.OfLedger change) {
                look(change, exchanged.applied().get(i), changes.size() == 1);
            }
        }
        return exchanged;
    }

    private void look(Change.OfLedger change, Applied applied, boolean alone) {
        if (change instanceof Change.ReconcileRows reconcile && applied instanceof Applied.OfRows rows) {
            for (var i = 0; i < rows.outcomes().size(); i++) {
                if (rows.outcomes().get(i) == RowOutcome.DUPLICATE) {
                    var answer = reconcile.answers().get(i);
                    duplicates.merge(List.of(answer.key(), answer.generation()), 1, Integer::sum);
                }
            }
        }
        var now = histories();
        now.forEach((key, row) -> judge(change, Objects.requireNonNull(before.get(key)), row));
        if (alone && !applied.done() && !now.equals(before)) {
            violations.add("made up: " + change + " came to " + applied + " and changed rows");
        }
        before = now;
    }

    private Map<String, RowHistory> histories() {
        var all = new TreeMap<String, RowHistory>();
        KEYS.forEach(key -> row(ROWS, key).ifPresent(row -> all.put(key, row)));
        return all;
    }

    private void judge(Change.OfLedger change, RowHistory earlier, RowHistory later) {
        var was = earlier.listed().row();
        var is = later.listed().row();
        var same = was.generation() == is.generation();
        if (is.generation() < was.generation()) {
            violations.add("lost: a generation of row " + is.key() + " by " + change);
        }
        if (same && was.state() == RowState.SUCCEEDED) {
            var kept = earlier.listed().result();
            if (is.state() != RowState.SUCCEEDED
                    || (kept != null && !kept.equals(later.listed().result()))) {
                violations.add("moved back: row " + is.key() + " from " + earlier + " to " + later + " by " + change);
            }
        }
        if (change instanceof Change.EnrolRows enrol && !enrol.renewing() && !was.equals(is)) {
            violations.add("moved: row " + is.key() + " by enrolling it again: " + was + " to " + is);
        }
        var open = later.tries().stream()
                .filter(one ->
                        one.generation() == is.generation() && one.ended().known() == AttemptState.OPEN)
                .count();
        if (open > 1 || (open == 1) != (is.tries().openIn() != null)) {
            violations.add("open: row " + is.key() + " has " + open + " open attempts: " + later);
        }
        judgeResult(later);
        var succeeded = later.tries().stream()
                .filter(one -> one.generation() == is.generation()
                        && one.ended().known() == AttemptState.SUCCEEDED
                        && !one.part().isEmpty())
                .count();
        var told = duplicates.getOrDefault(List.of(is.key(), is.generation()), 0);
        if (succeeded - told > 1) {
            violations.add(
                    "untold: row " + is.key() + " succeeded " + succeeded + " times, and " + told + " were told");
        }
    }

    /** What a row has for its result was said of this very attempt of this very generation. */
    private void judgeResult(RowHistory row) {
        var is = row.listed().row();
        var result = row.listed().result();
        if (is.state() == RowState.SUCCEEDED && result == null) {
            violations.add("made up: row " + is.key() + " succeeded and has no result: " + row);
        } else if (result != null
                && !result.equals(GIVEN)
                && !result.equals(result(is.key(), is.generation(), is.tries().won()))) {
            violations.add("made up: row " + is.key() + " of generation " + is.generation() + " has " + result);
        }
    }

    /** What the destination answers to an attempt that succeeds. */
    static String result(String key, int generation, int attempt) {
        return "\"" + key + "/" + generation + "/" + attempt + "\"";
    }

    // ---- what everybody who is close by knows

    /** The rows as they are. */
    List<RowRef> refs() {
        return before.values().stream()
                .map(row -> row.listed().row())
                .map(RowRef::of)
                .toList();
    }

    List<LedgerPart> parts() {
        return parts(ROWS, "", ALL);
    }

    List<SentRow> sentIn(String part) {
        return sent(ROWS, part, Cursor.START, ALL).rows();
    }

    /** What broke a promise, with what does not fit to the journals. */
    List<String> verdict() {
        for (var part : parts()) {
            var recorded = journal(part.job()).stream()
                    .anyMatch(line -> line.entry() instanceof Entry.StepDone done
                            && part.name().endsWith("/" + name(done.place())));
            var pruned = job(part.job()).map(job -> job.pruned()).orElse(true);
            if (!recorded && !pruned) {
                violations.add("made up: part " + part + " was sent, and its job has no record of it");
            }
        }
        return violations;
    }

    private static String name(Place place) {
        return place.toString();
    }
}
