package dev.pawl.engine.local;

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
import dev.pawl.store.Abilities;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Exchanged;
import dev.pawl.store.FollowUp;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store for a rehearsal: it has one journal to read, and whoever wants to write or to be sure of a lease is sent away. */
final class PaperStore implements Store {
    private final List<JournalLine> journal;
    private final Instant now;

    PaperStore(List<JournalLine> journal, Instant now) {
        this.journal = List.copyOf(journal);
        this.now = now;
    }

    /** A rehearsal writes nothing: whoever would is told that the job is not its own. */
    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        var applied = changes.stream()
                .map(change -> (Applied) new Applied.LeaseLost())
                .toList();
        return new Exchanged(applied, List.of(), null, now);
    }

    @Override
    public List<JournalLine> journal(long job) {
        return journal;
    }

    @Override
    public Optional<StoredJob> find(Identity identity) {
        return Optional.empty();
    }

    @Override
    public Optional<StoredJob> job(long id) {
        return Optional.empty();
    }

    @Override
    public JobPage jobs(JobQuery query) {
        return new JobPage(List.of(), null);
    }

    @Override
    public void eachJob(JobQuery query, Consumer<JobSummary> told) {
        // There is none.
    }

    @Override
    public List<StoredJob> wholeJobs(@Nullable String workflow, Set<JobState> states, long after, int most) {
        return List.of();
    }

    @Override
    public List<UnfinishedJobs> unfinished(Instant since, Instant until) {
        return List.of();
    }

    @Override
    public List<EndedJobs> ended(TimeWindow window) {
        return List.of();
    }

    @Override
    public JournalPage journal(long job, ListPart part) {
        return new JournalPage(journal, null);
    }

    @Override
    public List<Gate> closedGates() {
        return List.of();
    }

    @Override
    public Map<String, Brief> briefs(Collection<String> hashes) {
        return Map.of();
    }

    @Override
    public List<Occurrence> happened(Cursor cursor, int most) {
        return List.of();
    }

    @Override
    public Optional<Instant> earliestDue() {
        return Optional.empty();
    }

    @Override
    public List<ClaimGroup> due(Instant before) {
        return List.of();
    }

    @Override
    public Optional<Bytes> artifact(long job, Place place) {
        return Optional.empty();
    }

    @Override
    public List<StoredJob> children(long job) {
        return List.of();
    }

    @Override
    public List<StoredJob> waitedFor(long job, int most) {
        return List.of();
    }

    @Override
    public List<JobSummary> duplicated(int most) {
        return List.of();
    }

    @Override
    public List<Spent> spent(LocalDate day) {
        return List.of();
    }

    @Override
    public List<Gate> gates() {
        return List.of();
    }

    @Override
    public Optional<KeptPrices> pricesAfter(long number) {
        return Optional.empty();
    }

    @Override
    public long waitingAt(String gate) {
        return 0;
    }

    @Override
    public Map<String, Cost> spentByWorkflow() {
        return Map.of();
    }

    @Override
    public void export(Consumer<StoreLine> told) {
        // There is nothing.
    }

    @Override
    public Map<String, LineSums.Sum> receive(IncomingStore arriving) {
        throw new IllegalStateException("a plan moves nowhere");
    }

    @Override
    public boolean hold(String token) {
        throw new IllegalStateException("a plan moves nowhere");
    }

    @Override
    public void letGo(String token) {
        // Nothing is held.
    }

    @Override
    public List<LedgerCollection> collections() {
        return List.of();
    }

    @Override
    public List<RowCount> rowCounts(String collection) {
        return List.of();
    }

    @Override
    public LedgerPage rows(LedgerQuery rowQuery) {
        return new LedgerPage(List.of(), null);
    }

    @Override
    public Optional<RowHistory> row(String collection, String key) {
        return Optional.empty();
    }

    @Override
    public List<LedgerPart> parts(String collection, String behind, int most) {
        return List.of();
    }

    @Override
    public SentPage sent(String collection, String part, Cursor behind, int most) {
        return new SentPage(List.of(), null);
    }

    @Override
    public List<FollowUp> followUps(long after, int most) {
        return List.of();
    }

    @Override
    public List<WorkerRecord> workers() {
        return List.of();
    }

    @Override
    public void onReady(Runnable hint) {
        // Nothing is ever ready here.
    }

    @Override
    public Abilities abilities() {
        return Abilities.PLAIN;
    }

    @Override
    public String describe() {
        return "a recorded journal";
    }

    @Override
    public void close() {}
}
