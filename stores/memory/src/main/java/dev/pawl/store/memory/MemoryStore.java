package dev.pawl.store.memory;

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
import dev.pawl.look.Tombstone;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.Abilities;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.FollowUp;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.store.document.DocumentRules;
import dev.pawl.store.document.JobDocument;
import dev.pawl.time.Time;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store in memory. Several workers may share one, as processes share a file. Thread-safe. */
public final class MemoryStore implements Store {
    private final Time time;
    private final Abilities abilities;
    private final ReentrantLock lock = new ReentrantLock();
    private MemoryDocuments documents;
    private MemoryClaims claims;
    private @Nullable String arrived;
    private @Nullable String holding;
    private final List<Runnable> hints = new CopyOnWriteArrayList<>();

    /** An empty store whose clock is {@code time}. */
    public MemoryStore(Time time) {
        this(time, FollowUp.MOST_OTHERS);
    }

    /**
     * An empty store whose clock is {@code time}.
     *
     * @param mostOthers so many other jobs one change touches at the most; what is left is gone on with in further ones
     */
    public MemoryStore(Time time, int mostOthers) {
        this(time, mostOthers, Abilities.PLAIN);
    }

    /** The same, with only these abilities. */
    MemoryStore(Time time, int mostOthers, Abilities abilities) {
        this.time = time;
        this.abilities = abilities;
        this.documents = new MemoryDocuments(mostOthers);
        this.claims = new MemoryClaims(documents);
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        Exchanged exchanged;
        boolean hinting;
        lock.lock();
        try {
            var now = time.now();
            var applied = new ArrayList<Applied>(changes.size());
            var claimed = new ArrayList<Claimed>();
            for (var change : changes) {
                var objection = abilities.objection(change);
                applied.add(objection == null ? DocumentRules.make(documents, change, now, claimed) : objection);
            }
            var next = claims.claim(wanted, now, claimed);
            exchanged = new Exchanged(applied, claimed, next, claims.limited(), now);
            hinting = documents.readied();
        } finally {
            lock.unlock();
        }
        if (hinting) {
            hints.forEach(Runnable::run);
        }
        return exchanged;
    }

    @Override
    public Optional<StoredJob> find(Identity identity) {
        return reading(() -> Optional.ofNullable(documents.find(identity)).map(JobDocument::view));
    }

    @Override
    public Optional<StoredJob> job(long id) {
        return reading(() -> Optional.ofNullable(documents.find(id)).map(JobDocument::view));
    }

    @Override
    public JobPage jobs(JobQuery query) {
        return reading(() -> MemoryLists.jobs(documents.all(), query));
    }

    @Override
    public void eachJob(JobQuery query, Consumer<JobSummary> told) {
        reading(() -> MemoryLists.all(documents.all(), query)).forEach(told);
    }

    @Override
    public List<StoredJob> wholeJobs(@Nullable String workflow, Set<JobState> states, long after, int most) {
        return reading(() -> documents.after(after).stream()
                .map(JobDocument::view)
                .filter(job -> !job.pruned()
                        && states.contains(job.state())
                        && (workflow == null || workflow.equals(job.identity().workflow())))
                .limit(most)
                .toList());
    }

    @Override
    public List<UnfinishedJobs> unfinished(Instant since, Instant now) {
        return reading(() -> MemoryLists.unfinished(documents.all(), since, now));
    }

    @Override
    public List<EndedJobs> ended(TimeWindow window) {
        return reading(() -> MemoryLists.ended(documents.all(), window));
    }

    @Override
    public Map<String, Brief> briefs(Collection<String> hashes) {
        var wanted = Set.copyOf(hashes);
        return reading(() -> documents.all().stream()
                .map(JobDocument::view)
                .filter(job -> wanted.contains(job.identity().hash()))
                .collect(Collectors.toMap(
                        job -> job.identity().hash(),
                        job -> new Brief(
                                job.state(),
                                Tombstone.hashOf(job.given().input()),
                                job.standing().times().due(),
                                job.outcome().gate()))));
    }

    @Override
    public List<Occurrence> happened(Cursor cursor, int most) {
        return reading(() -> MemoryOccurrences.after(documents, cursor, most));
    }

    @Override
    public Optional<Instant> earliestDue() {
        return reading(() -> documents.all().stream()
                .map(JobDocument::view)
                .filter(job -> job.state().claimable())
                .map(job -> job.standing().times().due())
                .flatMap(Stream::ofNullable)
                .min(Comparator.naturalOrder()));
    }

    @Override
    public List<ClaimGroup> due(Instant before) {
        return reading(() -> documents.all().stream()
                .map(JobDocument::view)
                .filter(job -> job.state().claimable() && isDue(job, before))
                .map(job -> ClaimGroup.of(job.identity(), job.given().handling()))
                .distinct()
                .toList());
    }

    private static boolean isDue(StoredJob job, Instant before) {
        var due = job.standing().times().due();
        return due != null && !due.isAfter(before);
    }

    @Override
    public List<JournalLine> journal(long job) {
        return reading(() -> {
            var found = documents.find(job);
            return found == null ? List.<JournalLine>of() : List.copyOf(found.journal());
        });
    }

