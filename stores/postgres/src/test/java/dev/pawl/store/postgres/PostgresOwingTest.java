package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.OwingConformance;

class PostgresOwingTest extends OwingConformance {
    private final String schema = TestDatabase.newSchema();

    @Override
    protected Store open() {
        return TestDatabase.open(schema, time);
    }
}
