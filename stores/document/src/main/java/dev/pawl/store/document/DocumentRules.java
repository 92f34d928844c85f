package dev.pawl.store.document;

import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Submitting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a change does to the documents that it touches: the rules of {@code core}, and what they need to know. Not thread-safe. */
public final class DocumentRules {
    private final WriteSet set;
    private final Instant now;
    private final JobMoves moves;

    private DocumentRules(WriteSet set) {
        this.set = set;
        this.now = set.now();
        this.moves = new JobMoves(set);
    }

    /**
     * Makes a change, as often as somebody else was faster.
     *
     * @param claimed gets the job that a submission has claimed
     */
    public static Applied make(Documents documents, Change change, Instant now, List<Claimed> claimed) {
        while (true) {
            var set = new WriteSet(documents, now);
            var given = new ArrayList<Claimed>();
            var applied = new DocumentRules(set).apply(change, given);
            if (documents.apply(set)) {
                claimed.addAll(given);
                return applied;
            }
        }
    }

    /**
     * Gives a job to a worker, unless somebody else was faster.
     *
     * @return the job as its owner has it; null when it is no longer what it was
     */
    public static @Nullable Claimed claim(Documents documents, long job, long worker, long claim, Instant now) {
        var set = new WriteSet(documents, now);
        var taken = set.there(job);
        // The worker is compared too: one that is declared dead meanwhile gets nothing.
        if (taken.due == null || !isEnlisted(set.worker(worker))) {
            return null;
        }
        taken.take(worker, claim, now);
        return documents.apply(set) ? new Claimed(taken.view(), taken.currentJournal()) : null;
    }

    private static boolean isEnlisted(@Nullable WorkerRecord worker) {
        return worker != null && worker.enlisted();
    }

    private Applied apply(Change change, List<Claimed> claimed) {
        return switch (change) {
            case Change.SubmitJob c -> submit(c, claimed);
            case Change.Owned c -> new OwnerRules(set).owned(c);
            case Change.AnswerAttempt c -> new PersonRules(set).answer(c);
            case Change.Decide c -> new PersonRules(set).decide(c);
            case Change.Deliver c -> new PersonRules(set).deliver(c);
            case Change.GoOn c -> new PersonRules(set).goOn(c);
            case Change.CancelJob c -> new PersonRules(set).cancel(c);
            case Change.RetryJob c -> new PersonRules(set).reopen(c.job(), c.id(), Transition.RETRY, c.audit());
            case Change.ResubmitJob c -> new PersonRules(set).reopen(c.job(), c.id(), Transition.RESUBMIT, c.audit());
            case Change.DiscardJob c -> new PersonRules(set).reopen(c.job(), c.id(), Transition.DISCARD, c.audit());
            case Change.LimitQueue c -> limitQueue(c);
            case Change.KeepPrices c -> new PersonRules(set).keepPrices(c);
            case Change.OpenGate c -> new PersonRules(set).openGate(c);
            case Change.PruneJobs c -> new Applied.Pruned(moves.prune(c.endedBefore(), c.most()));
            case Change.OfRows c -> new LedgerRules(set).rows(c);
            case Change.MendTimes c -> moves.mendTimes(c.most());
            case Change.Enlist c -> new WorkerRules(set).enlist(c);
            case Change.Beat c -> new WorkerRules(set).beat(c);
            case Change.TakeOver c -> new WorkerRules(set).takeOver(c);
            case Change.Retire c -> new WorkerRules(set).retire(c);
        };
    }

    private Applied submit(Change.SubmitJob change, List<Claimed> claimed) {
        var there = set.job(change.identity());
        if (there == null) {
            var job = set.insert(change.identity(), change.given());
            claimNow(job, change.claim(), claimed);
            return new Applied.Now(job.view());
        }
        var claim = change.claim();
        if (claim != null
                && isEnlisted(set.worker(claim.worker()))
                && there.state == JobState.RUNNING
                && there.owner == claim.worker()
                && there.claim == claim.id()) {
            claimed.add(new Claimed(there.view(), there.currentJournal()));
        }
        return submitAgain(there, change.given());
    }

    /** Claims a job that was just submitted, if it may run at once. */
    private void claimNow(JobDocument job, Change.SubmitJob.@Nullable Claim claim, List<Claimed> claimed) {
        if (claim != null
                && isEnlisted(set.worker(claim.worker()))
                && !Objects.requireNonNull(job.due).isAfter(now)
                && set.documents().hasRoom(job.given.handling())) {
            job.take(claim.worker(), claim.id(), now);
            claimed.add(new Claimed(job.view(), List.of()));
        }
    }

    static Applied submitAgain(JobDocument there, StoredJob.Given given) {
        return switch (Submitting.judge(there.view(), given.input())) {
            case SAME, SKIPPED_CHANGED -> new Applied.Already(there.view());
            case CONFLICT -> new Applied.Conflict(Submitting.conflict(there.view()), there.view());
            case REPLACE -> {
                there.given = new StoredJob.Given(given.input(), there.given.handling());
                yield new Applied.Replaced(there.view());
            }
        };
    }

    private Applied limitQueue(Change.LimitQueue change) {
        set.limit(change.queue(), change.most());
        return Applied.now();
    }
}
