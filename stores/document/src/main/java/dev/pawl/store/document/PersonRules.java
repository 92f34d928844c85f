package dev.pawl.store.document;

import dev.pawl.cost.KeptPrices;
import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.look.StoredJob.Outcome;
import dev.pawl.look.StoredJob.Suspicion;
import dev.pawl.store.Answering;
import dev.pawl.store.Applied;
import dev.pawl.store.Cancelling;
import dev.pawl.store.Change;
import dev.pawl.store.Deciding;
import dev.pawl.store.Delivering;
import dev.pawl.store.Duplicates;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Gating;
import dev.pawl.store.Reopening;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What people and programs say about a job, and about gates and prices. Not thread-safe. */
final class PersonRules {
    private final WriteSet set;
    private final Instant now;
    private final JobMoves moves;

    PersonRules(WriteSet set) {
        this.set = set;
        this.now = set.now();
        this.moves = new JobMoves(set);
    }

    Applied answer(Change.AnswerAttempt change) {
        var job = set.job(change.job());
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
            moves.append(job, attempt.resubmission(), change.usedId(), used);
        }
        var judged = job.answer(attempt, change.answer(), change.source(), now);
        if (!judged.news() && !judged.duplicated()) {
            return new Applied.Already(job.view());
        }
        if (judged.news()) {
            moves.append(
                    job,
                    attempt.resubmission(),
                    change.id(),
                    new Entry.Answered(attempt.place(), attempt.number(), change.answer(), change.source()));
        }
        if (judged.duplicated()) {
            moves.append(
                    job,
                    attempt.resubmission(),
                    change.id() + 1,
                    Entry.Duplicated.by(change.answer(), attempt.place(), attempt.number()));
        }
        if (judged.settled() && attempt.resubmission() == job.resubmission) {
            if (Answering.wakes(job.view(), attempt.place())) {
                goOn(job, Transition.ANSWER);
            } else if (Answering.closesQuestion(job.view(), attempt.place())) {
                job.outcome = Outcome.NONE;
            }
        }
        if (judged.asksAnew(job.view(), attempt.place(), change.answer())) {
            goOn(job, Transition.ANSWER);
        }
        return judged.duplicated() ? new Applied.Duplicated(job.view()) : new Applied.Now(job.view());
    }

    /** The job can go on, or end at last if it was called off. */
    private void goOn(JobDocument job, Transition transition) {
        var way = job.inDoubt() ? transition : Cancelling.onceSettled(job.view(), transition);
        moves.move(job, way, Outcome.NONE, way.to().finished() ? null : now);
    }

    Applied decide(Change.Decide change) {
        var job = set.job(change.job());
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
        moves.append(job, change.id(), new Entry.Decided(question, change.decision()));
        var id = change.id();
        for (var answer : Deciding.answers(question.kind(), job.openAt(question.place()), change)
                .entrySet()) {
            job.answer(
                    new Change.AttemptRef(job.resubmission, question.place(), answer.getKey()),
                    answer.getValue(),
                    Answer.Source.PERSON,
                    now);
            moves.append(
                    job,
                    ++id,
                    new Entry.Answered(question.place(), answer.getKey(), answer.getValue(), Answer.Source.PERSON));
        }
        if (Deciding.hearsLater(job.view())) {
            job.outcome = Outcome.NONE;
            job.news = true;
        } else {
            goOn(job, Transition.DECIDE);
        }
        return Applied.now();
    }

    Applied deliver(Change.Deliver change) {
        var job = set.job(change.job());
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
        moves.append(job, change.message().change(), new Entry.Delivered(change.message()));
        moves.wake(job, change.message().kind());
        return Applied.now();
    }

    Applied cancel(Change.CancelJob change) {
        var job = set.job(change.job());
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
        if (!job.cancelling) {
            callOff(job, change.id(), change.audit());
        }
        callOffBelow(new FollowUp.CallOff(job.id, job.resubmission, change.id(), change.audit(), 0));
        return new Applied.Now(job.view());
    }

    /** Calls off what was called by a job that was called off, and what that has called, as many as may be changed yet; the others are left. */
    private void callOffBelow(FollowUp.CallOff first) {
        var queue = new ArrayDeque<>(List.of(first));
        var seen = new HashSet<>(Set.of(first.job()));
        while (!queue.isEmpty()) {
            var below = queue.remove();
            var children = set.documents()
                    .calledBy(below.job(), below.resubmission(), below.behind(), Math.max(set.othersLeft(), 0) + 1);
            var done = below;
            for (var id : children) {
                if (set.othersLeft() <= 0) {
                    set.leave(done);
                    break;
                }
                set.changesAnother();
                done = below.behind(id);
                var child = set.there(id);
                if (moves.isBound(child, below) && seen.add(id) && !child.hasChange(below.change())) {
                    if (!child.cancelling) {
                        callOff(child, below.change(), below.audit());
                    }
                    queue.add(new FollowUp.CallOff(id, child.resubmission, below.change(), below.audit(), 0));
                }
            }
        }
    }

    /** Goes on with what was left to do. */
    Applied goOn(Change.GoOn change) {
        var left = set.followUp(change.followUp());
        if (left == null) {
            return Applied.already();
        }
        set.done(left);
        switch (left.rest()) {
            case FollowUp.CallOff below -> callOffBelow(below);
            case FollowUp.TellCallers told -> moves.tellCallers(set.there(told.job()), told);
            case FollowUp.LetGo rest -> letGo(rest);
        }
        return Applied.now();
    }

    /** Lets jobs go that wait at a gate which was opened, as many as may be changed yet; the others are left. */
    private void letGo(FollowUp.LetGo rest) {
        var waiting = set.documents().waitingAt(rest.gate(), rest.closings(), set.othersLeft() + 1);
        for (var id : waiting) {
            if (set.othersLeft() <= 0) {
                set.leave(rest);
                return;
            }
            set.changesAnother();
            var job = set.there(id);
            if (job.state == JobState.WAITING && rest.gate().equals(job.gate) && job.gateClosings <= rest.closings()) {
                moves.move(job, Transition.GATE_OPENS, Outcome.NONE, now);
            }
        }
    }

    private void callOff(JobDocument job, long id, Audit audit) {
        var judged = Cancelling.judge(job.view(), id, audit, job.placeInDoubt());
        moves.append(job, id, judged.entries());
        job.cancelling = true;
        job.news |= job.state == JobState.RUNNING;
        if (judged.transition() != null) {
            moves.move(
                    job,
                    judged.transition(),
                    judged.outcome(),
                    judged.transition().to() == JobState.READY ? now : null);
        }
    }

    Applied reopen(long id, long change, Transition transition, Audit audit) {
        var job = set.job(id);
        if (job == null) {
            return new Applied.Refused("there is no job " + id);
        }
        if (job.hasChange(change)) {
            return Applied.already();
        }
        if (Duplicates.dealtWithBy(transition, job.view(), job.duplicated())) {
            moves.append(job, change, Reopening.entry(job.view(), transition, audit));
            return new Applied.Now(job.view());
        }
        var objection =
                Reopening.objection(job.view(), transition, set.documents().isLeftOf(id));
        if (objection != null) {
            return objection;
        }
        var entry = Reopening.entry(job.view(), transition, audit);
        if (transition == Transition.RESUBMIT) {
            job.resubmission++;
            job.runsAs("");
        }
        moves.append(job, change, entry);
        if (transition == Transition.RETRY) {
            job.unwaive(entry.place());
        }
        var way = Reopening.way(job.view(), transition);
        var before = job.view();
        job.suspicion = Suspicion.NONE;
        job.cancelling = Reopening.callsOff(before, way);
        job.owes = Reopening.owesAfter(before, way);
        moves.move(
                job,
                way,
                way == Transition.DISCARD ? job.outcome : Outcome.NONE,
                way.to() == JobState.READY ? now : null);
        return new Applied.Now(job.view());
    }

    Applied openGate(Change.OpenGate change) {
        var there = set.gate(change.gate());
        var objection = Gating.objection(there, change);
        if (objection != null) {
            return objection;
        }
        var gate = Objects.requireNonNull(there);
        set.put(Gating.opened(gate, change, now));
        letGo(new FollowUp.LetGo(gate.name(), gate.closings()));
        return Applied.now();
    }

    Applied keepPrices(Change.KeepPrices change) {
        var before = set.documents().prices();
        set.put(new KeptPrices(
                before == null ? 1 : before.number() + 1,
                now,
                new Audit(change.audit().by(), change.audit().why()),
                change.prices()));
        return Applied.now();
    }
}
