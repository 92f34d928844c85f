package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.ListConformance;

class MemoryListTest extends ListConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }
}
