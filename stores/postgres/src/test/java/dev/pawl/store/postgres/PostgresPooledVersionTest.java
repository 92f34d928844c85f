package dev.pawl.store.postgres;

import dev.pawl.store.Store;

class PostgresPooledVersionTest extends PostgresVersionTest {
    private final String schema = TestDatabase.newSchema();

    @Override
    protected Store open() {
        return PostgresPooledTest.pooled(schema, time);
    }
}
