package dev.pawl.store;

import dev.pawl.job.JobState;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs: {@code JobQuery.in(PAUSED, FAILED).workflow("essay")}. Pruned ones are not among them.
 *
 * @param states in one of these states
 * @param workflow of this workflow; null for any
 * @param queue in this queue; null for any
 * @param principal on this one's behalf; null for anybody's
 * @param page which part of them
 */
public record JobQuery(
        Set<JobState> states,
        @Nullable String workflow,
        @Nullable String queue,
        @Nullable String principal,
        Page page) {
    private static final int USUAL_MOST = 1_000;

    /**
     * Part of an answer, in the order of the jobs' numbers.
     *
     * @param after only jobs with a higher number
     * @param most at most so many
     */
    public record Page(long after, int most) {
        public Page {
            if (most < 1 || most > 100_000) {
                throw new IllegalArgumentException("a page has 1 to 100,000 jobs, not " + most);
            }
        }
    }

    public JobQuery {
        states = states.isEmpty() ? EnumSet.noneOf(JobState.class) : EnumSet.copyOf(states);
    }

    /** Jobs in one of these states; the first thousand. */
    public static JobQuery in(JobState first, JobState... more) {
        return new JobQuery(EnumSet.of(first, more), null, null, null, new Page(0, USUAL_MOST));
    }

    /** All jobs; the first thousand. */
    public static JobQuery all() {
        return new JobQuery(EnumSet.allOf(JobState.class), null, null, null, new Page(0, USUAL_MOST));
    }

    /** The same, of one workflow. */
    public JobQuery workflow(String name) {
        return new JobQuery(states, name, queue, principal, page);
    }

    /** The same, in one queue; empty for the common one. */
    public JobQuery queue(String name) {
        return new JobQuery(states, workflow, name, principal, page);
    }

    /** The same, on one principal's behalf; empty for nobody in particular. */
    public JobQuery principal(String who) {
        return new JobQuery(states, workflow, queue, who, page);
    }

    /** The same, those after a number and at most so many. */
    public JobQuery page(long after, int most) {
        return new JobQuery(states, workflow, queue, principal, new Page(after, most));
    }
}
