package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.LedgerConformance;

class PostgresLedgerTest extends LedgerConformance {
    private final String schema = TestDatabase.newSchema();

    @Override
    protected Store open() {
        return TestDatabase.open(schema, time);
    }

    @Override
    protected Store another() {
        return TestDatabase.open(TestDatabase.newSchema(), time);
    }
}
