package dev.pawl;

import dev.pawl.cost.Cost;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.failure.DecisionConflict;
import dev.pawl.failure.SubmitConflict;
import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Costs;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Logs;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.json.Values;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Names;
import dev.pawl.key.Place;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.Health;
import dev.pawl.look.JobPage;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JournalPage;
import dev.pawl.look.Occurrence;
import dev.pawl.look.OccurrencePage;
import dev.pawl.look.Questions;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.OpenMode;
import dev.pawl.store.Spending;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * Unattended work that never slips back: whatever dies, and however often it is run again, finished work stays finished and no outside effect
 * is silently repeated.
 *
 * <p>One per process and store. Thread-safe. Closing it lets running acts finish and hands its jobs back.
 */
public final class Pawl implements AutoCloseable {
    private final Store store;
    private final LocalEngine engine;
    private final Followers followers;
    private static final int PRUNED_AT_ONCE = 100;
    private static final String SCHEMA = "pawl";

    /** So often is looked for what is wanted before a page is given out with less. */
    private static final int MOST_LOOKS = 10;

    private Pawl(Store store, PawlOptions options) {
        this.store = store;
        this.followers = new Followers(store);
        this.engine = new LocalEngine(
                store,
                options.named() == null ? store.option() : options.named(),
                EnginePorts.system(options.hearing().all(), options.hearing().attempts()),
                options.engineOptions());
        engine.whenItGivesUp(options.givesUp());
    }

    // ---- opening

    /**
     * Opens the store at {@code address}, which is there already.
     *
     * @param address a file, a database, or whatever else {@link StoreAddress} knows
     * @throws IllegalArgumentException when there is no store
     */
    public static Pawl open(String address) {
        return open(address, PawlOptions.usual());
    }

    /** Like {@link #open(String)}, with options of one's own. */
    public static Pawl open(String address, PawlOptions options) {
        return there(StoreAddress.of(address), options);
    }

    private static Pawl there(StoreAddress address, PawlOptions options) {
        if (!address.isThere()) {
            throw new IllegalArgumentException(
                    "there is no store " + address.shown() + "; Pawl.openOrCreate makes one");
        }
        return over(address.openThere(OpenMode.BRINGING_FORWARD), options);
    }

    /** Opens the store at {@code address}, making it when it is not there. */
    public static Pawl openOrCreate(String address) {
        return openOrCreate(address, PawlOptions.usual());
    }

    /** Like {@link #openOrCreate(String)}, with options of one's own. */
    public static Pawl openOrCreate(String address, PawlOptions options) {
        return over(StoreAddress.of(address).open(OpenMode.BRINGING_FORWARD), options);
    }

    /**
     * Opens the SQLite file {@code file}, which is there already.
     *
     * @throws IllegalArgumentException when there is no such file
     */
    public static Pawl open(Path file) {
        return open(file, PawlOptions.usual());
    }

    /** Like {@link #open(Path)}, with options of one's own. */
    public static Pawl open(Path file, PawlOptions options) {
        return there(StoreAddress.of(file), options);
    }

    /** Opens the SQLite file {@code file}, making it when it is not there. */
    public static Pawl openOrCreate(Path file) {
        return openOrCreate(file, PawlOptions.usual());
    }

    /** Like {@link #openOrCreate(Path)}, with options of one's own. */
    public static Pawl openOrCreate(Path file, PawlOptions options) {
        return over(StoreAddress.of(file).open(OpenMode.BRINGING_FORWARD), options);
    }

    /**
     * Opens the store in the schema {@code pawl} of the PostgreSQL database that {@code source} leads to, which is there already.
     *
     * @throws IllegalArgumentException when there is no store in that schema
     */
    public static Pawl open(DataSource source) {
        return open(source, SCHEMA, PawlOptions.usual());
    }

    /** Like {@link #open(DataSource)}, with options of one's own. */
    public static Pawl open(DataSource source, PawlOptions options) {
        return open(source, SCHEMA, options);
    }

    /** Like {@link #open(DataSource)}, in a schema of another name, with options of one's own. */
    public static Pawl open(DataSource source, String schema, PawlOptions options) {
        if (!PostgresStore.isThere(source, schema)) {
            throw new IllegalArgumentException(
                    "there is no store in schema " + schema + " of that database; Pawl.openOrCreate makes one");
        }
        return openOrCreate(source, schema, options);
    }

