package dev.pawl.testkit;

import dev.pawl.job.JobState;
import dev.pawl.journal.Line;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Change;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Transactional;
import dev.pawl.store.Wanted;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store whose exchanges fail where a plan says so, before or after they took effect. Thread-safe when its plan is. */
public final class FaultyStore implements Store {

    /** What becomes of an exchange. */
    public enum Fate {
        /** Nothing goes wrong. */
        PASS,
        /** It fails, and nothing was done. */
        FAIL_BEFORE,
        /** It is done, and the caller gets an error all the same. */
        FAIL_AFTER
    }

    /** Decides what becomes of an exchange. */
    @FunctionalInterface
    public interface Plan {
        /** The fate of this exchange. */
        Fate fate(List<Change> changes, Wanted wanted);
    }

    private final Store store;
    private final Plan plan;

    /** {@code store}, failing as {@code plan} says. */
    public FaultyStore(Store store, Plan plan) {
        this.store = store;
        this.plan = plan;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        var fate = plan.fate(changes, wanted);
        if (fate == Fate.FAIL_BEFORE) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "planned: failed before it took effect", null);
        }
        var exchanged = store.exchange(changes, wanted);
        if (fate == Fate.FAIL_AFTER) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "planned: failed after it took effect", null);
        }
        return exchanged;
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
    public List<StoredJob> jobs(Set<JobState> states, long after, int most) {
        return store.jobs(states, after, most);
    }

    @Override
    public List<Line> journal(long job) {
        return store.journal(job);
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
    public Optional<Transactional> transactional() {
        return store.transactional();
    }

    @Override
    public String describe() {
        return store.describe() + ", with planned faults";
    }

    @Override
    public void close() {
        store.close();
    }
}
