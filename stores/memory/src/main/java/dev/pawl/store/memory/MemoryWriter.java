package dev.pawl.store.memory;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Answering;
import dev.pawl.store.Applied;
import dev.pawl.store.Calling;
import dev.pawl.store.Cancelling;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Deciding;
import dev.pawl.store.Delivering;
import dev.pawl.store.Duplicates;
import dev.pawl.store.Gating;
import dev.pawl.store.KeptPrices;
import dev.pawl.store.Leaving;
import dev.pawl.store.Owning;
import dev.pawl.store.Reopening;
import dev.pawl.store.Rescuing;
import dev.pawl.store.StoredJob;
import dev.pawl.store.StoredJob.Outcome;
import dev.pawl.store.StoredJob.Suspicion;
import dev.pawl.store.Submitting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes changes. Guarded by the store's lock. */
final class MemoryWriter {
    private final MemoryTables tables;
    private final MemoryClaims claims;

    MemoryWriter(MemoryTables tables, MemoryClaims claims) {
        this.tables = tables;
        this.claims = claims;
    }

    Applied apply(Change change, Instant now, List<Claimed> claimed) {
        return switch (change) {
            case Change.SubmitJob c -> submit(c, now, claimed);
            case Change.Owned c -> owned(c, now);
            case Change.AnswerAttempt c -> answer(c, now);
            case Change.Decide c -> decide(c, now);
            case Change.Deliver c -> deliver(c, now);
            case Change.CancelJob c -> cancel(c, now);
            case Change.RetryJob c -> reopen(c.job(), c.id(), Transition.RETRY, c.audit(), now);
            case Change.ResubmitJob c -> reopen(c.job(), c.id(), Transition.RESUBMIT, c.audit(), now);
            case Change.DiscardJob c -> reopen(c.job(), c.id(), Transition.DISCARD, c.audit(), now);
            case Change.LimitQueue c -> limitQueue(c);
            case Change.KeepPrices c -> keepPrices(c, now);
            case Change.OpenGate c -> openGate(c, now);
            case Change.PruneJobs c -> new Applied.Pruned(tables.prune(c.endedBefore(), c.most()));
            case Change.MendTimes c -> tables.mendTimes(c.most(), now);
            case Change.Enlist c -> enlist(c, now);
            case Change.Beat c -> beat(c, now);
            case Change.TakeOver c -> takeOver(c, now);
            case Change.Retire c -> retire(c, now);
        };
    }

    // ---- submitting and calling

    private Applied submit(Change.SubmitJob change, Instant now, List<Claimed> claimed) {
        var there = tables.byIdentity.get(change.identity());
        if (there == null) {
            var job = tables.insert(change.identity(), change.given(), now);
            claims.claimNow(job, change.claim(), now, claimed);
            return new Applied.Now(job.view());
        }
        var claim = change.claim();
        if (claim != null
                && there.state == JobState.RUNNING
                && there.owner == claim.worker()
                && there.claim == claim.id()) {
            claimed.add(new Claimed(there.view(), there.currentJournal()));
        }
        return submitAgain(there, change.given());
    }

    private static Applied submitAgain(MemoryJob there, StoredJob.Given given) {
        return switch (Submitting.judge(there.view(), given.input())) {
            case SAME, SKIPPED_CHANGED -> new Applied.Already(there.view());
            case CONFLICT -> new Applied.Conflict(Submitting.conflict(there.view()), there.view());
            case REPLACE -> {
                there.given = new StoredJob.Given(given.input(), there.given.handling());
                yield new Applied.Now(there.view());
            }
        };
    }

    private Applied call(Change.CallIfOwned change, MemoryJob parent, Instant now) {
        var call = change.call();
        var there = tables.byIdentity.get(call.child());
        if (there != null) {
            if (tables.waitsFor(there, parent)) {
                return new Applied.Refused(Calling.circle(parent.identity, call.child()));
            }
            if (submitAgain(there, call.given()) instanceof Applied.Conflict conflict) {
                return conflict;
            }
        }
        var child =
                there == null ? tables.insert(call.child(), Calling.inherited(call.given(), parent.given), now) : there;
        var entry = new MemoryTables.WaitingCaller(
                parent.id, parent.resubmission, change.called().place().toString(), call.detached());
        var calls = tables.callsOf.computeIfAbsent(child.id, unused -> new ArrayList<>());
        if (!calls.contains(entry)) {
            calls.add(entry);
        }
        tables.append(parent, change.id(), now, change.entries());
        if (child.state.finished()) {
            tables.tellCaller(child, entry, now);
        }
        return new Applied.Now(child.view());
    }