    /** Opens the store in the schema {@code pawl} of the PostgreSQL database that {@code source} leads to, making it when it is not there. */
    public static Pawl openOrCreate(DataSource source) {
        return openOrCreate(source, SCHEMA, PawlOptions.usual());
    }

    /** Like {@link #openOrCreate(DataSource)}, with options of one's own. */
    public static Pawl openOrCreate(DataSource source, PawlOptions options) {
        return openOrCreate(source, SCHEMA, options);
    }

    /** Like {@link #openOrCreate(DataSource)}, in a schema of another name, with options of one's own. */
    public static Pawl openOrCreate(DataSource source, String schema, PawlOptions options) {
        return over(PostgresStore.open(source, schema), options);
    }

    /** Works over a store of one's own, which is closed with this. */
    public static Pawl over(Store store, PawlOptions options) {
        return new Pawl(store, options);
    }

    /** A store that is gone with the process: for trying things out. */
    public static Pawl inMemory() {
        return over(new MemoryStore(Time.system()), PawlOptions.usual());
    }

    // ---- jobs

    /**
     * Runs jobs of these workflows here from now on, also those that a dead process left behind.
     *
     * @throws IllegalStateException when it works already
     */
    public void work(Workflow.Implementation<?, ?>... workflows) {
        work(List.of(workflows));
    }

    /** {@link #work(Workflow.Implementation...)}, for who collects them from several places. */
    public void work(Collection<? extends Workflow.Implementation<?, ?>> workflows) {
        for (var code : workflows) {
            Values.requireKept(code.workflow().input());
            Values.requireKept(code.workflow().output());
        }
        engine.work(List.copyOf(workflows));
    }

    /** Stops working politely, as {@link #close} does, and no more: jobs are submitted and waited for as before, and it may work again. Does nothing when it does not work. */
    public void stopWorking() {
        engine.stopWorking();
    }

    /**
     * Submits a job. The same workflow and key is the same job, whatever its state: a finished one is not done again.
     *
     * @throws SubmitConflict when the job is in flight or failed with another input
     */
    public <I, O> Submission<O> submit(Workflow<I, O> workflow, Key key, I input) {
        return submit(workflow, key, input, Handling.usual());
    }

    /**
     * Submits a job that is to be taken in a special way: from a queue, sooner or later than others, not before a time, few at once, on
     * somebody's behalf. A job that is there already stays as it is.
     *
     * @throws SubmitConflict when the job is in flight or failed with another input
     */
    public <I, O> Submission<O> submit(Workflow<I, O> workflow, Key key, I input, Handling handling) {
        var identity = new Identity(workflow.name(), key);
        var json = written(workflow, input);
        var applied = engine.submit(identity, json, handling);
        return new Submission<>(
                engine,
                workflow,
                Objects.requireNonNull(applied.stored(), "the store did not say which job it is"),
                Submission.Arrival.unless(applied, json));
    }

    /**
     * Submits a job inside the caller's own transaction: when that commits, the job is there together with whatever else it wrote; when it does not, the job
     * never was. What people keep an outbox table for.
     *
     * @param connection to the store's own database, in a transaction that the caller commits
     * @return whether it is new; joining it makes sense only after the commit
     * @throws SubmitConflict when the job is in flight or failed with another input
     * @throws UnsupportedOperationException when the store has no SQL
     */
    public <I> Submission.Arrival submit(Connection connection, Workflow<I, ?> workflow, Key key, I input) {
        return submit(connection, workflow, key, input, Handling.usual());
    }

    /** Like {@link #submit(Connection, Workflow, Key, Object)}, to be taken as {@code handling} says. */
    public <I> Submission.Arrival submit(
            Connection connection, Workflow<I, ?> workflow, Key key, I input, Handling handling) {
        var json = written(workflow, input);
        var applied = store.sql()
                .orElseThrow(() -> new UnsupportedOperationException(store.describe() + " has no SQL"))
                .submitWithin(
                        connection,
                        new Change.SubmitJob(
                                new Identity(workflow.name(), key), new StoredJob.Given(json, handling), null));
        return Submission.Arrival.unless(applied, json);
    }

    /**
     * Submits many jobs in few commits, to be taken as usual.
     *
     * @return what each came to
     */
    public <I> Map<Key, Submission.Arrival> submitAll(Workflow<I, ?> workflow, Map<Key, I> inputs) {
        return submitAll(workflow, inputs, Handling.usual());
    }

