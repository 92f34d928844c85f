package dev.pawl.look;

import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.key.Place;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a job has come.
 *
 * @param known everything that its present run has recorded
 * @param completed the steps, effects and called jobs that have a result or were skipped, in the order in which they came to it
 * @param at what it is at: what it asks about, what failed it, what it has come to and has not ended, or, of a job that has ended, what happened twice, or what it did last; null when it
 *     is at nothing that was recorded
 */
record Whereabouts(
        History known, Set<Place> completed, @Nullable PlaceHistory at) {
    /** What Pawl writes down for itself is no step. */
    private static final String OURS = "pawl.";

    /** What lets the workflow go on as if it had happened. */
    private static final Set<Verdict> GOES_ON = EnumSet.of(Verdict.DONE, Verdict.SKIP);

    /** Of a job, by the lines of its present run. */
    static Whereabouts of(StoredJob job, List<JournalLine> run) {
        var history = History.of(run, job.standing().resubmission());
        var completed = new LinkedHashSet<Place>();
        for (var line : run) {
            var there = history.at(line.entry().place());
            if (there != null && isStep(there.place()) && completes(line.entry(), there) && hasEndedWell(there)) {
                completed.add(there.place());
            }
        }
        return new Whereabouts(history, completed, at(job, run, history, completed));
    }

    private static @Nullable PlaceHistory at(
            StoredJob job, List<JournalLine> run, History history, Set<Place> completed) {
        var outcome = job.outcome();
        if (outcome.question() != null) {
            return history.at(outcome.question().place());
        }
        if (outcome.failure() != null) {
            return history.at(outcome.failure().place());
        }
        if (job.state().finished()) {
            var last = lastOf(run, completed);
            return last == null ? null : history.at(last);
        }
        for (var line : run.reversed()) {
            var there = history.at(line.entry().place());
            if (there != null
                    && there.known() == null
                    && !there.bare()
                    && !there.place().name().startsWith(OURS)) {
                return there;
            }
        }
        return null;
    }

    /** What happened twice is what somebody must look at; else what was done last. */
    private static @Nullable Place lastOf(List<JournalLine> run, Set<Place> completed) {
        Place last = null;
        for (var place : completed) {
            last = place;
        }
        for (var line : run) {
            last = line.entry() instanceof Entry.Duplicated twice ? twice.place() : last;
        }
        return last;
    }

    private static boolean isStep(Place place) {
        return !place.name().isEmpty() && !place.name().startsWith(OURS);
    }

    private static boolean completes(Entry entry, PlaceHistory there) {
        return entry instanceof Entry.StepDone
                || (entry instanceof Entry.Answered answered && answered.answer() instanceof Answer.Happened)
                || (entry instanceof Entry.Decided decided
                        && GOES_ON.contains(decided.decision().verdict()))
                || (entry instanceof Entry.Received && there.child() != null);
    }

    private static boolean hasEndedWell(PlaceHistory there) {
        return there.known() instanceof PlaceHistory.Known.Result
                || there.known() instanceof PlaceHistory.Known.Skipped;
    }
}
