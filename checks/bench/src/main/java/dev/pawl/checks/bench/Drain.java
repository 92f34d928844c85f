package dev.pawl.checks.bench;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.JobQuery;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** W2: many one-step jobs that are there already are drained, with their results kept. */
final class Drain {
    static final int JOBS = 40_000;
    static final int CLAIM = 128;

    private static final Workflow<Integer, String> W2 = Workflow.named("w2", Integer.class, String.class);
    private static final Time TIME = Time.system();

    private Drain() {}

    /** The bound: claims so many and completes the ones before in one commit, on the same tables; no user code, no step record. */
    static double bare(Path file) throws SQLException {
        fill(file);
        try (var connection = connect(file);
                var statement = connection.createStatement();
                var due = connection.prepareStatement(
                        "select seq from job where claim_group = 1 and suspect = 0 and priority = 0 and due <= ? order by due, lane, seq limit ?");
                var claim = connection.prepareStatement(
                        "update job set state = 1, fence = fence + 1, owner = 1, claim = 1, changed = ?, due = null where seq = ?");
                var complete = connection.prepareStatement(
                        "update job set state = 4, fence = fence + 1, owner = 0, claim = 0, changed = ?, result = ?, end_number = seq, ending = 40 where seq = ?")) {
            var start = TIME.nanos();
            var before = new ArrayList<Long>();
            var done = 0;
            while (done < JOBS) {
                statement.execute("begin immediate");
                var now = TIME.now().toEpochMilli();
                for (var job : before) {
                    complete.setLong(1, now);
                    complete.setString(2, Subject.RESULT);
                    complete.setLong(3, job);
                    complete.executeUpdate();
                }
                done += before.size();
                before.clear();
                due.setLong(1, now);
                due.setInt(2, CLAIM);
                try (var rows = due.executeQuery()) {
                    while (rows.next()) {
                        before.add(rows.getLong(1));
                    }
                }
                for (var job : before) {
                    claim.setLong(1, now);
                    claim.setLong(2, job);
                    claim.executeUpdate();
                }
                statement.execute("commit");
            }
            return JOBS / seconds(start);
        }
    }

    /** Pawl, as a user would call it. */
    static double pawl(Path file) throws Exception {
        fill(file);
        var left = new AtomicInteger(JOBS);
        var drained = new Signal();
        var options = PawlOptions.usual().slots(CLAIM).log(Events.NOWHERE);
        try (var pawl = Pawl.openOrCreate(file, options)) {
            var start = TIME.nanos();
            pawl.work(W2.implementedBy((job, input) -> {
                var result = job.step("only", String.class, () -> "x".repeat(198));
                if (left.decrementAndGet() == 0) {
                    drained.raise();
                }
                return result;
            }));
            var seen = 0L;
            while (left.get() > 0) {
                drained.await(TIME, seen, Duration.ofMillis(100));
                seen = drained.count();
            }
            while (!pawl.jobs(JobQuery.in(JobState.RUNNING, JobState.READY).most(1))
                    .jobs()
                    .isEmpty()) {
                drained.await(TIME, drained.count(), Duration.ofMillis(1));
            }
            return JOBS / seconds(start);
        }
    }

    private static void fill(Path file) throws SQLException {
        SqliteStore.open(file, TIME).close();
        try (var connection = connect(file);
                var statement = connection.createStatement();
                var insert = connection.prepareStatement(
                        "insert into job (identity, workflow, key, input, state, created, changed, due, claim_group)"
                                + " values (?, 'w2', ?, '1', 0, ?, ?, ?, 1)")) {
            statement.execute("begin immediate");
            statement.execute("insert into claim_group (id, workflow, queue, on_behalf_of) values (1, 'w2', '', '')");
            var now = TIME.now().toEpochMilli();
            for (var i = 0; i < JOBS; i++) {
                var identity = new Identity("w2", Key.of(i));
                insert.setString(1, identity.hash());
                insert.setString(2, identity.key().encoded());
                insert.setLong(3, now);
                insert.setLong(4, now);
                insert.setLong(5, now);
                insert.executeUpdate();
            }
            statement.execute("commit");
        }
    }

    private static Connection connect(Path file) throws SQLException {
        var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (var statement = connection.createStatement()) {
            for (var pragma :
                    List.of("journal_mode = wal", "synchronous = full", "cache_size = -32000", "temp_store = memory")) {
                statement.execute("pragma " + pragma);
            }
        }
        return connection;
    }

    private static double seconds(long start) {
        return (TIME.nanos() - start) / 1e9;
    }
}
