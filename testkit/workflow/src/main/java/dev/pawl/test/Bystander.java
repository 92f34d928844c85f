package dev.pawl.test;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Message;
import dev.pawl.key.EffectKey;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Everybody else: sends the signals, answers questions truly, gives approvals, and lets time pass when nothing else can happen. */
final class Bystander {
    private static final Audit TRUTH = new Audit("crash-everywhere", "knows what happened");

    private final Store store;
    private final Leaps clock;
    private final Witness witness;
    private final List<Message> signals;
    private final Random random;
    private boolean signalled;

    Bystander(Store store, Leaps clock, Witness witness, List<Message> signals, Random random) {
        this.store = store;
        this.clock = clock;
        this.witness = witness;
        this.signals = signals;
        this.random = random;
    }

    /** Does what can be done for a job that has not ended. */
    void help(StoredJob job, @Nullable LocalEngine worker) {
        if (!signalled) {
            signalled = true;
            signals.forEach(signal -> apply(new Change.Deliver(job.id(), signal)));
        }
        if (worker != null) {
            worker.look();
        }
        // One look at all jobs: between two looks one of them could begin to ask, and its time would pass unanswered.
        var jobs = store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 1_000);
        jobs.forEach(this::answer);
        var due = nextDue(jobs);
        if (due != null) {
            clock.advance(Duration.between(clock.now(), due));
        }
    }

    private void answer(StoredJob job) {
        var question = job.outcome().question();
        if (job.state() == JobState.PAUSED && question != null) {
            apply(new Change.Decide(job.id(), Changes.unfenced(random), question.id(), answer(job, question)));
        }
    }

    private Decision answer(StoredJob job, Question question) {
        if (question.kind() == QuestionKind.APPROVE) {
            return Decision.approve().by(TRUTH);
        }
        var key = EffectKey.of(job.identity(), question.place(), job.standing().resubmission());
        var acted = witness.acted().get(key);
        return acted == null
                ? Decision.retry().evenNow().by(TRUTH)
                : new Decision(Verdict.DONE, acted.result(), false, TRUTH);
    }

    private void apply(Change change) {
        store.exchange(List.of(change), Wanted.NOTHING);
    }

    /** When the next job comes due; null while one can go on at this time, or asks. */
    private @Nullable Instant nextDue(List<StoredJob> jobs) {
        Instant next = null;
        for (var job : jobs) {
            var due = job.standing().times().due();
            if (job.state() == JobState.RUNNING || job.state() == JobState.PAUSED) {
                return null;
            }
            if (due != null && !due.isAfter(clock.now())) {
                return null;
            }
            if (due != null && (next == null || due.isBefore(next))) {
                next = due;
            }
        }
        return next;
    }
}
