package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.StoreConformance;

class PostgresStoreConformanceTest extends StoreConformance {
    private final String schema = TestDatabase.newSchema();

    @Override
    protected Store open() {
        return TestDatabase.open(schema, time);
    }

    @Override
    protected boolean hasSql() {
        return true;
    }

    @Override
    protected boolean knowsTheDead() {
        return false;
    }
}
