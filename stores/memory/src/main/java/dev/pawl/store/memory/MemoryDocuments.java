package dev.pawl.store.memory;

import dev.pawl.cost.Cost;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Spent;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Gating;
import dev.pawl.store.StoreLines;
import dev.pawl.store.document.Documents;
import dev.pawl.store.document.JobDocument;
import dev.pawl.store.document.RowDocument;
import dev.pawl.store.document.RowDocument.RowName;
import dev.pawl.store.document.WriteSet;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the store holds. Guarded by the store's lock. */
final class MemoryDocuments implements Documents {
    private static final TreeSet<Long> NONE = new TreeSet<>();

    private final TreeMap<Long, JobDocument> jobs = new TreeMap<>();
    private final Map<Identity, JobDocument> byIdentity = new HashMap<>();
    private final TreeMap<Long, WorkerRecord> workers = new TreeMap<>();
    private final Map<Long, Long> lastClaim = new HashMap<>();
    private final Map<String, Gate> gates = new TreeMap<>();
    private final Map<String, Gating.Passed> passed = new HashMap<>();
    private final Map<String, Integer> queueLimits = new HashMap<>();
    private final Map<List<String>, Spent> spendings =
            new TreeMap<>(Comparator.comparing((List<String> key) -> String.join("\u0000", key)));
    private final Map<String, Cost> spentByWorkflow = new HashMap<>();
    private final Map<Long, Instant> gone = new HashMap<>();
    private final TreeMap<Long, FollowUp> followUps = new TreeMap<>();

    /** Which jobs a job has called. */
    private final Map<Long, TreeSet<Long>> called = new HashMap<>();

    private final MemoryLedger ledger = new MemoryLedger(this::nextNumber);

    private final RoomLeft room = new RoomLeft(this);
    private final int mostOthers;
    private @Nullable KeptPrices prices;
    private long number;
    private boolean readied;

    MemoryDocuments(int mostOthers) {
        this.mostOthers = mostOthers;
    }

    // ---- for whoever only looks: the documents themselves

    Collection<JobDocument> all() {
        return jobs.values();
    }

    Collection<JobDocument> after(long id) {
        return jobs.tailMap(id, false).values();
    }

    @Nullable
    JobDocument find(long id) {
        return jobs.get(id);
    }

    @Nullable
    JobDocument find(Identity identity) {
        return byIdentity.get(identity);
    }

    Collection<WorkerRecord> workers() {
        return workers.values();
    }

    Collection<Gate> gates() {
        return gates.values();
    }

    Map<String, Integer> queueLimits() {
        return queueLimits;
    }

    List<Spent> spent(LocalDate from) {
        return spendings.values().stream()
                .filter(spent -> !spent.day().isBefore(from))
                .toList();
    }

    List<FollowUp> followUps(long after, int most) {
        return followUps.tailMap(after, false).values().stream().limit(most).toList();
    }

    List<StoredJob> children(long parent) {
        return calledBy(parent, Integer.MAX_VALUE, 0, Integer.MAX_VALUE).stream()
                .map(child -> Objects.requireNonNull(jobs.get(child)).view())
                .toList();
    }

    long waitingAt(String gate) {
        return waitingAt(gate, Long.MAX_VALUE, Integer.MAX_VALUE).size();
    }

    /** Everything that is here, kind after kind. */
    Stream<StoreLine> lines() {
        return Arrays.stream(StoreKind.values()).flatMap(this::lines);
    }

    private Stream<StoreLine> lines(StoreKind kind) {
        return switch (kind) {
            case JOB, ENTRY, ATTEMPT, CALL, ARTIFACT -> jobs.values().stream().flatMap(job -> job.lines(kind));
            case FOLLOW_UP -> followUps.values().stream().map(StoreLines::line);
            case WORKER ->
                workers.values().stream()
                        .map(worker -> StoreLines.line(worker, lastClaim.getOrDefault(worker.id(), 0L)));
            case GONE ->
                new TreeMap<>(gone)
                        .entrySet().stream()
                                .map(one -> StoreLine.of(
                                        kind, one.getKey(), one.getValue().toEpochMilli()));
            case QUEUE ->
                new TreeMap<>(queueLimits)
                        .entrySet().stream().map(one -> StoreLine.of(kind, one.getKey(), one.getValue()));
            case GATE -> gates.values().stream().map(StoreLines::line);
            case PASSED ->
                new TreeMap<>(passed)
                        .entrySet().stream()
                                .map(one -> StoreLine.of(
                                        kind,
                                        one.getKey(),
                                        one.getValue().since().toEpochMilli(),
                                        one.getValue().taken()));
            case SPENT -> spendings.values().stream().map(StoreLines::line);
            case PRICES -> Stream.ofNullable(prices).map(StoreLines::line);
            case COLLECTION, PART, ROW, PAYLOAD, ROW_ATTEMPT, ROW_WORD -> ledger.lines(kind);
            case TABLE, TABLE_ROW -> Stream.empty();
        };
    }

