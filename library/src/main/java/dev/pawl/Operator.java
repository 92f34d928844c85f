package dev.pawl;

import dev.pawl.cost.Cost;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Prices;
import dev.pawl.cost.Spent;
import dev.pawl.decision.Audit;
import dev.pawl.effect.KnownEnd;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.export.ExportFile;
import dev.pawl.export.LineSums;
import dev.pawl.failure.DecisionConflict;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Logs;
import dev.pawl.key.Identity;
import dev.pawl.lease.Silence;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.look.AttemptEvidence;
import dev.pawl.look.Brief;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.Envelope;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JobView;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.Change;
import dev.pawl.store.Reopening;
import dev.pawl.store.Store;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What whoever operates a store needs beside what its users do: how jobs stand in numbers, who works, what a question needs to be answered, what the store is called.
 * The command line and the pages stand on it. Thread-safe.
 */
public final class Operator {
    private final Store store;
    private final LocalEngine engine;

    Operator(Store store, LocalEngine engine) {
        this.store = store;
        this.engine = engine;
    }

    /** The workers that are enlisted, here and elsewhere. */
    public List<WorkerRecord> workers() {
        return store.workers();
    }

    /**
     * Other workers of which this one has heard nothing since it began to {@linkplain Pawl#work work}, or not for long: each works elsewhere or is dead, and what it has
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

    /**
     * Writes everything that is in the store, as it is at one moment, as JSON lines, while others may work with it. An export is to be read and kept: it is no
     * store, and nobody works with it.
     *
     * @return how many lines of each kind there are, with the sum of their hashes, as the last line says too
     */
    public Map<String, LineSums.Sum> export(Writer out) throws IOException {
        return ExportFile.write(out, store.describe(), store::export);
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

    /** What this version is, with the schemas that it writes. */
    public static String version() {
        var release = Pawl.class.getPackage().getImplementationVersion();
        return (release == null ? "(not packaged)" : release) + ", schema " + SqliteStore.SCHEMA + " (SQLite), "
                + PostgresStore.SCHEMA + " (PostgreSQL)";
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

    /**
     * What a person needs to find out at the destination what became of what the job asks about, of what failed it, or of what it is at; empty when it is at nothing
     * that was recorded.
     */
    public Optional<AttemptEvidence> evidence(StoredJob job) {
        return AttemptEvidence.of(job, Logs.whole(store.journal(job.id())));
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

    /** The jobs that {@code job} has called, itself. */
    public List<StoredJob> calledBy(StoredJob job) {
        return store.children(job.id());
    }

    /** The gates that were ever closed, as they are. */
    public List<Gate> gates() {
        return store.gates();
    }

    /** How many jobs wait at a gate. */
    public long waitingAt(Gate gate) {
        return store.waitingAt(gate.name());
    }

    /** @throws DecisionConflict when a job, as it was seen, cannot be {@linkplain Pawl#resubmit resubmitted} */
    public void requireResubmittable(StoredJob seen) {
        var objection = Reopening.objection(seen, Transition.RESUBMIT);
        if (objection != null) {
            PersonsChange.checked(objection);
        }
    }

    /**
     * Whether a worker that is alive, as far as can be told from here, has this job or could take it: its process is there and its beat was heard lately. For people,
     * who wait for something to come of it.
     */
    public boolean isAttended(JobView job) {
        var group = ClaimGroup.of(job.identity(), job.handling());
        return anybodyAlive(worker -> worker.id() == job.standing().owner() || group.isTakenBy(worker.taking()));
    }

    /**
     * Whether workers that are alive, as far as can be told from here, take jobs like this one, but none of them fits the version of its code that it was begun
     * with: it waits until one does.
     */
    public boolean fitsNobody(JobView job) {
        var handling = job.handling();
        var ofAnyVersion = ClaimGroup.of(job.identity(), handling.version(""));
        return !handling.version().isEmpty()
                && !isAttended(job)
                && anybodyAlive(worker -> ofAnyVersion.isTakenBy(worker.taking()));
    }

    private boolean anybodyAlive(Predicate<WorkerRecord> wanted) {
        var workers = store.workers();
        var gone = store.knownGone(workers);
        return workers.stream()
                .filter(worker -> worker.enlisted()
                        && !gone.contains(worker.id())
                        && worker.beaten()
                                .plus(worker.term().multipliedBy(2))
                                .isAfter(Time.system().now()))
                .anyMatch(wanted);
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
        PersonsChange.checked(engine.change(new Change.KeepPrices(table, PersonsChange.here(audit))));
    }

    /** The collections that there are, by name. */
    public List<LedgerCollection> collections() {
        return store.collections();
    }

    /** How to name the store on the command line, with a space before it; empty when it cannot be named. */
    public String storeOption() {
        return engine.storeOption();
    }
}
