package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.VersionConformance;

class PostgresVersionTest extends VersionConformance {
    private final String schema = TestDatabase.newSchema();

    @Override
    protected Store open() {
        return TestDatabase.open(schema, time);
    }
}
