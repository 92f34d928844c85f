package dev.pawl.store.memory;

import dev.pawl.store.Abilities;
import dev.pawl.store.Store;
import dev.pawl.testkit.AbilityConformance;

class MemoryWithinLimitsTest extends AbilityConformance {

    private final MemoryStore store =
            new MemoryStore(time, 3, Abilities.PLAIN.upTo(1_000).rowsAtOnce(10));

    @Override
    protected Store open() {
        return store;
    }
}