    /** Takes in what another store has told. */
    void take(StoreLine line) {
        switch (line.kind()) {
            case JOB -> {
                var job = JobDocument.of(line);
                jobs.put(job.id(), job);
                byIdentity.put(job.identity(), job);
                numberedTo(Math.max(job.id(), job.ended()));
            }
            case ENTRY -> {
                jobOf(line, "job").take(line);
                numberedTo(line.number("number"));
            }
            case ATTEMPT, ARTIFACT -> jobOf(line, "job").take(line);
            case CALL -> {
                jobOf(line, "child").take(line);
                called.computeIfAbsent(line.number("parent"), unused -> new TreeSet<>())
                        .add(line.number("child"));
            }
            case FOLLOW_UP -> {
                var left = StoreLines.followUp(line);
                followUps.put(left.id(), left);
                numberedTo(left.id());
            }
            case WORKER -> {
                var worker = StoreLines.worker(line);
                workers.put(worker.id(), worker);
                lastClaim.put(worker.id(), line.number("claim"));
            }
            case GONE -> gone.put(line.number("worker"), line.time("at"));
            case QUEUE -> queueLimits.put(line.text("name"), Math.toIntExact(line.number("most")));
            case GATE -> gates.put(line.text("name"), StoreLines.gate(line));
            case PASSED ->
                passed.put(
                        line.text("gate"),
                        new Gating.Passed(line.time("since"), Math.toIntExact(line.number("taken"))));
            case SPENT -> spend(StoreLines.spent(line));
            case PRICES -> prices = StoreLines.prices(line);
            case COLLECTION, PART, ROW, PAYLOAD, ROW_ATTEMPT, ROW_WORD -> numberedTo(ledger.take(line));
            case TABLE, TABLE_ROW -> throw new IllegalArgumentException("a store in memory has no tables");
        }
    }

    private void numberedTo(long taken) {
        number = Math.max(number, taken);
    }

    private JobDocument jobOf(StoreLine line, String field) {
        var job = jobs.get(line.number(field));
        if (job == null) {
            throw new IllegalArgumentException("a line of kind " + line.kind().word() + " belongs to job "
                    + line.number(field) + ", which is not there");
        }
        return job;
    }

    /** Whether nobody has worked here. */
    boolean isUnused() {
        return jobs.isEmpty() && workers.isEmpty() && ledger.collections.isEmpty();
    }

    /** Takes note of the last claim of a worker; returns whether it is a new one. */
    boolean claims(long worker, long claim) {
        if (claim <= lastClaim.getOrDefault(worker, 0L)) {
            return false;
        }
        lastClaim.put(worker, claim);
        return true;
    }

    /** Whether a job became claimable since this was asked last. */
    boolean readied() {
        var any = readied;
        readied = false;
        return any;
    }

    List<JobDocument> held(long worker) {
        return where(view -> view.state() == JobState.RUNNING && view.standing().owner() == worker)
                .toList();
    }

    Map<String, Cost> spentByWorkflow() {
        return Map.copyOf(spentByWorkflow);
    }

    @Override
    public Set<Long> calledOff(long worker) {
        return held(worker).stream()
                .filter(job -> job.view().standing().cancelling())
                .map(JobDocument::id)
                .collect(Collectors.toSet());
    }

    private Stream<JobDocument> where(Predicate<StoredJob> so) {
        return jobs.values().stream().filter(job -> so.test(job.view()));
    }

    private static List<Long> ids(Stream<JobDocument> some) {
        return some.map(JobDocument::id).toList();
    }

    // ---- for rules: copies

    @Override
    public @Nullable JobDocument job(long id) {
        var there = jobs.get(id);
        return there == null ? null : there.copy();
    }

    @Override
    public @Nullable JobDocument job(Identity identity) {
        var there = byIdentity.get(identity);
        return there == null ? null : there.copy();
    }

    @Override
    public @Nullable Gate gate(String name) {
        return gates.get(name);
    }

    @Override
    public Gating.@Nullable Passed passed(String gate) {
        return passed.get(gate);
    }

    @Override
    public @Nullable WorkerRecord worker(long id) {
        return workers.get(id);
    }

    @Override
    public boolean isGone(long worker, Instant now) {
        gone.values().removeIf(since -> since.isBefore(now.minus(Change.Enlist.REMEMBERED)));
        return gone.containsKey(worker);
    }

    @Override
    public @Nullable KeptPrices prices() {
        return prices;
    }

    @Override
    public boolean hasRoom(Handling handling) {
        return room.now().take(handling);
    }

    @Override
    public List<Long> ownedBy(long worker, int most) {
        return ids(held(worker).stream().limit(most));
    }

    @Override
    public List<Long> waitingAt(String gate, long closings, int most) {
        return ids(where(view -> view.state() == JobState.WAITING
                        && gate.equals(view.outcome().gate()))
                .filter(job -> job.gateClosings() <= closings)
                .limit(most));
    }

