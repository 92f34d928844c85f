package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.DecisionConformance;

class MemoryDecisionsTest extends DecisionConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }
}
