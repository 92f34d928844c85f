package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.StoreConformance;

class MemoryStoreConformanceTest extends StoreConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }

    @Override
    protected boolean hasSql() {
        return false;
    }

    @Override
    protected boolean knowsTheDead() {
        return false;
    }
}
