package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.FakeTime;

/** The same as behind a pooler: no statement stays prepared, every transaction sets what it needs, and nobody listens. */
class PostgresPooledTest extends PostgresStoreConformanceTest {
    private final String schema = TestDatabase.newSchema();

    @Override
    protected Store open() {
        return pooled(schema, time);
    }

    static Store pooled(String schema, FakeTime time) {
        return TestDatabase.open(schema, time, connection -> new Settings.Ways(true, true));
    }
}
