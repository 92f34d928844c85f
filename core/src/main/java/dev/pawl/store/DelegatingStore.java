package dev.pawl.store;

import dev.pawl.cost.Cost;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Spent;
import dev.pawl.export.LineSums;
import dev.pawl.export.StoreLine;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPage;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.SentPage;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.Brief;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobPage;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JournalPage;
import dev.pawl.look.Occurrence;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store that does what another one does; what differs is overridden. */
public abstract class DelegatingStore implements Store {
    private final Store store;

    /** Does what {@code store} does. */
    protected DelegatingStore(Store store) {
        this.store = store;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        return store.exchange(changes, wanted);
    }

    @Override
    public Optional<StoredJob> find(Identity identity) {
        return store.find(identity);
    }

    @Override
    public Optional<StoredJob> job(long id) {
        return store.job(id);
    }

    @Override
    public JobPage jobs(JobQuery query) {
        return store.jobs(query);
    }

    @Override
    public void eachJob(JobQuery query, Consumer<JobSummary> told) {
        store.eachJob(query, told);
    }

    @Override
    public List<StoredJob> wholeJobs(@Nullable String workflow, Set<JobState> states, long after, int most) {
        return store.wholeJobs(workflow, states, after, most);
    }

    @Override
    public List<UnfinishedJobs> unfinished(Instant since, Instant until) {
        return store.unfinished(since, until);
    }

    @Override
    public List<EndedJobs> ended(TimeWindow window) {
        return store.ended(window);
    }

    @Override
    public JournalPage journal(long job, ListPart part) {
        return store.journal(job, part);
    }

    @Override
    public List<Gate> closedGates() {
        return store.closedGates();
    }

    @Override
    public List<Occurrence> happened(Cursor cursor, int most) {
        return store.happened(cursor, most);
    }

    @Override
    public Optional<Instant> earliestDue() {
        return store.earliestDue();
    }

    @Override
    public List<ClaimGroup> due(Instant before) {
        return store.due(before);
    }

    @Override
    public List<JournalLine> journal(long job) {
        return store.journal(job);
    }

    @Override
    public Map<String, Brief> briefs(Collection<String> hashes) {
        return store.briefs(hashes);
    }

    @Override
    public Optional<Bytes> artifact(long job, Place place) {
        return store.artifact(job, place);
    }

    @Override
    public List<StoredJob> children(long job) {
        return store.children(job);
    }

    @Override
    public List<StoredJob> waitedFor(long job, int most) {
        return store.waitedFor(job, most);
    }

    @Override
    public List<JobSummary> duplicated(int most) {
        return store.duplicated(most);
    }

    @Override
    public List<Spent> spent(LocalDate day) {
        return store.spent(day);
    }

    @Override
    public List<Gate> gates() {
        return store.gates();
    }

    @Override
    public Optional<KeptPrices> pricesAfter(long number) {
        return store.pricesAfter(number);
    }

    @Override
    public long waitingAt(String gate) {
        return store.waitingAt(gate);
    }

    @Override
    public Map<String, Cost> spentByWorkflow() {
        return store.spentByWorkflow();
    }

    @Override
    public void export(Consumer<StoreLine> told) {
        store.export(told);
    }

    @Override
    public Map<String, LineSums.Sum> receive(IncomingStore arriving) {
        return store.receive(arriving);
    }

    @Override
    public boolean hold(String token) {
        return store.hold(token);
    }

    @Override
    public void letGo(String token) {
        store.letGo(token);
    }

    @Override
    public List<LedgerCollection> collections() {
        return store.collections();
    }

    @Override
    public List<RowCount> rowCounts(String collection) {
        return store.rowCounts(collection);
    }

    @Override
    public LedgerPage rows(LedgerQuery rowQuery) {
        return store.rows(rowQuery);
    }

    @Override
    public Optional<RowHistory> row(String collection, String key) {
        return store.row(collection, key);
    }

    @Override
    public List<LedgerPart> parts(String collection, String behind, int most) {
        return store.parts(collection, behind, most);
    }

    @Override
    public SentPage sent(String collection, String part, Cursor behind, int most) {
        return store.sent(collection, part, behind, most);
    }

    @Override
    public List<FollowUp> followUps(long after, int most) {
        return store.followUps(after, most);
    }

    @Override
    public List<WorkerRecord> workers() {
        return store.workers();
    }

    @Override
    public Set<Long> knownGone(Collection<WorkerRecord> workers) {
        return store.knownGone(workers);
    }

    @Override
    public Lifeline lifeline(long worker) {
        return store.lifeline(worker);
    }

    @Override
    public void onReady(Runnable hint) {
        store.onReady(hint);
    }

    @Override
    public CommitsAtOnce commitsAtOnce() {
        return store.commitsAtOnce();
    }

    @Override
    public Abilities abilities() {
        return store.abilities();
    }

    @Override
    public Optional<SqlStore> sql() {
        return store.sql();
    }

    @Override
    public String option() {
        return store.option();
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public Optional<String> identity() {
        return store.identity();
    }
}