    // ---- what an owner writes

    private Applied owned(Change.Owned change, Instant now) {
        var known = tables.jobs.get(change.job());
        var objection = Owning.objection(change, new OwnedJob(known, change), now);
        if (objection instanceof Applied.Already && change instanceof Change.CallIfOwned calling) {
            return new Applied.Already(child(calling));
        }
        if (objection != null) {
            return objection;
        }
        var job = Objects.requireNonNull(known);
        if (change instanceof Change.CallIfOwned calling) {
            return call(calling, job, now);
        }
        if (change instanceof Change.PassGateIfOwned pass) {
            return pass(pass, now);
        }
        tables.append(job, change.id(), now, change.entries());
        if (change instanceof Change.KeepArtifactIfOwned keep) {
            job.keep(keep.artifact().place(), keep.bytes());
        }
        var left = Leaving.of(change);
        return left == null ? Applied.now() : leave(job, change, left, now);
    }

    /** What is known of the job that {@code change} is about; {@code job} is null when there is none. */
    private record OwnedJob(@Nullable MemoryJob job, Change.Owned change) implements Owning.JobFacts<RuntimeException> {
        @Override
        public boolean there() {
            return job != null;
        }

        private MemoryJob known() {
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
        public boolean inDoubt() {
            return known().inDoubt();
        }

        @Override
        public boolean happened(Place place) {
            return known().happened(place);
        }

        @Override
        public boolean inDoubt(Place place, Instant now) {
            return known().inDoubt(place, now);
        }
    }

    private StoredJob child(Change.CallIfOwned calling) {
        return Objects.requireNonNull(tables.byIdentity.get(calling.call().child()))
                .view();
    }

    private Applied leave(MemoryJob job, Change.Owned change, Leaving left, Instant now) {
        var question = left.outcome().question();
        var gate = change instanceof Change.WaitAtGateIfOwned wait ? wished(wait, now) : null;
        var leaving = left.goesOn()
                ? left.knowing(new Leaving.Meanwhile(
                        job.news,
                        job.cancelling,
                        job.inDoubt(),
                        question != null
                                && left.asksAbout(question.place())
                                && job.openAt(question.place()).isEmpty()))
                : left;
        if (change instanceof Change.WaitAtGateIfOwned && leaving.waits()) {
            leaving = Gating.leaving(leaving, gate, now);
        }
        if (leaving.clearsSuspicion()) {
            job.suspicion = Suspicion.NONE;
        }
        job.lastChange = change.id();
        var after = leaving.after();
        tables.move(job, leaving.transition(), leaving.outcome(), now, after == null ? null : now.plus(after));
        if (gate != null && job.state == JobState.WAITING) {
            job.gate = gate.name();
        }
        return left.waits() ? new Applied.Now(job.view()) : Applied.now();
    }

    // ---- answers, messages, people's words

    private Applied answer(Change.AnswerAttempt change, Instant now) {
        var job = tables.jobs.get(change.job());
        var attempt = change.attempt();
        if (job == null || !job.knows(attempt.resubmission(), attempt.place(), attempt.number())) {
            return new Applied.Refused(
                    "job " + change.job() + " has no attempt " + attempt.number() + " at " + attempt.place());
        }
        if (job.hasChange(change.id() + 1)) {
            return new Applied.Duplicated(job.view());
        }
        if (job.hasChange(change.id())) {
            return new Applied.Already(job.view());
        }
        var used = change.used();
        if (used != null && !job.hasChange(change.usedId())) {
            tables.append(job, attempt.resubmission(), change.usedId(), now, used);
        }
        var judged =
                job.answer(attempt.resubmission(), attempt.place(), attempt.number(), change.answer(), change.source());
        if (!judged.news() && !judged.duplicated()) {
            return new Applied.Already(job.view());
        }
        if (judged.news()) {
            tables.append(
                    job,
                    attempt.resubmission(),
                    change.id(),
                    now,
                    new Entry.Answered(attempt.place(), attempt.number(), change.answer(), change.source()));
        }
        if (judged.duplicated()) {
            tables.append(
                    job,
                    attempt.resubmission(),
                    change.id() + 1,
                    now,
                    Entry.Duplicated.by(change.answer(), attempt.place(), attempt.number()));
        }
        if (judged.settled() && attempt.resubmission() == job.resubmission) {
            if (Answering.wakes(job.view(), attempt.place())) {
                goOn(job, Transition.ANSWER, now);
            } else if (Answering.closesQuestion(job.view(), attempt.place())) {
                job.outcome = Outcome.NONE;
            }
        }
        return judged.duplicated() ? new Applied.Duplicated(job.view()) : new Applied.Now(job.view());
    }

