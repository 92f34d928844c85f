package dev.pawl.store;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What calling a job off comes to. Pure.
 *
 * <p>A running job stops at its next boundary; one that rests ends at once. A job in doubt does neither: doubt sticks, so it asks, and ends
 * when the answer has come. One that began something which goes on elsewhere is taken once more, ends that, and then ends.
 *
 * @param transition where it goes; null when it stays where it is for now
 * @param outcome what it asks, if it asks
 * @param entries what is appended to its journal
 */
public record Cancelling(@Nullable Transition transition, Outcome outcome, List<Entry> entries) {
    /** Why {@code job} cannot be called off; null when it can. */
    public static @Nullable Applied objection(StoredJob job) {
        return job.state().finished()
                ? new Applied.Conflict(
                        "job " + job.identity() + " is " + job.state() + " and cannot be called off"
                                + (job.state() == JobState.FAILED ? "; discard it instead" : ""),
                        job)
                : null;
    }

    /** How a job that was called off goes on when nothing of it is in doubt any more: it ends, or does what it owes first. */
    public static Transition onceSettled(StoredJob job, Transition otherwise) {
        return job.standing().cancelling() && job.standing().owes() == 0 ? Transition.CANCEL : otherwise;
    }

    /**
     * Judges a job that can be called off.
     *
     * @param id of the first entry
     * @param inDoubt the place of an open attempt; null when there is none
     */
    public static Cancelling judge(StoredJob job, long id, Audit audit, @Nullable Place inDoubt) {
        var asked = new Entry.CancelAsked(audit);
        if (job.state() == JobState.RUNNING) {
            return new Cancelling(null, Outcome.NONE, List.of(asked));
        }
        if (job.standing().owes() > 0) {
            // Also where it asks already: what goes on elsewhere does not wait for the answer, and it asks again.
            return new Cancelling(Transition.CANCEL_OWING, Outcome.NONE, List.of(asked));
        }
        var standing = job.outcome().question();
        if (inDoubt != null && standing != null && standing.kind().closedByAnswer()) {
            return new Cancelling(null, Outcome.NONE, List.of(asked));
        }
        if (inDoubt == null) {
            return new Cancelling(Transition.CANCEL, Outcome.NONE, List.of(asked));
        }
        var question = new Question(
                id + 1,
                QuestionKind.NO_LONGER_CALLED,
                inDoubt,
                "the job was called off by " + audit.who() + ", and an attempt may have happened");
        return new Cancelling(
                Transition.CANCEL_IN_DOUBT,
                new Outcome(null, null, question),
                List.of(asked, new Entry.Asked(question)));
    }
}