    @Override
    public JournalPage journal(long job, ListPart part) {
        return MemoryLists.journal(journal(job), part);
    }

    @Override
    public void export(Consumer<StoreLine> told) {
        reading(() -> documents.lines().toList()).forEach(told);
    }

    @Override
    public Map<String, LineSums.Sum> receive(IncomingStore arriving) {
        return reading(() -> {
            var token = arriving.token();
            if (token != null && !hold(token)) {
                return Map.<String, LineSums.Sum>of();
            }
            if (!documents.isUnused()) {
                throw IncomingStore.noRoom(describe());
            }
            var arrivals = new MemoryDocuments(documents.mostOthers());
            var told = new LineSums();
            arriving.lines().to(line -> {
                told.add(line);
                arrivals.take(line);
            });
            var there = new LineSums();
            arrivals.lines().forEach(there::add);
            IncomingStore.requireWhole(told, there);
            documents = arrivals;
            claims = new MemoryClaims(arrivals);
            arrived = token;
            holding = null;
            return there.byWord();
        });
    }

    @Override
    public boolean hold(String token) {
        return reading(() -> {
            if (token.equals(arrived)) {
                return false;
            }
            if (holding != null && !holding.equals(token)) {
                throw IncomingStore.another(describe());
            }
            if (!documents.isUnused()) {
                throw IncomingStore.noRoom(describe());
            }
            holding = token;
            return true;
        });
    }

    @Override
    public void letGo(String token) {
        reading(() -> {
            holding = token.equals(holding) ? null : holding;
            return true;
        });
    }

    @Override
    public List<LedgerCollection> collections() {
        return reading(() -> List.copyOf(documents.ledger().collections.values()));
    }

    @Override
    public List<RowCount> rowCounts(String collection) {
        return reading(() -> documents.ledger().counts(collection));
    }

    @Override
    public LedgerPage rows(LedgerQuery rowQuery) {
        return reading(() -> documents.ledger().rows(rowQuery));
    }

    @Override
    public Optional<RowHistory> row(String collection, String key) {
        return reading(() -> documents.ledger().row(collection, key));
    }

    @Override
    public List<LedgerPart> parts(String collection, String behind, int most) {
        return reading(() -> documents.ledger().parts(collection, behind, most));
    }

    @Override
    public SentPage sent(String collection, String part, Cursor behind, int most) {
        return reading(() -> documents.ledger().sent(collection, part, behind, most));
    }

    @Override
    public List<FollowUp> followUps(long after, int most) {
        return reading(() -> documents.followUps(after, most));
    }

    @Override
    public List<WorkerRecord> workers() {
        return reading(() -> List.copyOf(documents.workers()));
    }

    @Override
    public Optional<Bytes> artifact(long job, Place place) {
        return reading(() -> Optional.ofNullable(documents.find(job)).map(found -> found.artifact(place)));
    }

    @Override
    public List<StoredJob> children(long job) {
        return reading(() -> documents.children(job));
    }

    @Override
    public List<StoredJob> waitedFor(long job, int most) {
        return reading(() -> {
            var run = Objects.requireNonNull(documents.find(job))
                    .view()
                    .standing()
                    .resubmission();
            return documents.all().stream()
                    .filter(child -> child.callers().stream()
                            .anyMatch(caller -> caller.parent() == job && caller.resubmission() == run))
                    .map(JobDocument::view)
                    .filter(child -> !child.state().finished())
                    .sorted(Comparator.comparing(StoredJob::state).thenComparingLong(StoredJob::id))
                    .limit(most)
                    .toList();
        });
    }

    @Override
    public List<JobSummary> duplicated(int most) {
        return reading(() -> documents.all().stream()
                .filter(JobDocument::duplicated)
                .limit(most)
                .map(job -> JobSummary.of(job.view()))
                .toList());
    }

    @Override
    public List<Spent> spent(LocalDate day) {
        return reading(() -> documents.spent(day));
    }

    @Override
    public List<Gate> gates() {
        return reading(() -> List.copyOf(documents.gates()));
    }

    @Override
    public List<Gate> closedGates() {
        return gates().stream().filter(gate -> gate.closing() != null).toList();
    }

    @Override
    public Optional<KeptPrices> pricesAfter(long number) {
        return reading(() -> Optional.ofNullable(documents.prices()).filter(prices -> prices.number() > number));
    }

    @Override
    public long waitingAt(String gate) {
        return reading(() -> documents.waitingAt(gate));
    }

    @Override
    public Map<String, Cost> spentByWorkflow() {
        return reading(documents::spentByWorkflow);
    }

    private interface LookAtDocuments<T> {
        T read();
    }

    private <T> T reading(LookAtDocuments<T> reading) {
        lock.lock();
        try {
            return reading.read();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReady(Runnable hint) {
        hints.add(hint);
    }

    @Override
    public Abilities abilities() {
        return abilities;
    }

    @Override
    public String describe() {
        return "store in memory";
    }

    @Override
    public void close() {}
}