    /** Like {@link #submitAll(Workflow, Map)}, to be taken as {@code handling} says. */
    public <I> Map<Key, Submission.Arrival> submitAll(Workflow<I, ?> workflow, Map<Key, I> inputs, Handling handling) {
        var changes = new LinkedHashMap<Identity, String>();
        inputs.forEach((key, input) -> changes.put(new Identity(workflow.name(), key), written(workflow, input)));
        var applied = engine.submitAll(changes, handling).iterator();
        var how = new LinkedHashMap<Key, Submission.Arrival>();
        changes.forEach((identity, json) -> how.put(identity.key(), Submission.Arrival.of(applied.next(), json)));
        return how;
    }

    /** An input as it is stored, and compared with; what could not be read again, or is longer than any result, is refused here and not where it is worked on. */
    private static <I> String written(Workflow<I, ?> workflow, I input) {
        Values.requireKept(workflow.input());
        Values.requireKept(workflow.output());
        var json = Json.canonical(Values.write(input, workflow.input()));
        if (json.length() > Values.MOST_CHARS) {
            throw new IllegalArgumentException("the input of a job of " + workflow.name() + " has " + json.length()
                    + " characters; the most is " + Values.MOST_CHARS + ": keep it in a file and give its name");
        }
        return json;
    }

    // ---- looking

    /** The job as it stands. */
    public Optional<StoredJob> find(Workflow<?, ?> workflow, Key key) {
        return store.find(new Identity(workflow.name(), key));
    }

    /** @throws IllegalArgumentException when there is no such job */
    private StoredJob there(Workflow<?, ?> workflow, Key key) {
        return find(workflow, key)
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no job " + new Identity(workflow.name(), key) + " in " + store.describe()));
    }

    /** The job as it stands. */
    public Optional<StoredJob> find(Identity identity) {
        return store.find(identity);
    }

    /** The job with this number, which is its short name in this store. */
    public Optional<StoredJob> find(long number) {
        return store.job(number);
    }

    /** A page of the jobs that {@code query} asks for, without their payloads: {@code JobQuery.in(FAILED).workflow("essay")}. */
    public JobPage jobs(JobQuery query) {
        return store.jobs(query);
    }

    /**
     * Waits until no job runs here and none is due.
     *
     * @return whether that is so; false when {@code atMost} passed first
     */
    public boolean awaitQuiet(Duration atMost) throws InterruptedException {
        return engine.awaitQuiet(atMost);
    }

    /** What waits for a person: jobs that ask, and gates that somebody must open. */
    public Questions questions() {
        var asking = new ArrayList<JobSummary>();
        store.eachJob(JobQuery.in(JobState.PAUSED), asking::add);
        asking.sort(Comparator.comparingLong(JobSummary::id));
        return new Questions(
                asking,
                closedGates().stream()
                        .filter(gate -> gate.closing() != null && gate.closing().until() == null)
                        .toList());
    }

    /** What happened to jobs after {@code cursor}, at most {@code most}; go on from the last one's cursor. */
    public List<Occurrence> happened(Cursor cursor, int most) {
        return store.happened(cursor, most);
    }

