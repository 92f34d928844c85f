package dev.pawl.checks.simulation;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Supplier;

/** A store that takes a millisecond, and that a process which is cut off does not reach. */
final class SlowStore extends DelegatingStore {
    private final SimProcess process;

    SlowStore(Store store, SimProcess process) {
        super(store);
        this.process = process;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        process.pauseQuietly(Duration.ofMillis(1));
        reach();
        return super.exchange(changes, wanted);
    }

    @Override
    public List<WorkerRecord> workers() {
        reach();
        return super.workers();
    }

    @Override
    public List<Gate> gates() {
        return slowly(super::gates);
    }

    @Override
    public List<Spent> spent(LocalDate since) {
        return slowly(() -> super.spent(since));
    }

    /** What is read is as old as the answer's way back. */
    private <T> T slowly(Supplier<T> read) {
        reach();
        var answer = read.get();
        process.pauseQuietly(Duration.ofMillis(1));
        return answer;
    }

    private void reach() {
        if (process.isCutOff()) {
            throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "cut off", null);
        }
    }

    @Override
    public void close() {}
}
