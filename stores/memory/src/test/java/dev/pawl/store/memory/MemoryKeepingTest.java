package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.KeepingConformance;

class MemoryKeepingTest extends KeepingConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }
}
