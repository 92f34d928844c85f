package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.LedgerConformance;

class MemoryLedgerTest extends LedgerConformance {

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
