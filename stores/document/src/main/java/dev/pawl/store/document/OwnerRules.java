package dev.pawl.store.document;

import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Suspicion;
import dev.pawl.store.Applied;
import dev.pawl.store.Calling;
import dev.pawl.store.Change;
import dev.pawl.store.Debts;
import dev.pawl.store.Gating;
import dev.pawl.store.Leaving;
import dev.pawl.store.Owning;
import dev.pawl.store.Versions;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the owner of a job does to it. Not thread-safe. */
final class OwnerRules {
    private final WriteSet set;
    private final Instant now;
    private final JobMoves moves;

    OwnerRules(WriteSet set) {
        this.set = set;
        this.now = set.now();
        this.moves = new JobMoves(set);
    }

    private Applied call(Change.CallIfOwned change, JobDocument parent) {
        var call = change.call();
        var there = set.job(call.child());
        if (there != null) {
            if (moves.waitsFor(there, parent)) {
                return new Applied.Refused(Calling.circle(parent.identity, call.child()));
            }
            if (DocumentRules.submitAgain(there, call.given()) instanceof Applied.Conflict conflict) {
                return conflict;
            }
        }
        var child = there == null ? set.insert(call.child(), Calling.inherited(call.given(), parent.given)) : there;
        var entry = new JobDocument.WaitingCaller(
                parent.id, parent.resubmission, change.called().place().toString(), call.detached());
        if (!child.callers.contains(entry)) {
            child.callers.add(entry);
        }
        moves.append(parent, change.id(), change.entries());
        parent.owes += Debts.more(change.entries());
        parent.runsAs(Versions.of(change.entries()));
        if (child.state.finished()) {
            moves.tellCaller(child, entry);
        }
        return new Applied.Now(child.view());
    }

    Applied owned(Change.Owned change) {
        var known = set.job(change.job());
        var objection = Owning.objection(change, new OwnedJob(known, change), now);
        if (objection instanceof Applied.Already && change instanceof Change.CallIfOwned calling) {
            return new Applied.Already(child(calling));
        }
        if (objection != null) {
            return objection;
        }
        var job = Objects.requireNonNull(known);
        if (change instanceof Change.CallIfOwned calling) {
            return call(calling, job);
        }
        if (change instanceof Change.PassGateIfOwned pass) {
            return pass(pass);
        }
        if (change instanceof Change.OfLedger ofLedger) {
            var refused = new LedgerRules(set).objection(ofLedger);
            if (refused != null) {
                return refused;
            }
        }
        moves.append(job, change.id(), change.entries());
        job.owes += Debts.more(change.entries());
        job.runsAs(Versions.of(change.entries()));
        switch (change) {
            case Change.SendRowsIfOwned send -> new LedgerRules(set).send(send);
            case Change.SealPartIfOwned seal -> new LedgerRules(set).seal(seal);
            default -> {}
        }
        if (change instanceof Change.KeepArtifactIfOwned keep) {
            job.keep(keep.artifact().place(), keep.bytes());
        }
        var left = Leaving.of(change);
        return left == null ? Applied.now() : leave(job, change, left);
    }

    /** What is known of the job that {@code change} is about; {@code job} is null when there is none. */
    private record OwnedJob(@Nullable JobDocument job, Change.Owned change)
            implements Owning.JobFacts<RuntimeException> {
        @Override
        public boolean there() {
            return job != null;
        }

        private JobDocument known() {
            return Objects.requireNonNull(job);
        }

        @Override
        public boolean done() {
            return known().lastChange == change.id() || (!change.entries().isEmpty() && known().hasChange(change.id()));
        }

        @Override
        public boolean held() {
            return known().heldUnder(change.hold().fence());
        }

        @Override
        public boolean cancelling() {
            return known().cancelling;
        }

        @Override
        public int owes() {
            return known().owes;
        }

        @Override
        public boolean inDoubt() {
            return known().inDoubt();
        }

        @Override
        public boolean happened(Place place) {
            return known().happened(place);
        }

        @Override
        public boolean inDoubt(Place place, Instant when) {
            return known().inDoubt(place, when);
        }
    }

    private StoredJob child(Change.CallIfOwned calling) {
        return Objects.requireNonNull(set.job(calling.call().child())).view();
    }

    private Applied leave(JobDocument job, Change.Owned change, Leaving left) {
        var question = left.outcome().question();
        var gate = change instanceof Change.WaitAtGateIfOwned wait ? wished(wait) : null;
        var leaving = left.goesOn()
                ? left.knowing(new Leaving.Meanwhile(
                        job.news,
                        job.cancelling,
                        job.inDoubt(),
                        question != null
                                && left.asksAbout(question.place())
                                && job.openAt(question.place()).isEmpty(),
                        job.owes))
                : left;
        if (change instanceof Change.WaitAtGateIfOwned && leaving.waits()) {
            leaving = Gating.leaving(leaving, gate, now);
        }
        if (leaving.clearsSuspicion()) {
            job.suspicion = Suspicion.NONE;
        }
        job.lastChange = change.id();
        var after = leaving.after();
        moves.move(job, leaving.transition(), leaving.outcome(), after == null ? null : now.plus(after));
        if (gate != null && job.state == JobState.WAITING) {
            job.gate = gate.name();
            job.gateClosings = gate.closings();
        }
        return left.waits() ? new Applied.Now(job.view()) : Applied.now();
    }

    private @Nullable Gate wished(Change.WaitAtGateIfOwned change) {
        var gate = Gating.wished(set.gate(change.wish().name()), change.wish(), now);
        if (gate != null) {
            set.put(gate);
        }
        return gate;
    }

    private Applied pass(Change.PassGateIfOwned change) {
        var rate = change.rate();
        var before = Objects.requireNonNullElseGet(set.passed(rate.gate()), () -> new Gating.Passed(Instant.EPOCH, 0));
        var after = before.more(rate, now);
        if (after == null) {
            return new Applied.NotYet(before.left(rate, now));
        }
        set.put(rate.gate(), after);
        return Applied.now();
    }
}
