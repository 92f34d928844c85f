package dev.pawl.store.jdbc;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.store.Answering;
import dev.pawl.store.Answering.Attempted;
import dev.pawl.store.Applied;
import dev.pawl.store.Cancelling;
import dev.pawl.store.Change;
import dev.pawl.store.Deciding;
import dev.pawl.store.Delivering;
import dev.pawl.store.Duplicates;
import dev.pawl.store.Reopening;
import dev.pawl.store.StoredJob;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/** What needs no fence: answers to attempts, messages, and people's words. Not thread-safe. */
final class JdbcPeople {
    /** What happened twice in the job of this number, and was recorded after a person last discarded it. */
    static final String DUPLICATED = "select 1 from pawl.journal twice where twice.job = %s and twice.kind = "
            + EntryText.Kind.DUPLICATED.code() + " and not exists (select 1 from pawl.journal dealt"
            + " where dealt.job = twice.job and dealt.kind = " + EntryText.Kind.DISCARDED.code()
            + " and dealt.seq > twice.seq)";

    private final Sql sql;
    private final JdbcJobs jobs;
    private final JdbcAttempts attempts;

    JdbcPeople(Sql sql, JdbcJobs jobs, JdbcAttempts attempts) {
        this.sql = sql;
        this.jobs = jobs;
        this.attempts = attempts;
    }

    // ---- answers

    Applied answer(Change.AnswerAttempt change, Instant now) throws SQLException {
        var attempt = change.attempt();
        var known = attempts.of(change.job(), attempt.resubmission(), attempt.place());
        var before = known.get(attempt.number());
        if (before == null) {
            return new Applied.Refused(
                    "job " + change.job() + " has no attempt " + attempt.number() + " at " + attempt.place());
        }
        var job = jobs.job(change.job());
        if (jobs.has(change.job(), change.id())) {
            return jobs.has(change.job(), change.id() + 1) ? new Applied.Duplicated(job) : new Applied.Already(job);
        }
        var used = change.used();
        if (used != null && !jobs.has(change.job(), change.usedId())) {
            jobs.appendTo(attempt.resubmission(), change.job(), change.usedId(), now, List.of(used));
        }
        var judged = Answering.judge(known, attempt.number(), change.answer(), change.source());
        if (judged.status() == before.status()) {
            return new Applied.Already(job);
        }
        attempts.setStatus(change.job(), attempt, judged.status());
        var entries = new ArrayList<Entry>();
        entries.add(new Entry.Answered(attempt.place(), attempt.number(), change.answer(), change.source()));
        if (judged.duplicated()) {
            var happened = (Answer.Happened) change.answer();
            entries.add(new Entry.Duplicated(attempt.place(), attempt.number(), happened.result()));
        }
        jobs.appendTo(attempt.resubmission(), change.job(), change.id(), now, entries);
        if (judged.settled()) {
            wake(job, attempt, now);
        }
        var after = jobs.job(change.job());
        return judged.duplicated() ? new Applied.Duplicated(after) : new Applied.Now(after);
    }

    private void wake(StoredJob job, Change.AttemptRef attempt, Instant now) throws SQLException {
        if (attempt.resubmission() != job.standing().resubmission()) {
            return;
        }
        if (Answering.wakes(job, attempt.place())) {
            goOn(job, Transition.ANSWER, now);
        } else if (Answering.closesQuestion(job, attempt.place())) {
            sql.run("update pawl.job set question = null where seq = ?", job.id());
        }
    }

    /** The job can go on, or end at last if it was called off. */
    private void goOn(StoredJob job, Transition transition, Instant now) throws SQLException {
        var ends = job.standing().cancelling() && attempts.anyOpen(job.id()) == null;
        jobs.move(
                job,
                ends ? Transition.CANCEL : transition,
                StoredJob.Outcome.NONE,
                job.standing().suspicion(),
                now,
                ends ? null : now);
    }

    // ---- messages

    Applied deliver(Change.Deliver change, Instant now) throws SQLException {
        var job = jobs.jobOrNull(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        var message = change.message();
        if (jobs.has(job.id(), message.change())) {
            return Applied.already();
        }
        var objection = Delivering.objection(job, message);
        if (objection != null) {
            return objection;
        }
        jobs.append(job.id(), message.change(), now, List.of(new Entry.Delivered(message)));
        jobs.wake(job, message.kind(), now);
        return Applied.now();
    }

    // ---- people's words

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
            goOn(job, Transition.DECIDE, now);
        }
        return Applied.now();
    }

    private static List<Integer> open(SortedMap<Integer, Attempted> attempts) {
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
        var offs = new ArrayList<>(List.of(job));
        var seen = new HashSet<>(List.of(job.id()));
        for (var i = 0; i < offs.size(); i++) {
            var off = jobs.job(offs.get(i).id());
            if (!off.standing().cancelling()) {
                callOff(off, change.id(), change.audit(), now);
            }
            for (var child : jobs.boundChildren(off.id())) {
                if (seen.add(child.id())) {
                    offs.add(child);
                }
            }
        }
        return new Applied.Now(jobs.job(job.id()));
    }

    private void callOff(StoredJob job, long id, Audit audit, Instant now) throws SQLException {
        var judged = Cancelling.judge(job, id, audit, attempts.anyOpen(job.id()));
        jobs.append(job.id(), id, now, judged.entries());
        sql.run(
                "update pawl.job set cancelling = 1, news = case when state = 1 then 1 else news end where seq = ?",
                job.id());
        if (judged.transition() != null) {
            jobs.move(
                    jobs.job(job.id()),
                    judged.transition(),
                    judged.outcome(),
                    job.standing().suspicion(),
                    now,
                    null);
        }
    }

    /** Whether an effect of the job happened twice and nobody has dealt with it. */
    private boolean duplicated(long id) throws SQLException {
        return sql.one("select 1 where exists (" + DUPLICATED.formatted("?") + ")", row -> true, id) != null;
    }

    Applied reopen(long id, long change, Transition transition, Audit audit, Instant now) throws SQLException {
        var job = jobs.jobOrNull(id);
        if (job == null) {
            return new Applied.Refused("there is no job " + id);
        }
        if (jobs.has(id, change)) {
            return Applied.already();
        }
        if (Duplicates.dealtWithBy(transition, job, duplicated(id))) {
            jobs.append(id, change, now, List.of(Reopening.entry(job, transition, audit)));
            return new Applied.Now(job);
        }
        var objection = Reopening.objection(job, transition);
        if (objection != null) {
            return objection;
        }
        var outcome = transition == Transition.DISCARD ? job.outcome() : StoredJob.Outcome.NONE;
        jobs.move(
                job,
                transition,
                outcome,
                StoredJob.Suspicion.NONE,
                now,
                transition.to() == JobState.READY ? now : null);
        var entry = Reopening.entry(job, transition, audit);
        jobs.append(id, change, now, List.of(entry));
        if (transition == Transition.RETRY) {
            attempts.unwaive(job, entry.place());
        }
        return new Applied.Now(jobs.job(id));
    }
}
