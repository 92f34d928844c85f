package dev.pawl.store.jdbc;

import dev.pawl.effect.Answer;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Answering;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** What became of attempts, as whoever knows it says: a fact, so it needs no fence. Not thread-safe. */
final class JdbcAnswers {
    private final Statements sql;
    private final JdbcJobs jobs;
    private final JdbcAttempts attempts;

    JdbcAnswers(Statements sql, JdbcJobs jobs, JdbcAttempts attempts) {
        this.sql = sql;
        this.jobs = jobs;
        this.attempts = attempts;
    }

    Applied answer(Change.AnswerAttempt change, Instant now) throws SQLException {
        var attempt = change.attempt();
        var known = attempts.of(change.job(), attempt.resubmission(), attempt.place());
        if (!known.containsKey(attempt.number())) {
            return new Applied.Refused(
                    "job " + change.job() + " has no attempt " + attempt.number() + " at " + attempt.place());
        }
        var job = jobs.job(change.job());
        var answered = jobs.has(change.job(), change.id());
        // What was sent late may have been told to a person without having been recorded as an answer.
        if ((answered || change.answer() instanceof Answer.Late) && jobs.has(change.job(), change.id() + 1)) {
            return new Applied.Duplicated(job);
        }
        if (answered) {
            return new Applied.Already(job);
        }
        var used = change.used();
        if (used != null && !jobs.has(change.job(), change.usedId())) {
            jobs.appendTo(attempt.resubmission(), change.job(), change.usedId(), now, List.of(used));
        }
        var judged = change.answer() instanceof Answer.Late
                ? Answering.judgeLate(
                        known, attempt.number(), Answering.isOutOfSight(job, attempt, jobs.journal(job)), now)
                : Answering.judge(known, attempt.number(), change.answer(), change.source());
        if (!judged.news() && !judged.duplicated()) {
            return new Applied.Already(job);
        }
        if (judged.news()) {
            attempts.setStatus(change.job(), attempt, judged.status());
            var entry = new Entry.Answered(attempt.place(), attempt.number(), change.answer(), change.source());
            jobs.appendTo(attempt.resubmission(), change.job(), change.id(), now, List.of(entry));
        }
        if (judged.duplicated()) {
            var twice = Entry.Duplicated.by(change.answer(), attempt.place(), attempt.number());
            jobs.appendTo(attempt.resubmission(), change.job(), change.id() + 1, now, List.of(twice));
        }
        if (judged.settled()) {
            wake(job, attempt, now);
        } else if (judged.asksAnew(job, attempt.place(), change.answer())) {
            jobs.goOn(job, Transition.ANSWER, true, now);
        }
        var after = jobs.job(change.job());
        return judged.duplicated() ? new Applied.Duplicated(after) : new Applied.Now(after);
    }

    private void wake(StoredJob job, Change.AttemptRef attempt, Instant now) throws SQLException {
        if (attempt.resubmission() != job.standing().resubmission()) {
            return;
        }
        if (Answering.wakes(job, attempt.place())) {
            jobs.goOn(job, Transition.ANSWER, attempts.anyOpen(job.id()) != null, now);
        } else if (Answering.closesQuestion(job, attempt.place())) {
            sql.run("update pawl.job set question = null where seq = ?", job.id());
        }
    }
}