    @Override
    public List<Long> calledBy(long parent, int resubmission, long after, int most) {
        var there = jobs.get(parent);
        if (there == null || there.pruned()) {
            return List.of();
        }
        return called.getOrDefault(parent, NONE).tailSet(after, false).stream()
                .filter(child -> Objects.requireNonNull(jobs.get(child)).callers().stream()
                        .anyMatch(caller -> caller.parent() == parent && caller.resubmission() <= resubmission))
                .limit(most)
                .toList();
    }

    @Override
    public @Nullable FollowUp followUp(long id) {
        return followUps.get(id);
    }

    @Override
    public boolean isLeftOf(long job) {
        return followUps.values().stream().anyMatch(one -> one.rest().job() == job);
    }

    @Override
    public int mostOthers() {
        return mostOthers;
    }

    @Override
    public List<Long> endedBefore(Instant when) {
        return ids(where(view -> (view.state() == JobState.DONE || view.state() == JobState.CANCELLED)
                        && view.standing().times().changed().isBefore(when)
                        && !view.pruned())
                .filter(job -> !job.duplicated()));
    }

    @Override
    public List<Long> changedAfter(Instant now) {
        return ids(where(view -> view.standing().times().changed().isAfter(now)));
    }

    @Override
    public List<String> closedAfter(Instant now) {
        return gates.values().stream()
                .filter(gate -> gate.closing() != null && gate.closing().since().isAfter(now))
                .map(Gate::name)
                .toList();
    }

    MemoryLedger ledger() {
        return ledger;
    }

    @Override
    public @Nullable LedgerCollection collection(String name) {
        return ledger.collection(name);
    }

    @Override
    public @Nullable LedgerPart part(RowName name) {
        return ledger.parts.get(name);
    }

    @Override
    public @Nullable RowDocument row(RowName name) {
        return ledger.rows.get(name);
    }

    @Override
    public List<RowName> settledRows(String collection, Instant changedBefore, int most) {
        return ledger.settled(collection, changedBefore, most);
    }

    @Override
    public long nextNumber() {
        return ++number;
    }

    // ---- comparing and applying

    @Override
    public boolean apply(WriteSet set) {
        if (!isAsItWas(set)) {
            return false;
        }
        for (var job : set.jobs()) {
            var kept = job.applied();
            jobs.put(kept.id(), kept);
            byIdentity.put(kept.identity(), kept);
            kept.callers()
                    .forEach(caller -> called.computeIfAbsent(caller.parent(), unused -> new TreeSet<>())
                            .add(kept.id()));
        }
        replace(gates, set.gates());
        replace(passed, set.passed());
        replace(workers, set.workers());
        replace(followUps, set.followUps());
        set.collections().forEach((name, one) -> put(one, ledger::put));
        set.parts().forEach((name, one) -> put(one, part -> ledger.put(name, part)));
        set.rows().forEach((name, one) -> put(one, row -> ledger.put(name, row)));
        set.gone().forEach(worker -> {
            lastClaim.remove(worker);
            gone.put(worker, set.now());
        });
        queueLimits.putAll(set.queueLimits());
        set.spendings().forEach(this::spend);
        var newPrices = set.prices();
        prices = newPrices == null ? prices : newPrices.after();
        readied |= set.readied();
        return true;
    }

    private boolean isAsItWas(WriteSet set) {
        return set.jobs().stream().allMatch(job -> {
                    var there = jobs.get(job.id());
                    // No job ever goes: one that is not there is new.
                    return there == null ? !byIdentity.containsKey(job.identity()) : there.version() == job.version();
                })
                && are(gates, set.gates())
                && are(passed, set.passed())
                && are(workers, set.workers())
                && are(followUps, set.followUps())
                && are(ledger.collections, set.collections())
                && are(ledger.parts, set.parts())
                && are(ledger.rows, set.rows())
                && (set.prices() == null || Objects.equals(prices, set.prices().before()));
    }

    private static <K, T> boolean are(Map<K, T> there, Map<K, WriteSet.Replaced<T>> replaced) {
        return replaced.entrySet().stream()
                .allMatch(one ->
                        Objects.equals(there.get(one.getKey()), one.getValue().before()));
    }

    private static <T> void put(WriteSet.Replaced<T> one, Consumer<T> putting) {
        var after = one.after();
        if (after != null && !after.equals(one.before())) {
            putting.accept(after);
        }
    }

    private static <K, T> void replace(Map<K, T> there, Map<K, WriteSet.Replaced<T>> replaced) {
        replaced.forEach((key, one) -> {
            var after = one.after();
            if (after == null) {
                there.remove(key);
            } else {
                there.put(key, after);
            }
        });
    }

    private void spend(Spent more) {
        spentByWorkflow.merge(more.workflow(), more.cost(), Cost::plus);
        spendings.merge(
                List.of(more.day().toString(), more.workflow(), more.model()),
                more,
                (before, one) -> new Spent(
                        before.workflow(),
                        before.day(),
                        before.model(),
                        before.cost().plus(one.cost())));
    }
}
