package dev.pawl.store;

import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import dev.pawl.look.StoredJob.Suspicion;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job whose owner is gone. Pure.
 *
 * <p>A job without progress becomes a suspect. Only a suspect whose worker died again gets a strike, and suspects are claimed singly, so the
 * neighbours of a job that kills workers are not punished for it.
 *
 * @param suspicion what is now held against it
 * @param transition READY, or FAILED after three strikes; a job in doubt is paused instead, because doubt sticks
 * @param outcome what it failed with, or what it asks
 * @param entries what is appended to its journal, from {@link #firstId} on
 */
public record Rescuing(Suspicion suspicion, Transition transition, Outcome outcome, List<Entry> entries) {

    /** After this many strikes a person is told. */
    public static final int MOST_STRIKES = 3;

    /** Why {@code worker} is not declared dead, or its jobs are not given back any further; null when they are. */
    public static @Nullable Applied objection(WorkerRecord worker, Change.TakeOver change) {
        return worker.enlisted() && worker.beat() != change.beat()
                ? new Applied.Conflict("worker " + change.worker() + " has beaten since", null)
                : null;
    }

    /** What is known of the end of {@code worker}: what was said when it was declared dead. */
    public static WorkerEnd how(WorkerRecord worker, Change.TakeOver change) {
        var said = worker.end();
        return said == null ? change.how() : said;
    }

    /** Whether an entry shows that a job's owner has come further: what its code says of that does not, because it may be said again at every start. */
    public static boolean showsProgress(Entry entry) {
        return !(entry instanceof Entry.Progressed);
    }

    /** The id of the first entry that is appended to a job that was held under {@code fence}: out of its owner's way. */
    public static long firstId(long fence) {
        return Changes.owned(fence, Changes.FIRST_OF_RESCUER);
    }

    /**
     * Judges a job.
     *
     * @param job as it stands
     * @param progress whether its owner recorded anything
     * @param inDoubt the place of an open attempt; null when there is none
     * @param how what is known of its owner's end
     */
    public static Rescuing judge(StoredJob job, boolean progress, @Nullable Place inDoubt, WorkerEnd how) {
        var before = job.standing().suspicion();
        var suspicion = how == WorkerEnd.GAVE_UP ? before : suspicion(before, progress);
        var gone = new Entry.OwnerGone(job.standing().fence(), how.known(), suspicion.strikes());
        if (how == WorkerEnd.GAVE_UP || suspicion.strikes() < MOST_STRIKES) {
            return new Rescuing(suspicion, Transition.OWNER_GONE, Outcome.NONE, List.of(gone));
        }
        var why = "its worker died " + suspicion.strikes() + " times while it ran this job alone";
        if (inDoubt != null) {
            var question = new Question(firstId(job.standing().fence()) + 1, QuestionKind.IN_DOUBT, inDoubt, why);
            return new Rescuing(
                    suspicion,
                    Transition.ASK,
                    new Outcome(null, null, question),
                    List.of(gone, new Entry.Asked(question)));
        }
        var failure = new FailedAt(Place.WORKFLOW, Failure.of(FailureClass.PERMANENT, "strikes", why));
        return new Rescuing(suspicion, Transition.STRIKE_OUT, new Outcome(null, failure, null), List.of(gone));
    }

    /** When the job may be claimed again: at once, and before what was submitted after it. */
    public @Nullable Instant due(StoredJob job) {
        return transition.to() == JobState.READY ? job.standing().times().created() : null;
    }

    private static Suspicion suspicion(Suspicion before, boolean progress) {
        if (progress) {
            return Suspicion.NONE;
        }
        return new Suspicion(true, before.suspect() ? before.strikes() + 1 : before.strikes());
    }
}
