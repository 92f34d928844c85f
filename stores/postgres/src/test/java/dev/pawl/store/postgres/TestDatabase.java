package dev.pawl.store.postgres;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.HeldChange;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** One real server for all tests of a process; every test has a schema of its own. */
final class TestDatabase {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private TestDatabase() {}

    static PostgresServer server() {
        return SERVER;
    }

    static String newSchema() {
        return "pawl_" + SCHEMAS.incrementAndGet();
    }

    static PGSimpleDataSource source() {
        var source = new PGSimpleDataSource();
        source.setUrl(SERVER.url());
        return source;
    }

    /** A handle on the store in {@code schema}, with a clock that tests move. */
    static PostgresStore open(String schema, FakeTime time) {
        return open(schema, time, Settings.Ways.find(true));
    }

    /** The same over connections of which it is said how they are. */
    static PostgresStore open(String schema, FakeTime time, Settings.Ways.Finding ways) {
        return PostgresStore.open(
                source(), schema, "test server", ways, () -> time.now().toEpochMilli(), Time.system());
    }

    /** Makes one change, however long somebody holds what it is about. */
    static Applied insist(Store store, Change change) {
        while (true) {
            try {
                return store.exchange(List.of(change), Wanted.NOTHING).applied().getFirst();
            } catch (HeldChange held) {
                // This machine may be slow, and whoever holds it with it.
            }
        }
    }
}
