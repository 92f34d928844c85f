package dev.pawl.engine.local;

import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.store.Applied;
import java.util.List;
import java.util.function.Function;

/** Sends rows of the ledger in the commit that records it, once. */
final class RowsRunner {
    private static final String NOTHING = "null";

    private final Scope scope;
    private final RunJournal journal;

    RowsRunner(Scope scope) {
        this.scope = scope;
        this.journal = scope.context().journal();
    }

    void send(Named name, PartSending sending) {
        once(name, entries -> journal.send(entries, sending));
    }

    void seal(Named name, PartSealing sealing) {
        once(name, entries -> journal.seal(entries, sealing));
    }

    private void once(Named name, Function<List<Entry>, Applied> doing) {
        var place = scope.meet(name);
        var history = scope.recall(name, place);
        if (Scope.known(history) != null) {
            return;
        }
        scope.comesTo(place);
        var entries = scope.taken();
        entries.add(new Entry.StepDone(place, NOTHING));
        var applied = doing.apply(entries);
        if (applied.done()) {
            return;
        }
        entries.removeLast();
        entries.forEach(scope::ride);
        switch (applied) {
            case Applied.CalledOff ignored -> throw scope.calledOff();
            case Applied.Conflict conflict -> throw new IllegalStateException(place + ": " + conflict.why());
            // A store says nothing else to rows that it does not take.
            default -> throw new IllegalStateException(place + ": " + ((Applied.Refused) applied).why());
        }
    }
}
