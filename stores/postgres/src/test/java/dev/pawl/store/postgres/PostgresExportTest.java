package dev.pawl.store.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.ExportConformance;

class PostgresExportTest extends ExportConformance {
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
