package dev.pawl.store.jdbc;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Answering;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Applied;
import dev.pawl.store.Cancelling;
import dev.pawl.store.Change;
import dev.pawl.store.Deciding;
import dev.pawl.store.Duplicates;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Reopening;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;

/** What people say: decisions, calling off, trying again, and that something was dealt with. Not thread-safe. */
final class JdbcDecisions {
    private final Statements sql;
    private final JdbcJobs jobs;
    private final JdbcAttempts attempts;
    private final JdbcDuplicates duplicates;
    private final JdbcGates gates;

    JdbcDecisions(Statements sql, JdbcJobs jobs, JdbcAttempts attempts, JdbcDuplicates duplicates, JdbcGates gates) {
        this.sql = sql;
        this.jobs = jobs;
        this.attempts = attempts;
        this.duplicates = duplicates;
        this.gates = gates;
    }

    Applied decide(Change.Decide change, Instant now) throws SQLException {
        var job = jobs.jobOrNull(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (jobs.has(change.job(), change.id())) {
            return Applied.already();
        }
        var objection = Deciding.objection(job, change);
        if (objection != null) {
            return objection;
        }
        var question = Objects.requireNonNull(job.outcome().question());
        var run = job.standing().resubmission();
        var entries = new ArrayList<Entry>();
        entries.add(new Entry.Decided(question, change.decision()));
        var known = attempts.of(job.id(), run, question.place());
        for (var answer : Deciding.answers(question.kind(), open(known), change).entrySet()) {
            var number = answer.getKey();
            var judged = Answering.judge(known, number, answer.getValue(), Answer.Source.PERSON);
            attempts.setStatus(job.id(), new Change.AttemptRef(run, question.place(), number), judged.status());
            entries.add(new Entry.Answered(question.place(), number, answer.getValue(), Answer.Source.PERSON));
        }
        jobs.append(job.id(), change.id(), now, entries);
        if (Deciding.hearsLater(job)) {
            sql.run("update pawl.job set question = null, news = 1 where seq = ?", job.id());
        } else {
            jobs.goOn(job, Transition.DECIDE, attempts.anyOpen(job.id()) != null, now);
        }
        return Applied.now();
    }

    private static List<Integer> open(SortedMap<Integer, KnownAttempt> attempts) {
        return attempts.entrySet().stream()
                .filter(e -> e.getValue().status() == Answering.Status.OPEN)
                .map(Map.Entry::getKey)
                .toList();
    }

    Applied cancel(Change.CancelJob change, Instant now) throws SQLException {
        var job = jobs.jobOrNull(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (jobs.has(change.job(), change.id())) {
            return Applied.already();
        }
        var objection = Cancelling.objection(job);
        if (objection != null) {
            return objection;
        }
        if (!job.standing().cancelling()) {
            callOff(job, change.id(), change.audit(), now);
        }
        callOffBelow(
                new FollowUp.CallOff(job.id(), job.standing().resubmission(), change.id(), change.audit(), 0), now);
        return new Applied.Now(jobs.job(job.id()));
    }

    /** Calls off what was called by a job that was called off, and what that has called, as many as may be changed yet; the others are left. */
    private void callOffBelow(FollowUp.CallOff first, Instant now) throws SQLException {
        var queue = new ArrayDeque<>(List.of(first));
        var seen = new HashSet<>(Set.of(first.job()));
        while (!queue.isEmpty()) {
            var below = queue.remove();
            var done = below;
            for (var child : jobs.boundChildren(below, Math.max(jobs.followUps().othersLeft(), 0) + 1)) {
                if (jobs.followUps().othersLeft() <= 0) {
                    jobs.followUps().leave(done);
                    break;
                }
                jobs.followUps().changesOthers(1);
                done = below.behind(child.id());
                // Calling off another one may have told it something, and so woken it; it has not ended.
                var there = jobs.job(child.id());
                if (seen.add(child.id()) && !jobs.has(child.id(), below.change())) {
                    if (!there.standing().cancelling()) {
                        callOff(there, below.change(), below.audit(), now);
                    }
                    queue.add(new FollowUp.CallOff(
                            child.id(), child.standing().resubmission(), below.change(), below.audit(), 0));
                }
            }
        }
    }

    /** Goes on with what was left to do. */
    Applied goOn(Change.GoOn change, Instant now) throws SQLException {
        var rest = jobs.followUps().find(change.followUp());
        if (rest == null) {
            return Applied.already();
        }
        if (rest instanceof FollowUp.LetGo waiting) {
            return letGo(change, waiting, now);
        }
        jobs.followUps().done(change.followUp());
        switch (rest) {
            case FollowUp.CallOff below -> callOffBelow(below, now);
            case FollowUp.TellCallers told -> jobs.tellCallers(told, now);
            case FollowUp.LetGo ignored -> {}
        }
        return Applied.now();
    }

    /** What others hold for long stays left, and nothing is written only to say so once more. */
    private Applied letGo(Change.GoOn change, FollowUp.LetGo waiting, Instant now) throws SQLException {
        var gone = gates.letGo(waiting, now);
        if (gates.anyWaits(waiting)) {
            return gone > 0 ? Applied.now() : new Applied.NotYet(FollowUp.HELD);
        }
        jobs.followUps().done(change.followUp());
        return Applied.now();
    }

    private void callOff(StoredJob job, long id, Audit audit, Instant now) throws SQLException {
        var judged = Cancelling.judge(job, id, audit, attempts.anyOpen(job.id()));
        jobs.append(job.id(), id, now, judged.entries());
        sql.run(
                "update pawl.job set cancelling = 1, news = case when state = RUNNING then 1 else news end where seq = ?",
                job.id());
        if (judged.transition() != null) {
            jobs.move(
                    jobs.job(job.id()),
                    judged.transition(),
                    judged.outcome(),
                    job.standing().suspicion(),
                    now,
                    judged.transition().to() == JobState.READY ? now : null);
        }
    }

    Applied reopen(long id, long change, Transition transition, Audit audit, Instant now) throws SQLException {
        var job = jobs.jobOrNull(id);
        if (job == null) {
            return new Applied.Refused("there is no job " + id);
        }
        if (jobs.has(id, change)) {
            return Applied.already();
        }
        if (Duplicates.dealtWithBy(transition, job, duplicates.any(id))) {
            jobs.append(id, change, now, List.of(Reopening.entry(job, transition, audit)));
            return new Applied.Now(job);
        }
        var objection = Reopening.objection(job, transition, jobs.followUps().isLeftOf(id));
        if (objection != null) {
            return objection;
        }
        var way = Reopening.way(job, transition);
        jobs.move(
                job,
                way,
                way == Transition.DISCARD ? job.outcome() : StoredJob.Outcome.NONE,
                StoredJob.Suspicion.NONE,
                now,
                way.to() == JobState.READY ? now : null);
        var entry = Reopening.entry(job, transition, audit);
        jobs.append(id, change, now, List.of(entry));
        if (transition == Transition.RETRY) {
            attempts.unwaive(job, entry.place());
        }
        return new Applied.Now(jobs.job(id));
    }
}
