package dev.pawl.store.sqlite;

import dev.pawl.store.Store;
import dev.pawl.testkit.LedgerConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest extends LedgerConformance {

    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.open(folder.resolve("pawl.db"), time);
    }

    @Override
    protected Store another() {
        return SqliteStore.open(folder.resolve("another.db"), time);
    }
}
