package dev.pawl.checks.simulation;

import dev.pawl.job.JobState;
import dev.pawl.journal.Line;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Change;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store that takes a millisecond. */
record SlowStore(Store store, SimProcess process) implements Store {

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        process.pauseQuietly(Duration.ofMillis(1));
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
    public void onReady(Runnable hint) {
        store.onReady(hint);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public void close() {}
}
