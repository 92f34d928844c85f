package dev.pawl.job;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import java.sql.Connection;
import java.time.Instant;
import java.util.UUID;

/**
 * A running job, as its workflow's code sees it. Only the thread that runs the workflow may call it.
 *
 * <p>When the job has to leave (its lease is lost, it must wait, it must ask) a call throws an {@link Error} that the code must let through;
 * every later call throws it again.
 */
public interface Job {

    /** Which job this is. */
    Identity identity();

    /** 0, and one more each time a person asked for the finished job again. */
    int resubmission();

    /**
     * Named, bounded work that is free to repeat. Once it has returned, its result is kept and it never runs again for this job.
     *
     * @throws StepFailed when it failed for good; recorded, so a resume sees the same
     */
    <T> T step(Named name, TypeToken<T> result, Step<T> work);

    /** {@link #step(Named, TypeToken, Step)} with a plain name and class. */
    default <T> T step(String name, Class<T> result, Step<T> work) {
        return step(Named.named(name), TypeToken.of(result), work);
    }

    /** {@link #step(Named, TypeToken, Step)} with a plain class. */
    default <T> T step(Named name, Class<T> result, Step<T> work) {
        return step(name, TypeToken.of(result), work);
    }

    /**
     * Work that touches the outside world. Its intent is committed before it acts and its answer before it returns; what the contract cannot
     * settle waits for a person.
     *
     * @param contract what the destination can do when an answer is missing
     * @param request what is asked of the destination; the same on every retry, or the job asks
     * @throws StepFailed when it certainly did not happen and will not be tried again
     */
    <R, T> T effect(Named name, Contract<T> contract, R request, TypeToken<T> result, Effect<R, T> act);

    /** {@link #effect(Named, Contract, Object, TypeToken, Effect)} with a plain name and class. */
    default <R, T> T effect(String name, Contract<T> contract, R request, Class<T> result, Effect<R, T> act) {
        return effect(Named.named(name), contract, request, TypeToken.of(result), act);
    }

    /** {@link #effect(Named, Contract, Object, TypeToken, Effect)} with a plain class. */
    default <R, T> T effect(Named name, Contract<T> contract, R request, Class<T> result, Effect<R, T> act) {
        return effect(name, contract, request, TypeToken.of(result), act);
    }

    /**
     * SQL in the store's own database, committed together with the record that it was done: both or neither, never in doubt. It holds up
     * every other writer, so it has a few seconds at most.
     *
     * @throws StepFailed when it failed for good
     * @throws UnsupportedOperationException when this store has no SQL
     */
    <R, T> T transaction(Named name, R request, TypeToken<T> result, Sql<R, T> work);

    /** {@link #transaction(Named, Object, TypeToken, Sql)} with a plain name and class. */
    default <R, T> T transaction(String name, R request, Class<T> result, Sql<R, T> work) {
        return transaction(Named.named(name), request, TypeToken.of(result), work);
    }

    /** The time when the job first came here; the same on every resume. */
    Instant now(String name);

    /** A random number, drawn once; the same on every resume. */
    long random(String name);

    /** A random id, drawn once; the same on every resume. */
    UUID uuid(String name);

    /**
     * A step's work.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    interface Step<T> {
        /** Does it. Any exception is tried again, within the budget, unless it says otherwise. */
        T run() throws Exception;
    }

    /**
     * An effect's act.
     *
     * @param <R> what is asked of the destination
     * @param <T> its result
     */
    @FunctionalInterface
    interface Effect<R, T> {
        /**
         * Does it, once. Returning means it happened. {@link dev.pawl.retry.NotSent} and {@link dev.pawl.retry.Rejected} mean that nothing
         * happened; any other exception leaves it in doubt.
         */
        T act(R request, Attempt attempt) throws Exception;
    }

    /**
     * SQL in the store's own database.
     *
     * @param <R> what is asked
     * @param <T> its result
     */
    @FunctionalInterface
    interface Sql<R, T> {
        /** Runs statements on {@code connection}; committing is not its business. */
        T run(R request, Connection connection) throws Exception;
    }
}
