package dev.pawl.job;

import dev.pawl.cost.Use;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.failure.JobMisused;
import dev.pawl.failure.StepFailed;
import dev.pawl.journal.Artifact;
import dev.pawl.journal.Progress;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A running job, as its workflow's code sees it. Only the thread that runs the workflow, or that item of a fan-out, may call it.
 *
 * <p>When the job has to leave (its lease is lost, it must wait, it must ask) a call throws an {@link Error} that the code must let through;
 * every later call throws it again. A call from another thread, from inside a step or an effect, or with a name that was used already throws
 * {@link JobMisused}, and the job fails whatever becomes of that error.
 */
public interface Job {

    /** Which job this is. */
    Identity identity();

    /** Who it acts for; empty for nobody in particular. */
    String principal();

    /** 0, and one more each time a person asked for the finished job again. */
    int resubmission();

    /**
     * Which version of its code the job goes on with ({@link Workflow#version}): the one that made its first record, or, while there is none, the one that runs
     * it. For code that must branch. Empty when there are no versions.
     */
    String version();

    /**
     * Named, bounded work that is free to repeat. Once it has returned, its result is kept and it never runs again for this job.
     *
     * @throws StepFailed when it failed for good; recorded, so a resume sees the same
     */
    <T> T step(Named name, TypeToken<T> result, Step<T> step);

    /** {@link #step(Named, TypeToken, Step)} with a plain name and class. */
    default <T> T step(String name, Class<T> result, Step<T> step) {
        return step(Named.named(name), TypeToken.of(result), step);
    }

    /** {@link #step(Named, TypeToken, Step)} with a plain class. */
    default <T> T step(Named name, Class<T> result, Step<T> step) {
        return step(name, TypeToken.of(result), step);
    }

    /**
     * {@link #step(Named, TypeToken, Step)} whose work is told which attempt it is: the same one after its worker was killed, the next one
     * after it failed.
     */
    <T> T step(Named name, TypeToken<T> result, Attempted<T> work);

    /**
     * Work that touches the outside world. Its intent is committed before it acts and its answer before it returns; what the contract cannot
     * settle waits for a person.
     *
     * @param contract what the destination can do when an answer is missing
     * @param request what is asked of the destination; the same on every retry, or the job asks
     * @return its result; null when a person said to go on without it
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
    <R, T> T transaction(Named name, R request, TypeToken<T> result, Sql<R, T> sql);

    /** {@link #transaction(Named, Object, TypeToken, Sql)} with a plain name and class. */
    default <R, T> T transaction(String name, R request, Class<T> result, Sql<R, T> sql) {
        return transaction(Named.named(name), request, TypeToken.of(result), sql);
    }

    /**
     * Does the same for many items, several at once. Each item is a scope of its own: its handle has its own names, found again by the item's
     * key and never by its position. One item's question or failure does not stop the others; when all have come as far as they can, the
     * heaviest ending decides: a question before a wait, a wait before a failure.
     *
     * @param items what to do it for; the whole list again on every resume
     * @param itemKey what tells one item from all others
     * @param each does it for one item, on a thread of its own, with the item's own handle
     * @return what {@code each} returned, in the order of {@code items}
     * @throws StepFailed when an item failed for good; the others' failures are suppressed in it
     */
    <I, T> List<T> map(Named name, Collection<? extends I> items, Function<? super I, String> itemKey, Each<I, T> each);

    /** {@link #map(Named, Collection, Function, Each)} with a plain name. */
    default <I, T> List<T> map(
            String name, Collection<? extends I> items, Function<? super I, String> itemKey, Each<I, T> each) {
        return map(Named.named(name), items, itemKey, each);
    }

    /**
     * Does something in a scope of its own: the handle that {@code part} gets has its own names, so that one piece of code can be used twice in a workflow. What it
     * returns is not recorded, what its steps and effects return is.
     *
     * @param name what the scope is called, with an item where there are several
     */
    <T> T scope(Named name, Scoped<T> part);

    /** {@link #scope(Named, Scoped)} with a plain name. */
    default <T> T scope(String name, Scoped<T> part) {
        return scope(Named.named(name), part);
    }

    /** Where the record of this name is or will be, in this handle's scope. */
    Place place(Named name);

    /** {@link #place(Named)} with a plain name. */
    default Place place(String name) {
        return place(Named.named(name));
    }

    /**
     * Says how far the job has come, for people who look at it: {@code pawl show}, events, listeners. Called anywhere in the workflow's code it is kept with the next commit; inside
     * a step or an effect, on any thread, at once, though not more often than every few seconds. The newest stands. On a resume what was said before is not said again.
     */
    void progress(Progress soFar);

