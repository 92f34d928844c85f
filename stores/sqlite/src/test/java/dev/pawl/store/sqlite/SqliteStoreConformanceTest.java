package dev.pawl.store.sqlite;

import dev.pawl.store.Store;
import dev.pawl.testkit.StoreConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreConformanceTest extends StoreConformance {

    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.open(folder.resolve("pawl.db"), time);
    }

    @Override
    protected boolean hasSql() {
        return true;
    }

    @Override
    protected boolean knowsTheDead() {
        return true;
    }
}
