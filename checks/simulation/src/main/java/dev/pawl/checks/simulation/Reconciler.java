package dev.pawl.checks.simulation;

import dev.pawl.decision.Audit;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowWord;
import dev.pawl.ledger.SentRow;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Somebody who tells what became of rows that were sent: late, twice, in any order, beside another who does the same; and who enrols, and speaks for people. */
final class Reconciler {
    static final int MOST_ATTEMPTS = 3;

    private static final int KINDS = 6;

    private final SimProcess process;
    private final Store store;
    private final LedgerWatch watch;
    private final RandomGenerator random;

    Reconciler(SimProcess process, Store store, LedgerWatch watch, RandomGenerator random) {
        this.process = process;
        this.store = store;
        this.watch = watch;
        this.random = random;
    }

    void work() {
        while (true) {
            process.pauseQuietly(Duration.ofMillis(500 + random.nextInt(20_000)));
            try {
                store.exchange(List.of(next()), Wanted.NOTHING);
            } catch (StoreFailure e) {
                // It is told another time, or was told.
            }
        }
    }

    private Change next() {
        var parts = watch.parts();
        var refs = watch.refs();
        if (!parts.isEmpty() && random.nextInt(4) > 0) {
            var part = parts.get(random.nextInt(parts.size()));
            var answers = new ArrayList<RowAnswer>();
            for (var row : watch.sentIn(part.name())) {
                if (random.nextInt(3) > 0) {
                    answers.add(random.nextInt(answers.size() + 1), answer(row));
                }
            }
            return answers.isEmpty()
                    ? new Change.NotePart(LedgerWatch.ROWS, part.name(), "{\"looked\":" + random.nextInt(9) + "}")
                    : new Change.ReconcileRows(LedgerWatch.ROWS, answers, MOST_ATTEMPTS);
        }
        if (random.nextInt(4) == 0) {
            var words = List.of(new RowWord.Accept(LedgerWatch.GIVEN), new RowWord.Drop(), new RowWord.TryAgain());
            return new Change.SayOfRows(
                    LedgerWatch.ROWS,
                    List.of(refs.get(random.nextInt(refs.size()))),
                    words.get(random.nextInt(words.size())),
                    new Audit("operator", "looked at it"));
        }
        var payload = Integer.toString(random.nextInt(3));
        return new Change.EnrolRows(
                LedgerWatch.ROWS,
                List.of(new NewRow(
                        LedgerWatch.KEYS.get(random.nextInt(LedgerWatch.KEYS.size())), payload, "hash-" + payload)),
                random.nextInt(8) == 0);
    }

    /** What the destination did with an attempt is settled, whoever tells it and when; that nobody waits may be said before. */
    private RowAnswer answer(SentRow row) {
        var kind = Math.floorMod((row.key() + row.generation() + row.attempt()).hashCode() * 31, KINDS);
        var ending = random.nextInt(4) == 0 && kind < KINDS - 1
                ? new RowEnding.RowAbandoned("nobody waits")
                : switch (kind) {
                    case 0, 1, 2 ->
                        new RowEnding.RowSucceeded(LedgerWatch.result(row.key(), row.generation(), row.attempt()));
                    case 3 -> new RowEnding.RowFailed("transient", "not now", false, true);
                    case 4 -> new RowEnding.RowFailed("blocked", "never", true, true);
                    default -> new RowEnding.NeverSent("no create was intended");
                };
        return new RowAnswer(row.key(), row.generation(), row.attempt(), ending, null);
    }
}