    /** What happened to jobs after {@code cursor} and is {@code wanted}, at most {@code most}; go on from the page's own cursor. */
    public OccurrencePage happened(Cursor cursor, Predicate<Occurrence> wanted, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a page has at least 1 line, not " + most);
        }
        var found = new ArrayList<Occurrence>();
        var next = cursor;
        for (var looks = 0; looks < MOST_LOOKS; looks++) {
            var happened = store.happened(next, Followers.AT_ONCE);
            for (var one : happened) {
                if (found.size() == most) {
                    return new OccurrencePage(found, next, true);
                }
                if (wanted.test(one)) {
                    found.add(one);
                }
                next = one.cursor();
            }
            if (happened.size() < Followers.AT_ONCE) {
                return new OccurrencePage(found, next, false);
            }
        }
        return new OccurrencePage(found, next, true);
    }

    /** Follows what happens to jobs from {@code cursor} on, until the watch is closed. */
    public Watch watch(Cursor cursor, Consumer<Occurrence> told) {
        return watch(cursor, one -> true, told);
    }

    /** Follows what happens and is {@code wanted}. However many follow, the store is looked at once for all that have come equally far. */
    public Watch watch(Cursor cursor, Predicate<Occurrence> wanted, Consumer<Occurrence> told) {
        try {
            // Whoever gives a cursor that is none hears of it.
            store.happened(cursor, 1);
        } catch (StoreFailure away) {
            // It is waited for.
        }
        return new Watch(followers, cursor, wanted, told);
    }

    /**
     * Prunes jobs that are done or were called off and ended before {@code endedBefore}, in small commits. Of each a tombstone stays for ever, so
     * it is never done again by accident. Failed jobs, and what an unfinished job waits for, stay.
     *
     * @return how many were pruned
     */
    public long prune(Instant endedBefore) {
        var all = 0L;
        while (engine.change(new Change.PruneJobs(endedBefore, PRUNED_AT_ONCE)) instanceof Applied.Pruned pruned
                && pruned.jobs() > 0) {
            all += pruned.jobs();
        }
        return all;
    }

    /** Everything that was recorded about a job, in the order in which it was. */
    public List<JournalLine> journal(StoredJob job) {
        return Logs.whole(store.journal(job.id()));
    }

    /** {@link #journal(StoredJob)} by workflow and key. */
    public List<JournalLine> journal(Workflow<?, ?> workflow, Key key) {
        return journal(there(workflow, key));
    }

    /** Part of what was recorded about a job, newest or oldest first. What an attempt wrote, where its result says the same, is shown only if both are in this part. */
    public JournalPage journal(long job, ListPart part) {
        var page = store.journal(job, part);
        return new JournalPage(Logs.whole(page.lines()), page.next());
    }

    // ---- what people say

    /**
     * Answers the question that {@code asking} asks. The decision is for that very question: if the job asks something else by now, it is
     * refused.
     */
    public void decide(StoredJob asking, Decision decision) {
        var question = asking.outcome().question();
        if (question == null) {
            var gate = asking.outcome().gate();
            throw new DecisionConflict("job " + asking.identity() + " is " + asking.state() + " and asks nothing"
                    + (gate == null ? "" : "; it waits at gate " + gate + ", and \"pawl gates\" says when that opens"));
        }
        PersonsChange.checked(engine.change(
                new Change.Decide(asking.id(), engine.newId(), question.id(), decision.at(ThisProcess.origin()))));
    }

    /** Answers what the job asks now. */
    public void decide(Workflow<?, ?> workflow, Key key, Decision decision) {
        decide(there(workflow, key), decision);
    }

    /**
     * Sends a signal to a job, which may wait for it now or later. Sent again under the same id it arrives once.
     *
     * @param id what tells this signal from every other, such as the webhook's own id
     * @param payload what it tells; not null, which a wait could not tell from a time-out
     * @return whether it is news; false when one with this id was there already, perhaps from this very call when the store's first answer was
     *     lost. What it tells is not compared
     * @throws IllegalArgumentException when the job has ended and nobody waits for it any more
     */
    public boolean signal(StoredJob job, String name, Object payload, String id) {
        if (Values.write(payload).equals("null")) {
            throw new IllegalArgumentException(
                    "signal " + name
                            + " tells nothing, which a wait cannot tell from a time-out; send a value, true if there is no other");
        }
        var message = new Message(id, Message.Kind.SIGNAL, Names.check("signal", name), Values.write(payload));
        var delivered = engine.change(new Change.Deliver(job.id(), message));
        PersonsChange.checked(delivered);
        return delivered instanceof Applied.Now;
    }

    /** {@link #signal(StoredJob, String, Object, String)} by workflow and key. */
    public boolean signal(Workflow<?, ?> workflow, Key key, String name, Object payload, String id) {
        return signal(there(workflow, key), name, payload, id);
    }

    /**
     * Calls a job off, and with it the jobs that it called. It stops at its next boundary; an act in flight is awaited, and what may have
     * happened is asked about first.
     */
    public void cancel(StoredJob job, Audit audit) {
        PersonsChange.checked(engine.change(new Change.CancelJob(job.id(), engine.newId(), PersonsChange.here(audit))));
    }

    /** {@link #cancel(StoredJob, Audit)} by workflow and key. */
    public void cancel(Workflow<?, ?> workflow, Key key, Audit audit) {
        cancel(there(workflow, key), audit);
    }

    /** Limits how many jobs of a queue run at once, in all processes together; the common queue is called "". Holds until it is set anew. */
    public void limitQueue(String queue, int most) {
        PersonsChange.checked(
                engine.change(new Change.LimitQueue(queue.isEmpty() ? queue : Names.check("queue", queue), most)));
    }

    /** The gates that are closed now, each one question for all who wait there. */
    public List<Gate> closedGates() {
        return store.closedGates().stream()
                .filter(gate -> gate.closedAt(Time.system().now()))
                .filter(gate -> !gate.isOfOneJob() || store.waitingAt(gate.name()) > 0)
                .toList();
    }

    /** Opens a gate as it was seen; all who wait there go on. Of a budget, as much again may be spent. */
    public void openGate(Gate closedGate, Audit audit) {
        PersonsChange.checked(engine.change(
                new Change.OpenGate(closedGate.name(), closedGate.closings(), PersonsChange.here(audit))));
    }

    /** Tries a failed job again; its budget starts anew. */
    public void retry(StoredJob failed, Audit audit) {
        PersonsChange.checked(
                engine.change(new Change.RetryJob(failed.id(), engine.newId(), PersonsChange.here(audit))));
    }

    /** {@link #retry(StoredJob, Audit)} by workflow and key. */
    public void retry(Workflow<?, ?> workflow, Key key, Audit audit) {
        retry(there(workflow, key), audit);
    }

    /**
     * Lets a job that waits to be tried again go on now. A sleep is not cut short, and no attempt more is allowed.
     *
     * @param evenNow whether a "retry" that was said before is believed although an earlier attempt may still land
     * @throws DecisionConflict when it does not wait for a time
     */
    public void hurry(StoredJob waiting, boolean evenNow, Audit audit) {
        PersonsChange.checked(engine.change(new Change.Deliver(
                waiting.id(), Message.hurry(Long.toString(engine.newId()), evenNow, PersonsChange.here(audit)))));
    }

    /** {@link #hurry(StoredJob, boolean, Audit)} by workflow and key. */
    public void hurry(Workflow<?, ?> workflow, Key key, boolean evenNow, Audit audit) {
        hurry(there(workflow, key), evenNow, audit);
    }

    /** Does a finished job again from the start, on purpose: its effects get new keys and happen again. */
    public void resubmit(StoredJob finished, Audit audit) {
        PersonsChange.checked(
                engine.change(new Change.ResubmitJob(finished.id(), engine.newId(), PersonsChange.here(audit))));
    }

    /** {@link #resubmit(StoredJob, Audit)} by workflow and key. */
    public void resubmit(Workflow<?, ?> workflow, Key key, Audit audit) {
        resubmit(there(workflow, key), audit);
    }

    /**
     * Deals with a failed job by giving it up. Of a job in another state of which an effect {@linkplain Operator#duplicated happened twice} it says
     * that somebody has dealt with that.
     */
    public void discard(StoredJob job, Audit audit) {
        PersonsChange.checked(
                engine.change(new Change.DiscardJob(job.id(), engine.newId(), PersonsChange.here(audit))));
    }

    /** {@link #discard(StoredJob, Audit)} by workflow and key. */
    public void discard(Workflow<?, ?> workflow, Key key, Audit audit) {
        discard(there(workflow, key), audit);
    }

    /**
     * What a job has cost, with the jobs that it called and those that they called. What is not known is not counted as nothing.
     */
    public Cost cost(StoredJob job) {
        return Spending.ofJob(store, job.id());
    }

    /** {@link #cost(StoredJob)} by workflow and key. */
    public Cost cost(Workflow<?, ?> workflow, Key key) {
        return cost(there(workflow, key));
    }

    /** What each attempt of a job has cost, without the jobs that it called. */
    public Costs costs(StoredJob job) {
        return Costs.of(store.journal(job.id()));
    }

    /**
     * The bytes of an artifact that a job kept.
     *
     * @throws IllegalStateException when it is a file that is gone or has changed
     */
    public Optional<byte[]> artifact(StoredJob job, Place place) {
        return Artifacts.read(store, job, place);
    }

    /** {@link #artifact(StoredJob, Place)} by workflow and key. */
    public Optional<byte[]> artifact(Workflow<?, ?> workflow, Key key, Place place) {
        return artifact(there(workflow, key), place);
    }

    /** A collection of rows that are not jobs; it is made with its first row. */
    public Ledger ledger(String collection) {
        return new Ledger(Names.check("collection", collection), store, engine);
    }

    /** How this process stands, within two seconds: whether its worker beats, whether the store answers, how long the oldest due job has waited. */
    public Health health() throws InterruptedException {
        return health(Duration.ofSeconds(2));
    }

    /** {@link #health()} within {@code atMost}: a store that has not answered by then does not answer. */
    public Health health(Duration atMost) throws InterruptedException {
        return engine.health(atMost);
    }

    /** What whoever operates the store needs beside this. */
    public Operator operator() {
        return new Operator(store, engine);
    }

    /** Stops politely, then closes the store. */
    @Override
    public void close() {
        followers.close();
        engine.close();
        store.close();
    }
}
