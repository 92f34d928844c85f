package dev.pawl.store.document;

import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.look.StoredJob;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Gating;
import dev.pawl.store.document.RowDocument.RowName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one change reads and would write: copies of documents, with what they were when they were loaded. Nothing of it is so before {@link Documents#apply}
 * has found that all of it is still as it was. Not thread-safe.
 */
public final class WriteSet {

    /**
     * A small document and what takes its place.
     *
     * @param before what was loaded; null when there was none
     * @param after null when it goes away
     */
    public record Replaced<T>(@Nullable T before, @Nullable T after) {}

    private final Documents documents;
    private final Instant now;
    private final Map<Long, JobDocument> jobs = new LinkedHashMap<>();
    private final Map<Identity, JobDocument> byIdentity = new HashMap<>();
    private final Map<String, Replaced<Gate>> gates = new HashMap<>();
    private final Map<String, Replaced<Gating.Passed>> passed = new HashMap<>();
    private final Map<Long, Replaced<WorkerRecord>> workers = new HashMap<>();
    private final Set<Long> gone = new HashSet<>();
    private final Map<String, Integer> queueLimits = new HashMap<>();
    private final List<Spent> spendings = new ArrayList<>();
    private final Map<Long, Replaced<FollowUp>> followUps = new LinkedHashMap<>();
    private final Map<String, Replaced<LedgerCollection>> collections = new HashMap<>();
    private final Map<RowName, Replaced<LedgerPart>> parts = new HashMap<>();
    private final Map<RowName, Replaced<RowDocument>> rows = new LinkedHashMap<>();
    private @Nullable Replaced<KeptPrices> prices;
    private int othersLeft;
    private boolean readied;

    /** Nothing yet, at this time of the store's clock. */
    public WriteSet(Documents documents, Instant now) {
        this.documents = documents;
        this.now = now;
        this.othersLeft = documents.mostOthers();
    }

    /** The time of the store's clock at which all of it happens. */
    public Instant now() {
        return now;
    }

    Documents documents() {
        return documents;
    }

    // ---- what rules read and change

    @Nullable
    JobDocument job(long id) {
        var touched = jobs.get(id);
        return touched == null ? touch(documents.job(id)) : touched;
    }

    /** A job that somebody knows of: none is ever gone without a tombstone. */
    JobDocument there(long id) {
        return Objects.requireNonNull(job(id), () -> "job " + id + " is not there");
    }

    @Nullable
    JobDocument job(Identity identity) {
        var touched = byIdentity.get(identity);
        if (touched != null) {
            return touched;
        }
        var loaded = documents.job(identity);
        return loaded == null ? null : job(loaded.id);
    }

    JobDocument insert(Identity identity, StoredJob.Given given) {
        readied = true;
        return Objects.requireNonNull(touch(new JobDocument(documents.nextNumber(), identity, given, now)));
    }

    private @Nullable JobDocument touch(@Nullable JobDocument job) {
        if (job != null) {
            jobs.put(job.id, job);
            byIdentity.put(job.identity, job);
        }
        return job;
    }

    /** A job can be claimed now, or at a time that is known. */
    void readies() {
        readied = true;
    }

    @Nullable
    Gate gate(String name) {
        return read(gates, name, documents::gate);
    }

    void put(Gate gate) {
        write(gates, gate.name(), gate);
    }

    Gating.@Nullable Passed passed(String gate) {
        return read(passed, gate, documents::passed);
    }

    void put(String gate, Gating.Passed more) {
        write(passed, gate, more);
    }

    @Nullable
    WorkerRecord worker(long id) {
        return read(workers, id, documents::worker);
    }

    void put(WorkerRecord worker) {
        write(workers, worker.id(), worker);
    }

    /** A worker is gone for good. */
    void forget(long worker) {
        write(workers, worker, null);
        gone.add(worker);
    }

    void put(KeptPrices kept) {
        prices = new Replaced<>(documents.prices(), kept);
    }

    @Nullable
    FollowUp followUp(long id) {
        return read(followUps, id, documents::followUp);
    }

    /** Keeps what is left to do, for whoever goes on with it. */
    void leave(FollowUp.Rest rest) {
        var id = documents.nextNumber();
        followUps.put(id, new Replaced<>(null, new FollowUp(id, rest)));
    }

    /** What was left to do is done, or is now left in another way. */
    void done(FollowUp followUp) {
        write(followUps, followUp.id(), null);
    }

    @Nullable
    LedgerCollection collection(String name) {
        return read(collections, name, documents::collection);
    }

    void put(LedgerCollection collection) {
        write(collections, collection.name(), collection);
    }

    @Nullable
    LedgerPart part(RowName name) {
        return read(parts, name, documents::part);
    }

    void put(RowName name, LedgerPart part) {
        write(parts, name, part);
    }

    @Nullable
    RowDocument row(RowName name) {
        return read(rows, name, documents::row);
    }

    void put(RowName name, RowDocument rowDocument) {
        write(rows, name, rowDocument);
    }

    /** How many other jobs may be changed yet. */
    int othersLeft() {
        return othersLeft;
    }

    /** Another job is changed. */
    void changesAnother() {
        othersLeft--;
    }

    void limit(String queue, int most) {
        queueLimits.put(queue, most);
    }

    void spend(Spent spent) {
        spendings.add(spent);
    }

    /** What was read is compared when the set is applied, also when it stays as it was. */
    private static <K, T> @Nullable T read(Map<K, Replaced<T>> touched, K key, Function<K, @Nullable T> load) {
        return touched.computeIfAbsent(key, unused -> {
                    var loaded = load.apply(key);
                    return new Replaced<>(loaded, loaded);
                })
                .after();
    }

    /** No rule writes what it has not read: it would not know what it replaces. */
    private static <K, T> void write(Map<K, Replaced<T>> touched, K key, @Nullable T after) {
        var read = Objects.requireNonNull(touched.get(key), "what is written was read before");
        touched.put(key, new Replaced<>(read.before(), after));
    }

    // ---- what is applied

    /** The jobs that were loaded or made, as they should be; each was at its {@link JobDocument#version} before. */
    public Collection<JobDocument> jobs() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /** Gates, by name. */
    public Map<String, Replaced<Gate>> gates() {
        return Collections.unmodifiableMap(gates);
    }

    /** What passed gates that let through so many in a time, by the gate's name. */
    public Map<String, Replaced<Gating.Passed>> passed() {
        return Collections.unmodifiableMap(passed);
    }

    /** Workers, by number. */
    public Map<Long, Replaced<WorkerRecord>> workers() {
        return Collections.unmodifiableMap(workers);
    }

    /** Numbers of workers that are known to be gone from then on, also when they were never there. */
    public Set<Long> gone() {
        return Collections.unmodifiableSet(gone);
    }

    /** What is left to do, by number. */
    public Map<Long, Replaced<FollowUp>> followUps() {
        return Collections.unmodifiableMap(followUps);
    }

    /** How many jobs of a queue may run at once. */
    public Map<String, Integer> queueLimits() {
        return Collections.unmodifiableMap(queueLimits);
    }

    /** What was spent, to be added to what was spent before. */
    public List<Spent> spendings() {
        return Collections.unmodifiableList(spendings);
    }

    /** Collections of rows, by name. */
    public Map<String, Replaced<LedgerCollection>> collections() {
        return Collections.unmodifiableMap(collections);
    }

    /** Parts of collections. */
    public Map<RowName, Replaced<LedgerPart>> parts() {
        return Collections.unmodifiableMap(parts);
    }

    /** Rows of collections. */
    public Map<RowName, Replaced<RowDocument>> rows() {
        return Collections.unmodifiableMap(rows);
    }

    /** Prices; null when they stay. */
    public @Nullable Replaced<KeptPrices> prices() {
        return prices;
    }

    /** Whether a job became claimable. */
    public boolean readied() {
        return readied;
    }
}
