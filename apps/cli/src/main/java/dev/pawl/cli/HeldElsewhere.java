package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.batch.Batch;
import dev.pawl.desk.Words;
import dev.pawl.job.JobState;
import dev.pawl.lease.Silence;
import dev.pawl.look.StoredJob;
import dev.pawl.time.Time;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Says once why nothing seems to happen: a worker that may be dead holds what is left, until its term has passed. */
final class HeldElsewhere implements Batch.Elsewhere {
    private final String what;
    private final boolean quiet;
    private boolean told;

    /**
     * Nothing was said yet.
     *
     * @param what what is held: {@code row}, {@code job}
     * @param quiet whether nothing is to be said
     */
    HeldElsewhere(String what, boolean quiet) {
        this.what = what;
        this.quiet = quiet;
    }

    @Override
    public void areHeld(long many, List<Silence> silences) {
        if (told || quiet || silences.isEmpty()) {
            return;
        }
        told = true;
        var names = silences.stream().map(one -> one.worker().name()).sorted().collect(Collectors.joining(", "));
        var longest = silences.stream()
                .map(Silence::left)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        System.err.println(Bar.aside() + "pawl: " + Words.many(many, what)
                + " held by a worker of which nothing was heard yet (" + names
                + "): it works elsewhere, or it has died; if it stays silent, this goes on at "
                + Words.local(Time.system().now().plus(longest)));
    }

    /** The same of one job, which is held by one worker. */
    void isHeld(Pawl pawl, StoredJob job) {
        if (job.state() == JobState.RUNNING) {
            areHeld(
                    1,
                    pawl.operator().silences().stream()
                            .filter(one -> one.worker().id() == job.standing().owner())
                            .toList());
        }
    }
}