    /** {@link #progress(Progress)} in words alone. */
    default void progress(String text) {
        progress(Progress.of(text));
    }

    /**
     * Waits for a while; the job leaves memory meanwhile. It wakes once, however often it is resumed and whatever clocks say.
     */
    void sleep(Named name, Duration howLong);

    /** {@link #sleep(Named, Duration)} with a plain name. */
    default void sleep(String name, Duration howLong) {
        sleep(Named.named(name), howLong);
    }

    /**
     * Waits for a signal of this name; the job leaves memory meanwhile. A signal that came before the job did is there. Each is received once:
     * {@code named("reply").item("2")} waits for the next signal called {@code reply}.
     *
     * @return the signal's payload; empty when {@code longest} passed first
     */
    <T> Optional<T> awaitSignal(Named name, TypeToken<T> type, Duration longest);

    /** {@link #awaitSignal(Named, TypeToken, Duration)} with a plain class. */
    default <T> Optional<T> awaitSignal(Named name, Class<T> type, Duration longest) {
        return awaitSignal(name, TypeToken.of(type), longest);
    }

    /** {@link #awaitSignal(Named, TypeToken, Duration)} with a plain name and class. */
    default <T> Optional<T> awaitSignal(String name, Class<T> type, Duration longest) {
        return awaitSignal(Named.named(name), TypeToken.of(type), longest);
    }

    /**
     * Waits for something that goes on elsewhere, by looking at it from time to time; the job leaves memory between two looks. A look is not recorded, only what it
     * found in the end. One that throws has found nothing: it goes on; when none has succeeded for a day, a person is asked, and looks go on. What needs a person there asks one here; a
     * later look closes that question.
     *
     * @param rhythm how often it is looked at, and which signal makes it look at once
     * @param look asks how it goes; it changes nothing there, and has two minutes, or the name's time-out
     * @return what it ended with; null when a person said to go on without it
     * @throws StepFailed when it failed there, or a person gave it up
     */
    <T> T await(Named name, TypeToken<T> type, Rhythm rhythm, Look<T> look);

    /** {@link #await(Named, TypeToken, Rhythm, Look)} with a plain class. */
    default <T> T await(Named name, Class<T> type, Rhythm rhythm, Look<T> look) {
        return await(name, TypeToken.of(type), rhythm, look);
    }

    /** {@link #await(Named, TypeToken, Rhythm, Look)} with a plain name and class. */
    default <T> T await(String name, Class<T> type, Rhythm rhythm, Look<T> look) {
        return await(Named.named(name), TypeToken.of(type), rhythm, look);
    }

    /**
     * Waits for a person's yes to one effect with one request; the job leaves memory meanwhile. The effect of the same name then acts, once,
     * with exactly that request. The yes expires, and the first attempt that may have reached the world uses it up: whatever comes after asks
     * again.
     *
     * @param effect the effect's name and item
     * @param request what it will be asked to do
     * @param question for the person
     * @param expires how long the person may take, and how long the yes is good for, counted from the question
     * @throws StepFailed when the person says no, or nothing in time
     */
    <R> void approve(Named effect, R request, String question, Duration expires);

    /** {@link #approve(Named, Object, String, Duration)} with a plain name. */
    default <R> void approve(String effect, R request, String question, Duration expires) {
        approve(Named.named(effect), request, question, expires);
    }

    /**
     * Calls another job and waits for its end; this job leaves memory meanwhile. The same workflow and key is the same job, whoever calls it
     * and however often. It acts for whom this job acts for, is called off with it unless {@link Named#detached}, and what it costs counts
     * here too.
     *
     * @return what it returned
     * @throws StepFailed when it failed or was called off, is in flight with another input, was pruned, or waits for this very job
     */
    <I, O> O call(Named name, Workflow<I, O> workflow, Key key, I input, Handling handling);

    /** {@link #call(Named, Workflow, Key, Object, Handling)}, handled as usual. */
    default <I, O> O call(Named name, Workflow<I, O> workflow, Key key, I input) {
        return call(name, workflow, key, input, Handling.usual());
    }

    /** {@link #call(Named, Workflow, Key, Object, Handling)} with a plain name, handled as usual. */
    default <I, O> O call(String name, Workflow<I, O> workflow, Key key, I input) {
        return call(Named.named(name), workflow, key, input, Handling.usual());
    }

    /**
     * Tells what the step or effect that calls this has used. Committed with its attempt, whatever becomes of it; priced by the table that the
     * worker has.
     *
     * @throws IllegalStateException outside a step or an effect: on a resume it would count again
     */
    void use(Use use);

