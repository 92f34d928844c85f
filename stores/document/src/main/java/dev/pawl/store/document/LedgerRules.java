package dev.pawl.store.document;

import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerRow;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowHistory.RowSaid;
import dev.pawl.ledger.RowHistory.RowTry;
import dev.pawl.ledger.RowHistory.TryEnd;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowRules;
import dev.pawl.ledger.RowWord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Parts;
import dev.pawl.store.document.RowDocument.RowAttempt;
import dev.pawl.store.document.RowDocument.RowName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a change does to rows that are not jobs. Not thread-safe. */
final class LedgerRules {
    private final WriteSet set;
    private final Instant now;

    LedgerRules(WriteSet set) {
        this.set = set;
        this.now = set.now();
    }

    Applied rows(Change.OfRows change) {
        return switch (change) {
            case Change.EnrolRows c -> enrol(c);
            case Change.ReconcileRows c -> reconcile(c);
            case Change.SayOfRows c -> say(c);
            case Change.NotePart c -> note(c);
            case Change.PruneRows c -> prune(c);
        };
    }

    private static @Nullable LedgerRow row(@Nullable RowDocument rowDocument) {
        return rowDocument == null ? null : rowDocument.row();
    }

    private Applied enrol(Change.EnrolRows change) {
        var outcomes = new ArrayList<RowOutcome>();
        for (var row : change.rows()) {
            var name = new RowName(change.collection(), row.key());
            var there = set.row(name);
            var ruling = RowRules.enrol(row(there), row, change.renewing(), now);
            outcomes.add(ruling.outcome());
            var after = ruling.row();
            if (after != null) {
                var kept = there == null
                        ? new RowDocument(set.documents().nextNumber(), after, Map.of(), List.of(), List.of())
                        : there.with(after);
                set.put(name, kept.withPayload(after.generation(), row.payload()));
            }
        }
        var there = set.collection(change.collection());
        var brought =
                outcomes.stream().anyMatch(outcome -> outcome == RowOutcome.ENROLLED || outcome == RowOutcome.RENEWED);
        set.put(new LedgerCollection(change.collection(), (there == null ? 0 : there.number()) + (brought ? 1 : 0)));
        return new Applied.OfRows(outcomes);
    }

    /** Why nothing can be sent under a part, or it cannot be sealed; null when it can. */
    @Nullable
    Applied objection(Change.OfLedger change) {
        if (set.collection(change.collection()) == null) {
            return new Applied.Refused("there is no collection " + change.collection());
        }
        return switch (change) {
            case Change.SendRowsIfOwned send ->
                Parts.objection(
                        set.part(new RowName(change.collection(), send.sending().part())), send);
            case Change.SealPartIfOwned seal ->
                Parts.objection(
                        set.part(new RowName(change.collection(), seal.sealing().part())), seal);
            default -> null;
        };
    }

    void send(Change.SendRowsIfOwned change) {
        var sending = change.sending();
        var name = new RowName(sending.collection(), sending.part());
        if (set.part(name) == null) {
            set.put(name, new LedgerPart(sending.part(), change.job(), now, null, null));
        }
        for (var ref : sending.rows()) {
            var rowName = new RowName(sending.collection(), ref.key());
            var there = set.row(rowName);
            var ruling = RowRules.send(row(there), ref.generation(), sending.part(), sending.mostAttempts());
            var after = ruling.row();
            if (there != null && after != null) {
                set.put(
                        rowName,
                        there.with(after)
                                .with(new RowAttempt(
                                        new RowTry(
                                                after.generation(),
                                                after.tries().made(),
                                                sending.part(),
                                                now,
                                                TryEnd.OPEN),
                                        null)));
            }
        }
    }

    void seal(Change.SealPartIfOwned change) {
        var sealing = change.sealing();
        var name = new RowName(sealing.collection(), sealing.part());
        var there = Objects.requireNonNull(set.part(name));
        set.put(name, new LedgerPart(there.name(), there.job(), there.opened(), sealing.seal(), there.provider()));
    }

    private Applied reconcile(Change.ReconcileRows change) {
        var outcomes = new ArrayList<RowOutcome>();
        for (var answer : change.answers()) {
            var name = new RowName(change.collection(), answer.key());
            var there = set.row(name);
            var ruling = RowRules.answer(
                    row(there),
                    there == null ? null : there.state(answer.generation(), answer.attempt()),
                    answer,
                    change.mostAttempts(),
                    now);
            outcomes.add(ruling.outcome());
            if (there != null && ruling.attempt() != null) {
                var after = ruling.row();
                set.put(
                        name,
                        (after == null ? there : there.with(after))
                                .ended(
                                        answer.generation(),
                                        answer.attempt(),
                                        TryEnd.of(ruling.attempt(), answer, now),
                                        answer.ending() instanceof RowAnswer.RowEnding.RowSucceeded succeeded
                                                ? succeeded.result()
                                                : null));
            }
        }
        return new Applied.OfRows(outcomes);
    }

    private Applied say(Change.SayOfRows change) {
        var outcomes = new ArrayList<RowOutcome>();
        for (var ref : change.rows()) {
            outcomes.add(say(change, ref));
        }
        return new Applied.OfRows(outcomes);
    }

    private RowOutcome say(Change.SayOfRows change, RowRef ref) {
        var name = new RowName(change.collection(), ref.key());
        var there = set.row(name);
        var ruling = RowRules.say(row(there), there != null && !there.payloads().isEmpty(), ref, change.word(), now);
        var after = ruling.row();
        if (there != null && after != null) {
            var said = there.with(after)
                    .with(new RowSaid(
                            after.generation(),
                            now,
                            change.word().word(),
                            change.audit().by(),
                            change.audit().why()));
            set.put(
                    name,
                    change.word() instanceof RowWord.Accept accept
                            ? said.with(new RowAttempt(
                                    new RowTry(
                                            after.generation(),
                                            after.tries().made(),
                                            "",
                                            now,
                                            new TryEnd(AttemptState.SUCCEEDED, "", "", null, now)),
                                    accept.result()))
                            : said);
        }
        return ruling.outcome();
    }

    private Applied note(Change.NotePart change) {
        var name = new RowName(change.collection(), change.part());
        var there = set.part(name);
        if (there == null) {
            return new Applied.Refused("there is no part " + change.part() + " of " + change.collection());
        }
        set.put(name, new LedgerPart(there.name(), there.job(), there.opened(), there.seal(), change.provider()));
        return Applied.now();
    }

    private Applied prune(Change.PruneRows change) {
        var pruned = 0;
        for (var name : set.documents().settledRows(change.collection(), change.changedBefore(), change.most())) {
            var there = set.row(name);
            if (there != null && !there.isAwaited() && RowRules.mayBePruned(there.row(), change.changedBefore())) {
                set.put(name, there.pruned());
                pruned++;
            }
        }
        return new Applied.Pruned(pruned);
    }
}
