package dev.pawl.store.postgres;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.HeldChange;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** One real server for all tests of a process; every test has a schema of its own. */
final class TestDatabase {
    /** Whoever waits in a circle is found out before he gives up waiting. */
    private static final PostgresServer SERVER = PostgresServer.start(Map.of("deadlock_timeout", "100ms"));

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
    static PostgresStore open(String schema, FakeTime time, Settings.Ways.WayFinder finding) {
        return PostgresStore.open(
                source(), schema, "test server", finding, () -> time.now().toEpochMilli(), Time.system());
    }

    /** Makes one change, however long somebody holds what it is about. */
    static Applied insist(Store store, Change change) {
        return insist(store, List.of(change)).getFirst();
    }

    /** Makes these changes, however long somebody holds what they are about. */
    static List<Applied> insist(Store store, List<Change> changes) {
        while (true) {
            try {
                return store.exchange(changes, Wanted.NOTHING).applied();
            } catch (HeldChange held) {
                // This machine may be slow, and whoever holds it with it.
            }
        }
    }

    /** Does something on a thread of its own: several at once do not wait for each other, as they would where cores are few. */
    static <T> CompletableFuture<T> meanwhile(Supplier<T> what) {
        return CompletableFuture.supplyAsync(
                what, task -> Thread.ofPlatform().daemon().start(task));
    }

    /** Returns when somebody waits for what {@code holder} holds. */
    static void awaitWaiting(Connection holder) throws SQLException, InterruptedException {
        var pid = holder.unwrap(PGConnection.class).getBackendPID();
        await("select exists (select from pg_stat_activity where " + pid + " = any (pg_blocking_pids(pid)))");
    }

    /** Returns when {@code question}, which says yes or no, is answered with yes. */
    static void await(String question) throws SQLException, InterruptedException {
        try (var connection = source().getConnection();
                var statement = connection.createStatement()) {
            while (true) {
                try (var row = statement.executeQuery(question)) {
                    row.next();
                    if (row.getBoolean(1)) {
                        return;
                    }
                }
                Time.system().await(Duration.ofMillis(5));
            }
        }
    }
}
