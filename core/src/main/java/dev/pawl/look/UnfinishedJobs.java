package dev.pawl.look;

import dev.pawl.job.JobState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs of a group stand alike and have not ended.
 *
 * @param group whose they are
 * @param state where they are
 * @param owner the worker that has them; 0 when none does
 * @param many how many, and how many of them in what way
 * @param first which comes first
 */
public record UnfinishedJobs(ClaimGroup group, JobState state, long owner, HowMany many, First first) {
    /**
     * How many.
     *
     * @param all of them
     * @param lately how many came into this state in the time that was asked about
     * @param withoutTime how many have no time at which they go on by themselves
     */
    public record HowMany(long all, long lately, long withoutTime) {}

    /**
     * Which comes first.
     *
     * @param due when the first of them is due; null when none has a time
     * @param now the number of one that somebody has, or that could go on now; 0 when there is none
     * @param any the number of one of them
     */
    public record First(@Nullable Instant due, long now, long any) {}
}
