package dev.pawl.store.memory;

import dev.pawl.store.Store;
import dev.pawl.testkit.FollowUpConformance;

class MemoryFollowUpTest extends FollowUpConformance {

    private final MemoryStore store = new MemoryStore(time, 3);

    @Override
    protected int many() {
        return 7;
    }

    /** It copies a journal for each change, and looks at all jobs for each question. */
    @Override
    protected int crowd() {
        return 900;
    }

    @Override
    protected Store open() {
        return store;
    }
}
