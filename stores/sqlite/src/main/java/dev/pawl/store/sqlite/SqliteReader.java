package dev.pawl.store.sqlite;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Line;
import dev.pawl.json.Json;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Collectors;

/** Looks into the file on connections of its own, beside the writer. Thread-safe. */
final class SqliteReader {

    private static final int MOST_IDLE = 4;

    private record Handle(Connection connection, Sql sql) {}

    private interface Looking<T> {
        T look(Sql sql) throws SQLException;
    }

    private final SqliteFile file;
    private final ConcurrentLinkedDeque<Handle> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    SqliteReader(SqliteFile file) {
        this.file = file;
    }

    Optional<StoredJob> byHash(String identity) {
        return looking(sql -> Optional.ofNullable(
                sql.one("select " + Rows.JOB + Rows.FROM_JOB + "where identity = ?", Rows::job, identity)));
    }

    Optional<StoredJob> byId(long id) {
        return looking(sql ->
                Optional.ofNullable(sql.one("select " + Rows.JOB + Rows.FROM_JOB + "where seq = ?", Rows::job, id)));
    }

    List<StoredJob> jobs(Set<JobState> states, long after, int most) {
        var codes = states.stream()
                .map(state -> Integer.toString(Rows.code(state)))
                .sorted()
                .collect(Collectors.joining(", "));
        return looking(sql -> {
            var jobs = new ArrayList<StoredJob>();
            sql.each(
                    "select " + Rows.JOB + Rows.FROM_JOB + "where state in (" + codes
                            + ") and seq > ? order by seq limit ?",
                    row -> jobs.add(Rows.job(row)),
                    after,
                    most);
            return jobs;
        });
    }

    List<Line> journal(long job) {
        return looking(sql -> {
            var lines = new ArrayList<Line>();
            sql.each(
                    "select " + Rows.LINE + " from journal where job = ? order by seq",
                    row -> lines.add(Rows.line(row)),
                    job);
            return lines;
        });
    }

    Optional<Bytes> artifact(long job, Place place) {
        return looking(sql -> Optional.ofNullable(sql.one(
                "select bytes from artifact a join job j on j.seq = a.job and j.resubmission = a.resubmission"
                        + " where a.job = ? and a.place = ?",
                row -> Bytes.copyOf(row.getBytes(1)),
                job,
                place.toString())));
    }

    List<StoredJob> children(long job) {
        return looking(sql -> {
            var children = new ArrayList<StoredJob>();
            sql.each(
                    "select " + Rows.JOB + Rows.FROM_JOB
                            + "where seq in (select child from call where parent = ?) order by seq",
                    row -> children.add(Rows.job(row)),
                    job);
            return children;
        });
    }

    List<Spent> spent(LocalDate day) {
        return looking(sql -> {
            var all = new ArrayList<Spent>();
            sql.each(SqliteSpending.ALL, row -> all.add(SqliteSpending.spent(row)), day.toEpochDay());
            return all;
        });
    }

    List<Gate> gates() {
        return looking(sql -> {
            var gates = new ArrayList<Gate>();
            sql.each(SqliteGates.ALL + " order by name", row -> gates.add(SqliteGates.gate(row)));
            return gates;
        });
    }

    long waitingAt(String gate) {
        return looking(sql -> Objects.requireNonNull(
                sql.one("select count(*) from job where gate = ? and state = 2", row -> row.getLong(1), gate)));
    }

    Set<Long> calledOff(long worker) {
        return looking(sql -> {
            var jobs = new HashSet<Long>();
            sql.each(
                    "select seq from job where owner = ? and owner <> 0 and cancelling = 1",
                    row -> jobs.add(row.getLong(1)),
                    worker);
            return jobs;
        });
    }

    List<WorkerRecord> workers() {
        return looking(sql -> {
            var workers = new ArrayList<WorkerRecord>();
            sql.each(
                    "select id, name, beat, term, taking from worker order by id",
                    row -> workers.add(new WorkerRecord(
                            row.getLong(1),
                            row.getString(2),
                            row.getLong(3),
                            Duration.ofMillis(row.getLong(4)),
                            Objects.requireNonNull(Json.read(row.getString(5), Taking.class)))));
            return workers;
        });
    }

    void close() {
        closed = true;
        for (var handle = idle.poll(); handle != null; handle = idle.poll()) {
            drop(handle);
        }
    }

    private <T> T looking(Looking<T> looking) {
        if (closed) {
            throw new StoreFailure(StoreFailure.Move.OPERATOR, file.path() + " was closed by this process", null);
        }
        Handle handle = null;
        try {
            handle = idle.poll();
            if (handle == null) {
                var connection = file.connect(false);
                handle = new Handle(connection, new Sql(connection));
            }
            var found = looking.look(handle.sql());
            giveBack(handle);
            return found;
        } catch (SQLException e) {
            if (handle != null) {
                drop(handle);
            }
            throw SqliteErrors.explain(e, file.path());
        }
    }

    private void giveBack(Handle handle) {
        if (closed || idle.size() >= MOST_IDLE) {
            drop(handle);
        } else {
            idle.push(handle);
        }
    }

    private static void drop(Handle handle) {
        try {
            handle.connection().close();
        } catch (SQLException e) {
            // A reader that cannot be closed has nothing to lose.
        }
    }
}
