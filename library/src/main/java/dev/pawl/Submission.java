package dev.pawl;

import dev.pawl.engine.local.LocalEngine;
import dev.pawl.failure.GateClosed;
import dev.pawl.failure.JobFailed;
import dev.pawl.failure.JobPaused;
import dev.pawl.failure.JobPruned;
import dev.pawl.failure.SubmitConflict;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.json.Values;
import dev.pawl.key.Identity;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A job that was submitted, now or before.
 *
 * @param <O> what it returns
 */
public final class Submission<O> {

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final LocalEngine engine;
    private final Workflow<?, O> workflow;
    private final StoredJob job;
    private final Arrival how;

    /** What the submission came to. */
    public enum Arrival {
        /** The job is new. */
        NEW,
        /** The job was there with another input, and nobody had started on it: this input has taken its place. */
        REPLACED,
        /** The same job with the same input was there. */
        SAME,
        /** The job was there, finished, with another input. It is not done again. */
        CHANGED,
        /** The job is in flight or failed, with another input. Only {@link Pawl#submitAll} says so; a single submission throws. */
        CONFLICT;

        /** What {@code applied} says of a submission with this input, as canonical JSON. */
        static Arrival of(Applied applied, String json) {
            return switch (applied) {
                case Applied.Now ignored -> NEW;
                case Applied.Replaced ignored -> REPLACED;
                case Applied.Already already ->
                    already.job() != null && already.job().wasGiven(json) ? SAME : CHANGED;
                case Applied.Conflict ignored -> CONFLICT;
                case Applied.Refused refused -> throw new IllegalArgumentException(refused.why());
                default -> throw new IllegalStateException("a submission came to " + applied);
            };
        }

        /**
         * The same of one.
         *
         * @throws SubmitConflict when it is in flight or failed with another input
         */
        static Arrival unless(Applied applied, String json) {
            if (applied instanceof Applied.Conflict conflict) {
                throw new SubmitConflict(conflict.why());
            }
            return of(applied, json);
        }
    }

    Submission(LocalEngine engine, Workflow<?, O> workflow, StoredJob job, Arrival how) {
        this.engine = engine;
        this.workflow = workflow;
        this.job = job;
        this.how = how;
    }

    /** Which job it is. */
    public Identity identity() {
        return job.identity();
    }

    /** Whether it is new. */
    public Arrival how() {
        return how;
    }

    /**
     * Waits until the job is done. Never waits for a person.
     *
     * @return what the workflow returned
     * @throws JobPaused when the job asks a question, or one that it called does and no other that it called goes on by itself
     * @throws GateClosed when it waits at a gate that a person must open, or one that it called does
     * @throws JobFailed when it failed or was called off; its cause is what the job's code has thrown, wherever that was
     * @throws JobPruned when it was done so long ago that its result was pruned
     */
    public O join() throws InterruptedException {
        return result(engine.await(job.id(), FOR_EVER).orElseThrow());
    }

    /** Like {@link #join()}, but at most so long; empty when that passed first, or when the workflow returned null. */
    public Optional<O> join(Duration atMost) throws InterruptedException {
        var ended = engine.await(job.id(), atMost);
        return ended.map(this::result);
    }

    @SuppressWarnings("NullAway") // a workflow may return null
    private O result(StoredJob ended) {
        var outcome = ended.outcome();
        return switch (ended.state()) {
            case DONE -> {
                if (ended.pruned()) {
                    throw new JobPruned(ended.identity());
                }
                yield Values.read(Objects.requireNonNull(outcome.result()), workflow.output());
            }
            case PAUSED -> {
                var question = Objects.requireNonNull(outcome.question());
                throw new JobPaused(
                        ended.standing().cancelling()
                                ? question.textOnceCalledOff(ended.identity(), engine.storeOption())
                                : question.text(ended.identity(), engine.storeOption()),
                        question);
            }
            case FAILED -> {
                var failed = Objects.requireNonNull(outcome.failure());
                var thrown = engine.thrownAt(ended, failed.place()).orElse(null);
                throw new JobFailed(ended.identity(), failed, engine.storeOption(), thrown);
            }
            case CANCELLED -> throw new JobFailed(ended.identity(), null, engine.storeOption(), null);
            case WAITING ->
                throw new GateClosed(ended.identity(), Objects.requireNonNull(outcome.gate()), engine.storeOption());
            case READY, RUNNING ->
                throw new IllegalStateException(JobState.class.getSimpleName() + " " + ended.state() + " is no end");
        };
    }
}
