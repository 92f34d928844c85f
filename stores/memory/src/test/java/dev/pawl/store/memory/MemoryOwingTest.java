package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.OwingConformance;

class MemoryOwingTest extends OwingConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }
}
