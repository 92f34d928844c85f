package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.CornerConformance;

class MemoryCornerTest extends CornerConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }
}
