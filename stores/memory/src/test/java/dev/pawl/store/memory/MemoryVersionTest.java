package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.VersionConformance;

class MemoryVersionTest extends VersionConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }
}