    /**
     * {@link #use(Use)} in numbers.
     *
     * @param input tokens that went in, those from the cache included
     * @param output tokens that came out
     * @param cached how many of the input came from the cache
     * @param toolCalls how many tools the model called
     */
    default void use(String model, long input, long output, long cached, int toolCalls) {
        use(Use.of(model).input(input).output(output).cached(cached).tools(toolCalls));
    }

    /**
     * Keeps what the step or effect that calls this has written, for people; of much, the last {@code 64 Ki} characters. It rides with the
     * next commit.
     *
     * @throws IllegalStateException outside a step or an effect
     */
    void log(String text);

    /** The conversation of this name: what was said, turn by turn. */
    Conversation conversation(String name);

    /** The conversation of a job that has one. */
    default Conversation conversation() {
        return conversation("conversation");
    }

    /**
     * Keeps something larger than a result, once: on a resume what was kept is returned.
     *
     * @param mediaType what it is, such as {@code text/html}
     * @param bytes at most {@link Artifact#MOST_BYTES}; what is larger goes into a file
     */
    Artifact artifact(Named name, String mediaType, byte[] bytes);

    /** Keeps a file: its bytes when they are few, else its path with its hash. On a resume what was kept is returned. */
    Artifact artifact(Named name, String mediaType, Path file);

    /**
     * Sends rows of a collection, under a part, in the commit that records it: on a resume nothing is sent again. Rows that may not be sent, or are not as they were
     * seen, are left out; the part says which it has. What becomes of them is told later, whatever has become of this job.
     *
     * @throws IllegalStateException when there is no such collection, or the part is sealed
     */
    void sendRows(Named name, PartSending sending);

    /**
     * Ends the making of a part: nothing more is sent under it.
     *
     * @throws IllegalStateException when nothing was sent under it, or it was sealed with something else in it
     */
    void sealPart(Named name, PartSealing sealing);

    /** {@link #artifact(Named, String, byte[])} with a plain name. */
    default Artifact artifact(String name, String mediaType, byte[] bytes) {
        return artifact(Named.named(name), mediaType, bytes);
    }

    /** {@link #artifact(Named, String, Path)} with a plain name. */
    default Artifact artifact(String name, String mediaType, Path file) {
        return artifact(Named.named(name), mediaType, file);
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
     * A step's work that is told which attempt it is.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    interface Attempted<T> {
        /** Does it, or goes on with what an earlier worker began under the same number. */
        T run(Attempt attempt) throws Exception;
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
         * Does it, once. Returning means it happened. {@link dev.pawl.failure.NotSent} and {@link dev.pawl.failure.Rejected} mean that nothing
         * happened; any other exception leaves it in doubt.
         */
        T act(R request, Attempt attempt) throws Exception;
    }

    /**
     * An effect whose act may go on after its worker is gone, such as a command with a minder. A later worker finds it by the attempt's key,
     * number and fence.
     *
     * @param <R> what is asked of the destination
     * @param <T> its result
     */
    interface Outliving<R, T> extends Effect<R, T> {
        /**
         * Lays out what the act needs, before the intent is committed: so an attempt of which nothing is laid out was made elsewhere. When
         * it throws, no attempt is begun: the job waits for a while, with all others of its workflow, and it is laid out again.
         */
        void prepare(R request, Attempt attempt) throws Exception;

        /**
         * Finds out what became of an attempt that another worker made, waiting for it if it still goes on. Speaks as {@link #act} does: with
         * {@link dev.pawl.failure.EndedInDoubt} that it has ended and nobody knows how, with {@link dev.pawl.failure.StillGoing} that it is seen to
         * go on; after any other exception it may still be going on where nobody sees it.
         */
        T pickUp(R request, Attempt attempt) throws Exception;
    }

    /**
     * Looks how something goes on elsewhere.
     *
     * @param <T> what it ends with
     */
    @FunctionalInterface
    interface Look<T> {
        /** Asks how it goes. Whatever it throws tells nothing: a 404, say, right after something was made. */
        Finding<T> look() throws Exception;
    }

    /**
     * What a fan-out does for one item.
     *
     * @param <I> the item
     * @param <T> what comes of it
     */
    @FunctionalInterface
    interface Each<I, T> {
        /** Does it, calling steps and effects on the item's own handle. */
        T run(Job job, I item) throws Exception;
    }

    /**
     * What is done in a scope of its own.
     *
     * @param <T> what comes of it
     */
    @FunctionalInterface
    interface Scoped<T> {
        /** Does it, calling steps and effects on the scope's own handle. */
        T run(Job job) throws Exception;
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