    /** The job can go on, or end at last if it was called off. */
    private void goOn(MemoryJob job, Transition transition, Instant now) {
        if (job.cancelling && !job.inDoubt()) {
            tables.move(job, Transition.CANCEL, Outcome.NONE, now, null);
        } else {
            tables.move(job, transition, Outcome.NONE, now, now);
        }
    }

    private Applied decide(Change.Decide change, Instant now) {
        var job = tables.jobs.get(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (job.hasChange(change.id())) {
            return Applied.already();
        }
        var objection = Deciding.objection(job.view(), change);
        if (objection != null) {
            return objection;
        }
        var question = Objects.requireNonNull(job.outcome.question());
        tables.append(job, change.id(), now, new Entry.Decided(question, change.decision()));
        var id = change.id();
        for (var answer : Deciding.answers(question.kind(), job.openAt(question.place()), change)
                .entrySet()) {
            job.answer(job.resubmission, question.place(), answer.getKey(), answer.getValue(), Answer.Source.PERSON);
            tables.append(
                    job,
                    ++id,
                    now,
                    new Entry.Answered(question.place(), answer.getKey(), answer.getValue(), Answer.Source.PERSON));
        }
        if (Deciding.hearsLater(job.view())) {
            job.outcome = Outcome.NONE;
            job.news = true;
        } else {
            goOn(job, Transition.DECIDE, now);
        }
        return Applied.now();
    }

    private Applied deliver(Change.Deliver change, Instant now) {
        var job = tables.jobs.get(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (job.hasChange(change.message().change())) {
            return Applied.already();
        }
        var objection = Delivering.objection(job.view(), change.message());
        if (objection != null) {
            return objection;
        }
        tables.append(job, change.message().change(), now, new Entry.Delivered(change.message()));
        tables.wake(job, change.message().kind(), now);
        return Applied.now();
    }

    private Applied cancel(Change.CancelJob change, Instant now) {
        var job = tables.jobs.get(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (job.hasChange(change.id())) {
            return Applied.already();
        }
        var objection = Cancelling.objection(job.view());
        if (objection != null) {
            return objection;
        }
        var offs = new ArrayList<>(List.of(job));
        for (var i = 0; i < offs.size(); i++) {
            var off = offs.get(i);
            if (!off.cancelling) {
                callOff(off, change.id(), change.audit(), now);
            }
            tables.boundChildren(off).stream()
                    .filter(child -> !offs.contains(child))
                    .forEach(offs::add);
        }
        return new Applied.Now(job.view());
    }

    private void callOff(MemoryJob job, long id, Audit audit, Instant now) {
        var judged = Cancelling.judge(job.view(), id, audit, job.placeInDoubt());
        tables.append(job, id, now, judged.entries());
        job.cancelling = true;
        job.news |= job.state == JobState.RUNNING;
        if (judged.transition() != null) {
            tables.move(job, judged.transition(), judged.outcome(), now, null);
        }
    }

    private Applied reopen(long id, long change, Transition transition, Audit audit, Instant now) {
        var job = tables.jobs.get(id);
        if (job == null) {
            return new Applied.Refused("there is no job " + id);
        }
        if (job.hasChange(change)) {
            return Applied.already();
        }
        if (Duplicates.dealtWithBy(transition, job.view(), job.duplicated())) {
            tables.append(job, change, now, Reopening.entry(job.view(), transition, audit));
            return new Applied.Now(job.view());
        }
        var objection = Reopening.objection(job.view(), transition);
        if (objection != null) {
            return objection;
        }
        var entry = Reopening.entry(job.view(), transition, audit);
        if (transition == Transition.RESUBMIT) {
            job.resubmission++;
        }
        tables.append(job, change, now, entry);
        if (transition == Transition.RETRY) {
            job.unwaive(entry.place());
        }
        job.suspicion = Suspicion.NONE;
        job.cancelling = false;
        tables.move(
                job,
                transition,
                transition == Transition.DISCARD ? job.outcome : Outcome.NONE,
                now,
                transition.to() == JobState.READY ? now : null);
        return new Applied.Now(job.view());
    }

    // ---- gates

    private @Nullable Gate wished(Change.WaitAtGateIfOwned change, Instant now) {
        var gate = Gating.wished(tables.gates.get(change.wish().name()), change.wish(), now);
        if (gate != null) {
            tables.gates.put(gate.name(), gate);
        }
        return gate;
    }

    private Applied openGate(Change.OpenGate change, Instant now) {
        var there = tables.gates.get(change.gate());
        var objection = Gating.objection(there, change);
        if (objection != null) {
            return objection;
        }
        var gate = Objects.requireNonNull(there);
        tables.gates.put(gate.name(), Gating.opened(gate, change, now));
        for (var job : List.copyOf(tables.jobs.values())) {
            if (job.state == JobState.WAITING && gate.name().equals(job.gate)) {
                tables.move(job, Transition.GATE_OPENS, Outcome.NONE, now, now);
            }
        }
        return Applied.now();
    }

    private Applied pass(Change.PassGateIfOwned change, Instant now) {
        var rate = change.rate();
        var before = tables.passed.getOrDefault(rate.gate(), new Gating.Passed(Instant.EPOCH, 0));
        var after = before.more(rate, now);
        if (after == null) {
            return new Applied.NotYet(before.left(rate, now));
        }
        tables.passed.put(rate.gate(), after);
        return Applied.now();
    }

    private Applied limitQueue(Change.LimitQueue change) {
        claims.limitQueue(change.queue(), change.most());
        return Applied.now();
    }

    private Applied keepPrices(Change.KeepPrices change, Instant now) {
        var before = tables.prices;
        tables.prices = new KeptPrices(
                before == null ? 1 : before.number() + 1,
                now,
                new Audit(change.audit().by(), change.audit().why()),
                change.prices());
        return Applied.now();
    }

    // ---- workers

    private Applied enlist(Change.Enlist change, Instant now) {
        if (tables.isGone(change.worker(), now)) {
            return new Applied.LeaseLost();
        }
        var before = tables.workers.putIfAbsent(
                change.worker(),
                new WorkerRecord(change.worker(), change.name(), 0, now, change.term(), change.taking()));
        return before == null ? Applied.now() : Applied.already();
    }

    private Applied beat(Change.Beat change, Instant now) {
        var worker = tables.workers.get(change.worker());
        if (worker == null) {
            return new Applied.LeaseLost();
        }
        if (worker.beat() >= change.beat()) {
            return Applied.already();
        }
        tables.workers.put(
                worker.id(),
                new WorkerRecord(worker.id(), worker.name(), change.beat(), now, worker.term(), worker.taking()));
        return Applied.now();
    }

    private Applied takeOver(Change.TakeOver change, Instant now) {
        var worker = tables.workers.get(change.worker());
        if (worker == null) {
            return Applied.already();
        }
        if (worker.beat() != change.beat()) {
            return new Applied.Conflict("worker " + change.worker() + " has beaten since", null);
        }
        tables.forget(change.worker(), now);
        var rescued = new ArrayList<StoredJob>();
        for (var job : tables.ownedBy(change.worker())) {
            rescue(job, change.how(), now);
            rescued.add(job.view());
        }
        return new Applied.TookOver(rescued);
    }

    private void rescue(MemoryJob job, Change.TakeOver.WorkerEnd how, Instant now) {
        var judged = Rescuing.judge(job.view(), job.progressUnder(job.fence), job.placeInDoubt(), how);
        tables.append(job, Rescuing.firstId(job.fence), now, judged.entries());
        job.suspicion = judged.suspicion();
        tables.move(job, judged.transition(), judged.outcome(), now, judged.due(job.view()));
    }

    private Applied retire(Change.Retire change, Instant now) {
        if (!tables.ownedBy(change.worker()).isEmpty()) {
            return new Applied.Conflict("the worker still owns jobs", null);
        }
        return tables.forget(change.worker(), now) ? Applied.now() : Applied.already();
    }
}
