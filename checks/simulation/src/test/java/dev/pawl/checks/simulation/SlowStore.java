package dev.pawl.checks.simulation;

import dev.pawl.store.Change;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.DelegatingStore;
import java.time.Duration;
import java.util.List;

/** A store that takes a millisecond. */
final class SlowStore extends DelegatingStore {
    private final SimProcess process;

    SlowStore(Store store, SimProcess process) {
        super(store);
        this.process = process;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        process.pauseQuietly(Duration.ofMillis(1));
        return super.exchange(changes, wanted);
    }

    @Override
    public void close() {}
}
