package dev.pawl.look;

import dev.pawl.decision.Question;
import dev.pawl.failure.FailedAt;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is stored.
 *
 * @param id its number in this store
 * @param identity workflow and key
 * @param given what it was submitted with
 * @param standing where it is in its life
 * @param outcome what it ended with, or what it asks
 */
public record StoredJob(long id, Identity identity, Given given, Standing standing, Outcome outcome)
        implements JobView {
    /**
     * What a job was submitted with.
     *
     * @param input canonical JSON
     * @param handling how it is to be taken
     */
    public record Given(String input, Handling handling) {}

    /**
     * Where a job is in its life.
     *
     * @param state its state
     * @param resubmission which run of it
     * @param fence of its owner, or the last one
     * @param owner the worker that has it; 0 when none does
     * @param suspicion whether it may be what kills workers
     * @param times when it was made and when it is due
     * @param cancelling whether a person called it off: it stops at its next boundary
     * @param owes how many things go on elsewhere that it began and must end before it ends itself
     */
    public record Standing(
            JobState state,
            int resubmission,
            long fence,
            long owner,
            Suspicion suspicion,
            Times times,
            boolean cancelling,
            int owes) {}

    /**
     * Whether a job may be what kills workers.
     *
     * @param suspect its owner died before it made progress: it is claimed singly now
     * @param strikes how often a worker died alone with it since
     */
    public record Suspicion(boolean suspect, int strikes) {
        /** No suspicion at all. */
        public static final Suspicion NONE = new Suspicion(false, 0);
    }

    /**
     * When.
     *
     * @param created when it was submitted
     * @param changed when its state last changed
     * @param due when it may be claimed; null when it may not
     */
    public record Times(
            Instant created, Instant changed, @Nullable Instant due) {}

    /**
     * What a job ended with, or what it asks.
     *
     * @param result when it is done, as JSON
     * @param failure when it failed
     * @param question when it is paused
     * @param gate when it waits at one, the gate's name
     */
    public record Outcome(
            @Nullable String result,
            @Nullable FailedAt failure,
            @Nullable Question question,
            @Nullable String gate) {
        /** What a job ended with, or what it asks. */
        public Outcome(@Nullable String result, @Nullable FailedAt failure, @Nullable Question question) {
            this(result, failure, question, null);
        }

        /** Waits at a gate. */
        public static Outcome at(String gate) {
            return new Outcome(null, null, null, gate);
        }

        /** Nothing yet. */
        public static final Outcome NONE = new Outcome(null, null, null);
    }

    /**
     * A job that was just submitted.
     *
     * @param owner the worker that has it at once; 0 when none does
     * @param due when it may be claimed; null when somebody has it
     */
    public static StoredJob submitted(
            long id, Identity identity, Given given, long owner, Instant now, @Nullable Instant due) {
        var taken = owner != 0;
        var standing = new Standing(
                taken ? JobState.RUNNING : JobState.READY,
                0,
                taken ? 1 : 0,
                owner,
                Suspicion.NONE,
                new Times(now, now, due),
                false,
                0);
        return new StoredJob(
                id, identity, new Given(given.input(), given.handling().kept()), standing, Outcome.NONE);
    }

    /** Its input, as canonical JSON. */
    public String input() {
        return given.input();
    }

    /** Whether it was submitted with this input, as canonical JSON. */
    public boolean wasGiven(String input) {
        return Tombstone.same(input(), input);
    }

    /** Whether only its tombstone is left. */
    public boolean pruned() {
        return Tombstone.isHash(input());
    }

    /** What a list says of it. */
    public JobSummary summary() {
        return JobSummary.of(this);
    }

    @Override
    public Handling handling() {
        return given.handling();
    }

    /** Whether no worker has ever had it. */
    public boolean neverStarted() {
        return state() == JobState.READY && standing.fence() == 0;
    }
}
