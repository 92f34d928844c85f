package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Settling;
import dev.pawl.job.JobState;
import dev.pawl.journal.History;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.Deciding;
import dev.pawl.text.LocalTimeText;
import dev.pawl.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a person answers to what jobs ask: to all of them, or to none when it is no answer to one of them. */
public record PersonsAnswer(Decision decision) {

    /**
     * Makes sure that it is an answer to what each of {@code jobs} asks, as it was seen.
     *
     * @throws IllegalArgumentException saying to which it is none, and why
     */
    public void requireFitting(Pawl pawl, List<StoredJob> jobs) {
        for (var job : jobs) {
            var question = job.outcome().question();
            if (question != null) {
                var change = new Change.Decide(job.id(), 0, question.id(), decision);
                JobLookup.requireNone(Deciding.objection(job, change), jobs.size());
            } else if (!decision.evenNow() || !waitsForAnAttempt(pawl, job)) {
                // What asks nothing says why it does not.
                pawl.decide(job, decision);
            }
        }
    }

    /** What the job asks, and what this answer does. */
    public static String willHappen(StoredJob job, Verdict verdict) {
        var question = job.outcome().question();
        if (question == null) {
            return job.identity() + " is " + job.state() + " and asks nothing";
        }
        return job.identity() + " asks about " + question.place() + ": "
                + Words.cut(LocalTimeText.within(question.because())) + "\n  "
                + verdict.word() + ": " + JobText.answers(job, question).getOrDefault(verdict, "is no answer to that");
    }

    /** Answers one job. Returns what becomes of it, and what to type where nobody goes on with it. */
    public String to(Pawl pawl, StoredJob job, GoingOn goingOn) throws IOException {
        if (decision.evenNow() && waitsForAnAttempt(pawl, job)) {
            pawl.hurry(job, true, decision.audit());
        } else {
            pawl.decide(job, decision);
        }
        var now = pawl.find(job.identity()).orElseThrow();
        return next(pawl, now, job) + (now.state().finished() ? "" : goingOn.whereNobodyDoes(now));
    }

    /** What becomes of the job now that it was answered. */
    private String next(Pawl pawl, StoredJob now, StoredJob asked) {
        if (now.state().finished()) {
            return "it has ended";
        }
        var question = asked.outcome().question();
        var waits = decision.verdict() == Verdict.RETRY
                && !decision.evenNow()
                && question != null
                && question.kind().closedByAnswer();
        var until = waits ? landsUntil(pawl, asked, Objects.requireNonNull(question)) : null;
        var workflow = WorkflowNames.called(asked.identity().workflow());
        var ends = now.standing().owes() > 0 ? "it ends first what it began elsewhere" : "it ends";
        return (now.standing().cancelling() ? ends : "whoever works " + workflow + " goes on with it")
                + (until == null
                        ? ""
                        : " once no earlier attempt can still land, at " + Words.local(until)
                                + "; said again with --even-now, at once");
    }

    /** Whether a person has said "retry" to a job, and it waits until no earlier attempt can land. */
    private static boolean waitsForAnAttempt(Pawl pawl, StoredJob job) {
        return (job.state() == JobState.WAITING || job.state() == JobState.READY)
                && History.of(pawl.journal(job), job.standing().resubmission()).inDoubt().stream()
                        .anyMatch(effect -> effect.retry() != null);
    }

    /** Until when an attempt may still land that the question is about; null when none can. */
    private static @Nullable Instant landsUntil(Pawl pawl, StoredJob asked, Question question) {
        var history =
                History.of(pawl.journal(asked), asked.standing().resubmission()).at(question.place());
        if (history == null || history.open().isEmpty()) {
            return null;
        }
        var until = Settling.settledFrom(history.open());
        return until.isAfter(Time.system().now()) ? until : null;
    }
}
