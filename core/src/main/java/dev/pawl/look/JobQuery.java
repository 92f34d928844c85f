package dev.pawl.look;

import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs: {@code JobQuery.in(PAUSED, FAILED).workflow("essay")}. Pruned ones are not among them. Their order is that in which they came into the state that
 * they are in.
 *
 * @param states in one of these states
 * @param classes failed in one of these ways; empty for all, also those that have not failed
 * @param of whose they are and what they are called
 * @param changed when they came into their state
 * @param part which part of them
 */
public record JobQuery(
        Set<JobState> states, Set<FailureClass> classes, WhoseJobs of, TimeWindow changed, ListPart part) {

    /**
     * Whose jobs, and what they are called.
     *
     * @param workflow of this workflow; null for any
     * @param queue in this queue; null for any
     * @param principal on this one's behalf; null for anybody's
     * @param keyPrefix what their keys begin with, as people read them; empty for all
     */
    public record WhoseJobs(
            @Nullable String workflow,
            @Nullable String queue,
            @Nullable String principal,
            String keyPrefix) {
        private static final WhoseJobs ANY = new WhoseJobs(null, null, null, "");

        private boolean fit(JobSummary job) {
            return (workflow == null || workflow.equals(job.identity().workflow()))
                    && (queue == null || queue.equals(job.handling().queue()))
                    && (principal == null || principal.equals(job.handling().principal()))
                    && (keyPrefix.isEmpty() || job.identity().key().toString().startsWith(keyPrefix));
        }
    }

    public JobQuery {
        states = states.isEmpty() ? EnumSet.noneOf(JobState.class) : EnumSet.copyOf(states);
        classes = classes.isEmpty() ? EnumSet.noneOf(FailureClass.class) : EnumSet.copyOf(classes);
    }

    /** Jobs in one of these states; the newest hundred. */
    public static JobQuery in(JobState state, JobState... more) {
        return in(EnumSet.of(state, more));
    }

    /** Jobs in one of these states; the newest hundred. */
    public static JobQuery in(Set<JobState> states) {
        return new JobQuery(
                states, EnumSet.noneOf(FailureClass.class), WhoseJobs.ANY, TimeWindow.EVER, ListPart.newest());
    }

    /** All jobs; the newest hundred. */
    public static JobQuery all() {
        return in(EnumSet.allOf(JobState.class));
    }

    /** The same, only those that failed in one of these ways. */
    public JobQuery failedAs(Set<FailureClass> ways) {
        return new JobQuery(states, ways, of, changed, part);
    }

    /** The same, of one workflow. */
    public JobQuery workflow(@Nullable String name) {
        return named(new WhoseJobs(name, of.queue, of.principal, of.keyPrefix));
    }

    /** The same, in one queue; empty for the common one. */
    public JobQuery queue(@Nullable String name) {
        return named(new WhoseJobs(of.workflow, name, of.principal, of.keyPrefix));
    }

    /** The same, on one principal's behalf; empty for nobody in particular. */
    public JobQuery principal(@Nullable String who) {
        return named(new WhoseJobs(of.workflow, of.queue, who, of.keyPrefix));
    }

    /** The same, with keys that begin so, as people read them. */
    public JobQuery keyPrefix(String prefix) {
        return named(new WhoseJobs(of.workflow, of.queue, of.principal, prefix));
    }

    private JobQuery named(WhoseJobs names) {
        return new JobQuery(states, classes, names, changed, part);
    }

    /** The same, that came into their state in this time. */
    public JobQuery changed(TimeWindow window) {
        return new JobQuery(states, classes, of, window, part);
    }

    /** The same, oldest first. */
    public JobQuery oldestFirst() {
        return part(new ListPart(false, part.behind(), part.most()));
    }

    /** The same, behind {@code cursor}. */
    public JobQuery after(Cursor cursor) {
        return part(part.after(cursor));
    }

    /** The same, at most so many. */
    public JobQuery most(int many) {
        return part(part.most(many));
    }

    /** The same, of those that have ended. */
    public JobQuery ended() {
        var over = EnumSet.of(JobState.DONE, JobState.FAILED, JobState.CANCELLED);
        over.retainAll(states);
        return new JobQuery(over, classes, of, changed, part);
    }

    /** The same, this part of them. */
    public JobQuery part(ListPart listPart) {
        return new JobQuery(states, classes, of, changed, listPart);
    }

    /** Whether {@code job} is one of those that are asked for, on whatever page. */
    public boolean fits(JobSummary job) {
        return states.contains(job.state())
                && (classes.isEmpty() || classes.contains(job.failedAs()))
                && of.fit(job)
                && changed.contains(job.standing().times().changed());
    }
}
