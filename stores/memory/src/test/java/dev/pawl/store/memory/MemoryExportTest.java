package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.ExportConformance;

class MemoryExportTest extends ExportConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }

    @Override
    protected Store another() {
        return new MemoryStore(time);
    }
}
