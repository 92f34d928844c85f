package dev.pawl;

import dev.pawl.decision.Audit;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.json.Json;
import dev.pawl.json.Values;
import dev.pawl.key.Key;
import dev.pawl.ledger.LedgerPage;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import dev.pawl.ledger.SentPage;
import dev.pawl.list.Cursor;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A collection of rows that are not jobs: millions of them, each with a payload, a state and a line for every attempt. A job {@linkplain dev.pawl.job.Job#sendRows
 * sends} them; whoever learns what became of them says so here. Thread-safe.
 */
public final class Ledger {
    private static final int PRUNED_AT_ONCE = 1_000;

    private final String name;
    private final Store store;
    private final LocalEngine engine;

    Ledger(String name, Store store, LocalEngine engine) {
        this.name = name;
        this.store = store;
        this.engine = engine;
    }

    /** What it is called. */
    public String name() {
        return name;
    }

    /**
     * Enrols rows, each once, whoever else does: in commits of at most a thousand. Interrupted, it is said again.
     *
     * @param rows by their keys
     * @param renewing whether a payload that differs takes the place of the one that is there, as a new generation; otherwise such a row stays as it is and is told
     * @return what became of each, in their order
     */
    public List<RowOutcome> enrol(Map<Key, ?> rows, boolean renewing) {
        var all = rows.entrySet().stream()
                .map(row -> NewRow.of(row.getKey(), Json.canonical(Values.write(row.getValue()))))
                .toList();
        return inCommits(all, row -> row.payload().length(), some -> new Change.EnrolRows(name, some, renewing));
    }

    /**
     * Says what became of attempts of rows: a fact, whatever has become of the job that sent them. Said twice it is known once.
     *
     * @param mostAttempts so many attempts of a row count at the most
     * @return what became of each, in their order
     */
    public List<RowOutcome> answer(List<RowAnswer> answers, int mostAttempts) {
        return inCommits(answers, RowAnswer::characters, some -> new Change.ReconcileRows(name, some, mostAttempts));
    }

    /** A person's word about rows, as they saw them. */
    public List<RowOutcome> say(List<RowRef> rows, RowWord word, Audit audit) {
        var theirs = audit.at(ThisProcess.origin());
        return inCommits(rows, row -> 0, some -> new Change.SayOfRows(name, some, word, theirs));
    }

    /**
     * Says what became of a part at its destination; what is said last stands.
     *
     * @param provider anything that can be written as JSON
     * @throws IllegalArgumentException when there is no such part
     */
    public void note(String part, Object provider) {
        if (engine.change(new Change.NotePart(name, part, Json.write(provider))) instanceof Applied.Refused refused) {
            throw new IllegalArgumentException(refused.why());
        }
    }

    /**
     * Prunes rows that were settled before {@code settledBefore}: payload, result and attempts go; key, generation, state and hash stay for ever, so that none of
     * them is bought again by accident.
     *
     * @return how many were pruned
     */
    public long prune(Instant settledBefore) {
        var all = 0L;
        while (engine.change(new Change.PruneRows(name, settledBefore, PRUNED_AT_ONCE)) instanceof Applied.Pruned pruned
                && pruned.jobs() > 0) {
            all += pruned.jobs();
        }
        return all;
    }

    /** How many rows a job sends at once at the most: {@link dev.pawl.job.Job#sendRows}. */
    public int mostRowsAtOnce() {
        return store.abilities().mostRows();
    }

    private <T> List<RowOutcome> inCommits(
            List<T> all, ToLongFunction<T> characters, Function<List<T>, Change> change) {
        var outcomes = new ArrayList<RowOutcome>();
        var some = new ArrayList<T>();
        var size = 0L;
        for (var one : all) {
            var more = characters.applyAsLong(one);
            if (!some.isEmpty() && (some.size() == mostRowsAtOnce() || size + more > Change.OfLedger.MOST_CHARACTERS)) {
                outcomes.addAll(outcomes(change.apply(some)));
                some = new ArrayList<>();
                size = 0;
            }
            some.add(one);
            size += more;
        }
        if (!some.isEmpty()) {
            outcomes.addAll(outcomes(change.apply(some)));
        }
        return outcomes;
    }

    private List<RowOutcome> outcomes(Change change) {
        return switch (engine.change(change)) {
            case Applied.OfRows rows -> rows.outcomes();
            case Applied.Refused refused -> throw new IllegalArgumentException(refused.why());
            case Applied other -> throw new IllegalStateException("rows came to " + other);
        };
    }

    // ---- looks

    /** How its rows stand, by state and class of failure. */
    public List<RowCount> counts() {
        return store.rowCounts(name);
    }

    /** A page of its rows: {@code LedgerQuery.of(ledger.name()).in(Set.of(RowState.PERMANENT))}. */
    public LedgerPage rows(LedgerQuery rowQuery) {
        return store.rows(rowQuery);
    }

    /** Everything that is known of a row. */
    public Optional<RowHistory> row(Key key) {
        return store.row(name, key.toString());
    }

    /** Its parts, in the order in which they were opened, behind the one that is called {@code behind}; from the first when that is empty. */
    public List<LedgerPart> parts(String behind, int most) {
        return store.parts(name, behind, most);
    }

    /** The rows of a part with what is sent, the same whenever it is asked. */
    public SentPage sent(String part, Cursor behind, int most) {
        return store.sent(name, part, behind, most);
    }
}
