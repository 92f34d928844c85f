package dev.pawl.store.sqlite;

import dev.pawl.store.Store;
import dev.pawl.testkit.VersionConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteVersionTest extends VersionConformance {

    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.open(folder.resolve("pawl.db"), time);
    }
}
