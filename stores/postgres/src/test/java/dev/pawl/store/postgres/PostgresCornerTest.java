package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.CornerConformance;

class PostgresCornerTest extends CornerConformance {
    private final String schema = TestDatabase.newSchema();

    @Override
    protected Store open() {
        return TestDatabase.open(schema, time);
    }
}
