package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.AbilityConformance;

class MemoryAbilityTest extends AbilityConformance {

    private final MemoryStore store = new MemoryStore(time);

    @Override
    protected Store open() {
        return store;
    }
}
