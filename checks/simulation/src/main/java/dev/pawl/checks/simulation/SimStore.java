package dev.pawl.checks.simulation;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** A process's way to the one store: slow, and with answers that get lost while the storm lasts. */
final class SimStore extends DelegatingStore {

    private final SimProcess process;
    private final RandomGenerator random;
    private final Weather weather;
    private final Map<Long, SimProcess> lifelines;
    private final Judge judge;

    SimStore(
            Store store,
            SimProcess process,
            RandomGenerator random,
            Weather weather,
            Map<Long, SimProcess> lifelines,
            Judge judge) {
        super(store);
        this.judge = judge;
        this.process = process;
        this.random = random;
        this.weather = weather;
        this.lifelines = lifelines;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        reach();
        var faults = weather.now().store();
        if (random.nextDouble() < faults.frozen()) {
            weather.took(Fault.FROZEN_BEFORE_WRITING, process);
            process.freeze(Duration.ofSeconds(20 + random.nextInt(200)), false);
            process.pauseQuietly(Duration.ofNanos(1));
        }
        if (random.nextDouble() < faults.lostBefore()) {
            weather.took(Fault.NOT_EXECUTED, process);
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "simulated: not executed", null);
        }
        if (random.nextDouble() < faults.late()) {
            weather.took(Fault.EXECUTED_LATE, process);
            process.later(Duration.ofMillis(random.nextInt(60_000)), () -> super.exchange(changes, wanted));
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "simulated: executed later", null);
        }
        var exchanged = super.exchange(changes, wanted);
        judge.beats(changes, exchanged.applied());
        var lost = random.nextDouble() < faults.lostAfter();
        process.pauseQuietly(latency());
        if (lost) {
            weather.took(Fault.EXECUTED_BUT_ERROR, process);
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "simulated: executed, but error", null);
        }
        return exchanged;
    }

    private Duration latency() {
        return random.nextInt(50) == 0
                ? Duration.ofMillis(random.nextInt(2_000))
                : Duration.ofNanos(random.nextInt(2_000_000));
    }

    /** The way to the store: it takes a moment, or there is none. */
    private void reach() {
        process.pauseQuietly(latency());
        if (process.isCutOff()) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "simulated: cut off", null);
        }
    }

    @Override
    public List<JournalLine> journal(long job) {
        reach();
        return super.journal(job);
    }

    @Override
    public List<FollowUp> followUps(long after, int most) {
        reach();
        return super.followUps(after, most);
    }

    @Override
    public List<WorkerRecord> workers() {
        reach();
        return super.workers();
    }

    @Override
    public Optional<StoredJob> find(Identity identity) {
        reach();
        return super.find(identity);
    }

    @Override
    public Optional<StoredJob> job(long id) {
        reach();
        return super.job(id);
    }

    @Override
    public List<Gate> gates() {
        reach();
        return super.gates();
    }

    @Override
    public List<Spent> spent(LocalDate day) {
        reach();
        return super.spent(day);
    }

    @Override
    public List<StoredJob> children(long job) {
        reach();
        return super.children(job);
    }

    @Override
    public List<StoredJob> waitedFor(long job, int most) {
        reach();
        return super.waitedFor(job, most);
    }

    @Override
    public Map<String, Cost> spentByWorkflow() {
        reach();
        return super.spentByWorkflow();
    }

    @Override
    public Optional<Instant> earliestDue() {
        reach();
        return super.earliestDue();
    }

    @Override
    public List<ClaimGroup> due(Instant before) {
        reach();
        return super.due(before);
    }

    @Override
    public Set<Long> knownGone(Collection<WorkerRecord> workers) {
        var gone = new TreeSet<Long>();
        if (weather.kernelTells()) {
            for (var worker : workers) {
                var owner = lifelines.get(worker.id());
                if (owner == null || owner.crashed()) {
                    gone.add(worker.id());
                }
            }
        }
        return gone;
    }

    @Override
    public Lifeline lifeline(long worker) {
        lifelines.put(worker, process);
        return () -> lifelines.remove(worker);
    }

    @Override
    public void onReady(Runnable hint) {
        // Other processes cannot call us; workers look by themselves.
    }

    @Override
    public String describe() {
        return "simulated store";
    }

    @Override
    public void close() {}
}
