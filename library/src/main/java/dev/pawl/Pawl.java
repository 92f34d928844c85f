package dev.pawl;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Prices;
import dev.pawl.cost.Spent;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.effect.KnownEnd;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.export.ExportFile;
import dev.pawl.export.LineSums;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Costs;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Logs;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Names;
import dev.pawl.key.Place;
import dev.pawl.lease.Silence;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.store.Applied;
import dev.pawl.store.Brief;
import dev.pawl.store.Change;
import dev.pawl.store.Cursor;
import dev.pawl.store.EndedJobs;
import dev.pawl.store.JobPage;
import dev.pawl.store.JobQuery;
import dev.pawl.store.JobSummary;
import dev.pawl.store.JobView;
import dev.pawl.store.JournalPage;
import dev.pawl.store.KeptPrices;
import dev.pawl.store.ListPart;
import dev.pawl.store.Occurrence;
import dev.pawl.store.OccurrencePage;
import dev.pawl.store.OpenMode;
import dev.pawl.store.Reopening;
import dev.pawl.store.Spending;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import dev.pawl.store.TimeWindow;
import dev.pawl.store.UnfinishedJobs;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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

    /** So often is looked for what is wanted before a page is given out with less. */
    private static final int MOST_LOOKS = 10;

    private Pawl(Store store, PawlOptions options) {
        this.store = store;
        this.followers = new Followers(store);
        this.engine = new LocalEngine(
                store,
                options.named() == null ? store.option() : options.named(),
                EnginePorts.system(options.events()),
                options.engineOptions());
        engine.whenItGivesUp(options.givesUp());
    }

    /** Opens the SQLite file {@code file}, making it when it is not there. */
    public static Pawl open(Path file) {
        return open(file, PawlOptions.usual());
    }

    /** Opens the SQLite file {@code file} with options of one's own. */
    public static Pawl open(Path file, PawlOptions options) {
        return new Pawl(SqliteStore.open(file, Time.system()), options);
    }

    /**
     * Opens the store at {@code address}, which is there already.
     *
     * @param address as {@link StoreAddress} knows it
     * @throws IllegalArgumentException when there is no store
     */
    public static Pawl open(String address, PawlOptions options) {
        return open(address, options, OpenMode.BRINGING_FORWARD);
    }

    /**
     * Opens the store at {@code address}, which is there already, as far as {@code opening} allows: to look at it changes nothing and needs no right to write.
     *
     * @throws IllegalArgumentException when there is no store
     */
    public static Pawl open(String address, PawlOptions options, OpenMode opening) {
        return new Pawl(StoreAddress.of(address).openThere(opening), options);
    }

    /** What this version is, with the schemas that it writes. */
    public static String version() {
        var release = Pawl.class.getPackage().getImplementationVersion();
        return (release == null ? "(not packaged)" : release) + ", schema " + SqliteStore.SCHEMA + " (SQLite), "
                + PostgresStore.SCHEMA + " (PostgreSQL)";
    }

    /** Opens the store at {@code address}, making it when it is not there. */
    public static Pawl make(String address, PawlOptions options) {
        return new Pawl(StoreAddress.of(address).open(OpenMode.BRINGING_FORWARD), options);
    }

    /**
     * The one true name of a store's file, whatever it is called here: symbolic links are followed.
     *
     * @throws dev.pawl.store.StoreFailure when the file has another name that cannot be told from it, a hard link or a mount of the file alone
     */
    public static Path oneName(Path file) {
        return SqliteStore.oneName(file);
    }

    /** The workers that are enlisted, here and elsewhere. */
    public List<WorkerRecord> workers() {
        return store.workers();
    }

    /**
     * Other workers of which this one has heard nothing since it began to {@link #work}, or not for long: each works elsewhere or is dead, and what it has
     * goes on here when it stays silent for the rest of its term.
     */
    public List<Silence> silences() {
        return engine.silences();
    }

    /** What tells the store from every other, however its address is spelled; empty for a file, which is where it is. */
    public Optional<String> storeIdentity() {
        return store.identity();
    }

    /** Where the store is, in a few words and without secrets. */
    public String describe() {
        return store.describe();
    }

    /** Opens the store in the schema {@code pawl} of the PostgreSQL database that {@code source} leads to, making it when it is not there. */
    public static Pawl open(DataSource source) {
        return open(source, PawlOptions.usual());
    }

    /** Opens the store in the schema {@code pawl} of the PostgreSQL database that {@code source} leads to, with options of one's own. */
    public static Pawl open(DataSource source, PawlOptions options) {
        return open(source, "pawl", options);
    }

    /** Like {@link #open(DataSource, PawlOptions)}, in a schema of another name. */
    public static Pawl open(DataSource source, String schema, PawlOptions options) {
        return new Pawl(PostgresStore.open(source, schema), options);
    }

    /**
     * Writes everything that is in the store, as it is at one moment, as JSON lines, while others may work with it. An export is to be read and kept: it is no
     * store, and nobody works with it.
     *
     * @return how many lines of each kind there are, with the sum of their hashes, as the last line says too
     */
    public Map<String, LineSums.Sum> export(Writer out) throws IOException {
        return ExportFile.write(out, store.describe(), store::export);
    }

    /**
     * Copies the store in the SQLite file {@code file} to {@code to}, as it is now, while others may work with it. The copy knows that it is one:
     * it opens only once it is {@link #restore restored}.
     */
    public static void backUp(Path file, Path to) {
        SqliteStore.backUp(file, to);
    }

    /**
     * Makes a backup, or a file whose log was lost, the store. What was done after the backup was made, or was in that log, is not in it and would be done
     * again: so everybody waits at the gate {@link GateNames#RESTORED} until a person has looked, and opens it. Any other file is not touched.
     */
    public static void restore(Path file) {
        SqliteStore.restore(file, Time.system());
    }

    /** When a backup was last put in this store's place, by the store's clock; empty when none ever was. */
    public Optional<Instant> restored() {
        return store.gates().stream()
                .filter(gate -> gate.name().equals(GateNames.RESTORED))
                .findFirst()
                .map(gate -> gate.closing() != null
                        ? gate.closing().since()
                        : gate.openings().getLast().at());
    }

    /** A store that is gone with the process: for trying things out. */
    public static Pawl inMemory() {
        return new Pawl(new MemoryStore(Time.system()), PawlOptions.usual());
    }

    /**
     * Runs jobs of these workflows here from now on, also those that a dead process left behind.
     *
     * @throws IllegalStateException when called a second time
     */
    public void work(Workflow.Implementation<?, ?>... workflows) {
        engine.work(List.of(workflows));
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
        var json = Json.canonical(Json.write(input));
        var applied = engine.submit(identity, json, handling);
        return switch (how(applied, json)) {
            case NEW, SAME, CHANGED -> submission(workflow, applied.stored(), how(applied, json));
            case CONFLICT -> throw new SubmitConflict(((Applied.Conflict) applied).why());
        };
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
        var json = Json.canonical(Json.write(input));
        var applied = store.sql()
                .orElseThrow(() -> new UnsupportedOperationException(store.describe() + " has no SQL"))
                .submitWithin(
                        connection,
                        new Change.SubmitJob(
                                new Identity(workflow.name(), key), new StoredJob.Given(json, handling), null));
        var how = how(applied, json);
        if (how == Submission.Arrival.CONFLICT) {
            throw new SubmitConflict(((Applied.Conflict) applied).why());
        }
        return how;
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
        inputs.forEach(
                (key, input) -> changes.put(new Identity(workflow.name(), key), Json.canonical(Json.write(input))));
        var applied = engine.submitAll(changes, handling).iterator();
        var how = new LinkedHashMap<Key, Submission.Arrival>();
        changes.forEach((identity, json) -> how.put(identity.key(), how(applied.next(), json)));
        return how;
    }

    private static Submission.Arrival how(Applied applied, String json) {
        return switch (applied) {
            case Applied.Now ignored -> Submission.Arrival.NEW;
            case Applied.Already already ->
                already.job() != null && already.job().wasGiven(json)
                        ? Submission.Arrival.SAME
                        : Submission.Arrival.CHANGED;
            case Applied.Conflict ignored -> Submission.Arrival.CONFLICT;
            case Applied.Refused refused -> throw new IllegalArgumentException(refused.why());
            case Applied.LeaseLost ignored -> throw new IllegalStateException("a submission needs no lease");
            case Applied.Duplicated ignored -> throw new IllegalStateException("a submission is no answer");
            case Applied.TookOver ignored -> throw new IllegalStateException("a submission takes nothing over");
            case Applied.CalledOff ignored -> throw new IllegalStateException("a submission begins nothing in a job");
            case Applied.NotYet ignored -> throw new IllegalStateException("a submission passes no gate");
            case Applied.Pruned ignored -> throw new IllegalStateException("a submission prunes nothing");
            case Applied.Beaten ignored -> throw new IllegalStateException("a submission raises no beat");
            case Applied.Mended ignored -> throw new IllegalStateException("a submission mends nothing");
            case Applied.OfRows ignored -> throw new IllegalStateException("a submission enrols no rows");
        };
    }

    private <O> Submission<O> submission(Workflow<?, O> workflow, @Nullable StoredJob job, Submission.Arrival how) {
        if (job == null) {
            throw new IllegalStateException("the store did not say which job it is");
        }
        return new Submission<>(engine, workflow, job, how);
    }

    /** The job as it stands. */
    public Optional<StoredJob> find(Workflow<?, ?> workflow, Key key) {
        return store.find(new Identity(workflow.name(), key));
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

    /** Tells all jobs that {@code query} asks for, each once and in no particular order. One that comes into another state meanwhile is told as it is then, or left out. */
    public void eachJob(JobQuery query, Consumer<JobSummary> told) {
        store.eachJob(query, told);
    }

    /** Jobs of a workflow in these states with all that belongs to them, in the order of their numbers, from behind {@code after} on: for whoever copies them. */
    public List<StoredJob> wholeJobs(String workflow, Set<JobState> states, long after, int most) {
        return store.wholeJobs(workflow, states, after, most);
    }

    /** How the jobs stand that have not ended: counts for each group, state and owner, and how many of them came into their state since {@code since}. */
    public List<UnfinishedJobs> unfinished(Instant since) {
        return store.unfinished(since, Time.system().now());
    }

    /** How many jobs ended in {@code window} and have stayed so. Those of which only the tombstone is left are counted only over all times. */
    public List<EndedJobs> ended(TimeWindow window) {
        return store.ended(window);
    }

    /**
     * How jobs stand, by the hashes of their identities ({@link Identity#hash}): those that are there. Reads only; made for very many.
     */
    public Map<String, Brief> briefs(Collection<String> hashes) {
        return store.briefs(hashes);
    }

    /**
     * Waits until no job runs here and none is due.
     *
     * @return whether that is so; false when {@code atMost} passed first
     */
    public boolean awaitQuiet(Duration atMost) throws InterruptedException {
        return engine.awaitQuiet(atMost);
    }

    /**
     * Tells what became of an attempt that somebody here knows of, unless the store knows it: a question that asks for it is closed, and what
     * has happened twice is told.
     *
     * @return whether it was news
     */
    public boolean tell(KnownEnd end) {
        return engine.tell(end);
    }

    /** What has kept the store from taking anything for so long, while this process worked: a full disk, say; empty when nothing has. */
    public Optional<String> storeTroubleFor(Duration atLeast) {
        return engine.storeTroubleFor(atLeast);
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
     * What a person needs to find out at the destination what became of what the job asks about, of what failed it, or of what it is at; empty when it is at nothing
     * that was recorded.
     */
    public Optional<AttemptEvidence> evidence(StoredJob job) {
        return AttemptEvidence.of(job, journal(job));
    }

    /** A job in the plain form that scripts and operators read. */
    public Envelope envelope(StoredJob job) {
        var owner = store.workers().stream()
                .filter(worker ->
                        worker.enlisted() && worker.id() == job.standing().owner())
                .findFirst();
        return Envelope.of(
                job,
                store.journal(job.id()),
                owner.orElse(null),
                engine.attemptsOf(job.identity().workflow()));
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

    /** Part of what was recorded about a job, newest or oldest first. What an attempt wrote, where its result says the same, is shown only if both are in this part. */
    public JournalPage journal(long job, ListPart part) {
        var page = store.journal(job, part);
        return new JournalPage(Logs.whole(page.lines()), page.next());
    }

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
        checked(engine.change(
                new Change.Decide(asking.id(), engine.newId(), question.id(), decision.at(ThisProcess.origin()))));
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
        if (Json.write(payload).equals("null")) {
            throw new IllegalArgumentException(
                    "signal " + name
                            + " tells nothing, which a wait cannot tell from a time-out; send a value, true if there is no other");
        }
        var message = new Message(id, Message.Kind.SIGNAL, Names.check("signal", name), Json.write(payload));
        var delivered = engine.change(new Change.Deliver(job.id(), message));
        checked(delivered);
        return delivered instanceof Applied.Now;
    }

    /**
     * Calls a job off, and with it the jobs that it called. It stops at its next boundary; an act in flight is awaited, and what may have
     * happened is asked about first.
     */
    public void cancel(StoredJob job, Audit audit) {
        checked(engine.change(new Change.CancelJob(job.id(), engine.newId(), here(audit))));
    }

    /** The jobs that {@code job} has called, itself. */
    public List<StoredJob> calledBy(StoredJob job) {
        return store.children(job.id());
    }

    /** Limits how many jobs of a queue run at once, in all processes together; the common queue is called "". Holds until it is set anew. */
    public void limitQueue(String queue, int most) {
        checked(engine.change(new Change.LimitQueue(queue.isEmpty() ? queue : Names.check("queue", queue), most)));
    }

    /** The gates that are closed now, each one question for all who wait there. */
    public List<Gate> closedGates() {
        return store.closedGates().stream()
                .filter(gate -> gate.closedAt(Time.system().now()))
                .filter(gate -> !gate.isOfOneJob() || store.waitingAt(gate.name()) > 0)
                .toList();
    }

    /** The gates that were ever closed, as they are. */
    public List<Gate> gates() {
        return store.gates();
    }

    /** How many jobs wait at a gate. */
    public long waitingAt(Gate gate) {
        return store.waitingAt(gate.name());
    }

    /** Opens a gate as it was seen; all who wait there go on. Of a budget, as much again may be spent. */
    public void open(Gate closedGate, Audit audit) {
        checked(engine.change(new Change.OpenGate(closedGate.name(), closedGate.closings(), here(audit))));
    }

    /** A name is claimed; the user and the machine are what they are. */
    private static Audit here(Audit audit) {
        return audit.at(ThisProcess.origin());
    }

    /** Tries a failed job again; its budget starts anew. */
    public void retry(StoredJob failed, Audit audit) {
        checked(engine.change(new Change.RetryJob(failed.id(), engine.newId(), here(audit))));
    }

    /**
     * Lets a job that waits to be tried again go on now. A sleep is not cut short, and no attempt more is allowed.
     *
     * @param evenNow whether a "retry" that was said before is believed although an earlier attempt may still land
     * @throws DecisionConflict when it does not wait for a time
     */
    public void hurry(StoredJob waiting, boolean evenNow, Audit audit) {
        checked(engine.change(
                new Change.Deliver(waiting.id(), Message.hurry(Long.toString(engine.newId()), evenNow, here(audit)))));
    }

    /** Does a finished job again from the start, on purpose: its effects get new keys and happen again. */
    public void resubmit(StoredJob finished, Audit audit) {
        checked(engine.change(new Change.ResubmitJob(finished.id(), engine.newId(), here(audit))));
    }

    /** @throws DecisionConflict when a job, as it was seen, cannot be {@link #resubmit resubmitted} */
    public void requireResubmittable(StoredJob seen) {
        var objection = Reopening.objection(seen, Transition.RESUBMIT);
        if (objection != null) {
            checked(objection);
        }
    }

    /**
     * Whether a worker that is alive, as far as can be told from here, has this job or could take it: its process is there and its beat was heard lately. For people,
     * who wait for something to come of it.
     */
    public boolean isAttended(JobView job) {
        var workers = store.workers();
        var gone = store.knownGone(workers);
        var handling = job.handling();
        return workers.stream()
                .filter(worker -> worker.enlisted()
                        && !gone.contains(worker.id())
                        && worker.beaten()
                                .plus(worker.term().multipliedBy(2))
                                .isAfter(Time.system().now()))
                .anyMatch(worker -> worker.id() == job.standing().owner()
                        || worker.taking().takes(job.identity().workflow(), handling.queue(), handling.principal()));
    }

    /**
     * Deals with a failed job by giving it up. Of a job in another state of which an effect {@linkplain #duplicated happened twice} it says
     * that somebody has dealt with that.
     */
    public void discard(StoredJob job, Audit audit) {
        checked(engine.change(new Change.DiscardJob(job.id(), engine.newId(), here(audit))));
    }

    /** How many jobs of a workflow were pruned: they are known to be done, and their results are not kept. */
    public long pruned(String workflow) {
        return store.ended(TimeWindow.EVER).stream()
                .filter(ended -> ended.pruned()
                        && ended.state() == JobState.DONE
                        && ended.group().workflow().equals(workflow))
                .mapToLong(EndedJobs::many)
                .sum();
    }

    /** Jobs of which an effect happened twice and nobody has said that it was dealt with, the first thousand; none of them is pruned. */
    public List<JobSummary> duplicated() {
        return store.duplicated(1_000);
    }

    private static void checked(Applied applied) {
        switch (applied) {
            case Applied.Now ignored -> {}
            case Applied.Already ignored -> {}
            case Applied.Duplicated ignored -> {}
            case Applied.TookOver ignored -> {}
            case Applied.Conflict conflict -> throw new DecisionConflict(conflict.why());
            case Applied.Refused refused -> throw new IllegalArgumentException(refused.why());
            case Applied.LeaseLost ignored -> throw new IllegalStateException("a person's word needs no lease");
            case Applied.CalledOff ignored -> throw new IllegalStateException("a person's word begins nothing");
            case Applied.NotYet ignored -> throw new IllegalStateException("a person's word passes no gate");
            case Applied.Pruned ignored -> {}
            case Applied.Beaten ignored -> {}
            case Applied.Mended ignored -> {}
            case Applied.OfRows ignored -> {}
        }
    }

    /**
     * What a job has cost, with the jobs that it called and those that they called. What is not known is not counted as nothing.
     */
    public Cost cost(StoredJob job) {
        return Spending.ofJob(store, job.id());
    }

    /** What each attempt of a job has cost, without the jobs that it called. */
    public Costs costs(StoredJob job) {
        return Costs.of(store.journal(job.id()));
    }

    /** What each workflow has spent in all. */
    public Map<String, Cost> spentByWorkflow() {
        return store.spentByWorkflow();
    }

    /** What was spent from {@code day} on (UTC), by workflow, day and model. */
    public List<Spent> spent(LocalDate day) {
        return store.spent(day);
    }

    /** The prices that the store keeps for everybody who is given no others; empty when none were ever imported. */
    public Optional<KeptPrices> prices() {
        return store.pricesAfter(0);
    }

    /**
     * Puts a table in the place of the store's prices. Whoever works with the store, and was given no other, goes by it within a second; what was recorded
     * before keeps its price.
     */
    public void keepPrices(Prices table, Audit audit) {
        checked(engine.change(new Change.KeepPrices(table, here(audit))));
    }

    /**
     * The bytes of an artifact that a job kept.
     *
     * @throws IllegalStateException when it is a file that is gone or has changed
     */
    public Optional<byte[]> artifact(StoredJob job, Place place) {
        return Artifacts.read(store, job, place);
    }

    /** A collection of rows that are not jobs; it is made with its first row. */
    public Ledger ledger(String collection) {
        return new Ledger(Names.check("collection", collection), store, engine);
    }

    /** The collections that there are, by name. */
    public List<LedgerCollection> collections() {
        return store.collections();
    }

    /** How to name the store on the command line, with a space before it; empty when it cannot be named. */
    public String storeOption() {
        return engine.storeOption();
    }

    /** Stops politely, then closes the store. */
    @Override
    public void close() {
        followers.close();
        engine.close();
        store.close();
    }
}
