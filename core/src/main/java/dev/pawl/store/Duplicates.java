package dev.pawl.store;

import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.look.StoredJob;
import java.util.ArrayList;
import java.util.List;

/** Effects that happened twice, until a person has dealt with them: that is said by discarding the job, whatever its state. Pure. */
public final class Duplicates {

    private Duplicates() {}

    /** What happened twice and was not dealt with, given a job's whole journal in the order of its commits. */
    public static List<Entry.Duplicated> left(List<JournalLine> journal) {
        var left = new ArrayList<Entry.Duplicated>();
        for (var line : journal) {
            if (line.entry() instanceof Entry.Duplicated duplicated) {
                left.add(duplicated);
            } else if (line.entry() instanceof Entry.Discarded) {
                left.clear();
            }
        }
        return left;
    }

    /** Whether discarding {@code job} says only that somebody has dealt with what happened twice: the job itself stays as it is. */
    public static boolean dealtWithBy(Transition transition, StoredJob job, boolean somethingHappenedTwice) {
        return transition == Transition.DISCARD
                && somethingHappenedTwice
                && !job.pruned()
                && !transition.allowedFrom(job.state());
    }
}
