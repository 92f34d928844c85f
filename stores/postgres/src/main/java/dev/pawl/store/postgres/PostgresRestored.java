package dev.pawl.store.postgres;

import dev.pawl.gate.GateNames;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Change;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** A database that was restored from a backup: what was done after the backup was made is not in it, and nobody but a person can know that. */
final class PostgresRestored {
    private static final String WHY =
            "this database was restored from a backup: what was done after the backup was made is not in it, and would be done again. Look at what happened since then, at its destination; then let it go on";

    private PostgresRestored() {}

    /** All fences jump, so that nobody goes on who worked with it before, and one gate closes for everybody. */
    static void mark(Connection connection, String schema) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("set local statement_timeout = 0; set local lock_timeout = 0; set local search_path to \""
                    + schema.replace("\"", "\"\"") + "\"");
            statement.execute("update job set fence = fence + " + IncomingStore.FENCES);
        }
        try (var closing = connection.prepareStatement(
                "insert into gate (name, kind, why, since, closings, raised)"
                        + " values (?, 0, ?, (extract(epoch from clock_timestamp()) * 1000)::bigint, 1, 0)"
                        + " on conflict (name) do update set why = excluded.why, since = excluded.since, until = null, closings = gate.closings + 1")) {
            closing.setString(1, GateNames.RESTORED);
            closing.setString(2, WHY);
            closing.executeUpdate();
        }
        connection.commit();
    }

    /** Whoever stands among the workers was there when the backup was made, or works on and knows nothing of it: nobody keeps a job. */
    static void takeFromEverybody(Store store) {
        store.workers().forEach(worker -> takeFrom(worker.id(), store));
    }

    private static void takeFrom(long worker, Store store) {
        var there = record(worker, store);
        while (there.isPresent()) {
            // One that has beaten meanwhile is asked again, and so is one that had many jobs.
            store.exchange(List.of(new Change.TakeOver(worker, there.get().beat(), WorkerEnd.GAVE_UP)), Wanted.NOTHING);
            there = record(worker, store);
        }
    }

    private static Optional<WorkerRecord> record(long worker, Store store) {
        return store.workers().stream().filter(one -> one.id() == worker).findFirst();
    }
}
