package dev.pawl.checks.crash.matrix;

import dev.pawl.decision.Audit;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowState;
import dev.pawl.ledger.RowWord;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.time.Time;
import java.util.List;

/** Rows of a ledger that a job of the matrix sends, and what others say of them. */
final class Rows {
    private static final String COLLECTION = "rows";
    private static final String PART = "part-1";
    private static final List<String> KEYS = List.of("r0", "r1");
    private static final int MOST_ATTEMPTS = 3;

    private Rows() {}

    static void enrol(LocalEngine engine) {
        engine.change(new Change.EnrolRows(
                COLLECTION,
                KEYS.stream().map(key -> new NewRow(key, "1", "hash")).toList(),
                false));
    }

    static void send(Job job) {
        job.sendRows(
                Named.named("rows"),
                new PartSending(
                        COLLECTION,
                        PART,
                        KEYS.stream().map(key -> new RowRef(key, 1)).toList(),
                        MOST_ATTEMPTS));
        job.sealPart(Named.named("seal"), new PartSealing(COLLECTION, PART, new PartSeal(KEYS.size(), "hash")));
    }

    /** One has come to something, of the other a person says so; then both are pruned. */
    static void answer(LocalEngine engine, Audit audit) {
        engine.change(new Change.NotePart(COLLECTION, PART, "{\"looked\":1}"));
        engine.change(new Change.ReconcileRows(
                COLLECTION,
                List.of(
                        new RowAnswer("r0", 1, 1, new RowEnding.RowSucceeded("\"a\""), null),
                        new RowAnswer("r1", 1, 1, new RowEnding.RowFailed("blocked", "never", true, true), null)),
                MOST_ATTEMPTS));
        engine.change(
                new Change.SayOfRows(COLLECTION, List.of(new RowRef("r1", 1)), new RowWord.Accept("\"b\""), audit));
        engine.change(new Change.PruneRows(COLLECTION, Time.system().now().plusSeconds(60), 100));
    }

    static void judge(Store store, Verdict.Count count) {
        for (var key : KEYS) {
            var row = store.row(COLLECTION, key).orElse(null);
            if (row == null || row.listed().row().state() != RowState.SUCCEEDED) {
                count.lost("row " + key + " is " + row);
            } else if (row.tries().size() > 1) {
                count.duplicated("row " + key + " was sent " + row.tries().size() + " times");
            }
        }
    }
}
