package dev.pawl.look;

import dev.pawl.failure.FailureClass;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import org.jspecify.annotations.Nullable;

/**
 * A job without what it was given and what came of it: as much as a line in a list needs.
 *
 * @param id its number in this store
 * @param identity workflow and key
 * @param handling how it is to be taken
 * @param standing where it is in its life
 * @param outcome why it failed, what it asks, where it waits; never its result
 */
public record JobSummary(
        long id, Identity identity, Handling handling, StoredJob.Standing standing, StoredJob.Outcome outcome)
        implements JobView {

    /** What a list says of {@code job}. */
    public static JobSummary of(StoredJob job) {
        var outcome = job.outcome();
        return new JobSummary(
                job.id(),
                job.identity(),
                job.given().handling(),
                job.standing(),
                new StoredJob.Outcome(null, outcome.failure(), outcome.question(), outcome.gate()));
    }

    /** How it failed; null when it has not. */
    public @Nullable FailureClass failedAs() {
        return failedAs(state(), outcome);
    }

    /** How a job in this state with this outcome has failed; null when it has not. */
    public static @Nullable FailureClass failedAs(JobState state, StoredJob.Outcome outcome) {
        if (state != JobState.FAILED) {
            return null;
        }
        var failure = outcome.failure();
        return failure == null ? FailureClass.PERMANENT : failure.failure().kind();
    }
}
