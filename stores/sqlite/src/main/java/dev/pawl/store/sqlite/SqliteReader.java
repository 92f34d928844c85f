package dev.pawl.store.sqlite;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Line;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Brief;
import dev.pawl.store.Happened;
import dev.pawl.store.JobQuery;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

    List<StoredJob> jobs(JobQuery query) {
        var codes = query.states().stream()
                .map(state -> Integer.toString(Rows.code(state)))
                .sorted()
                .collect(Collectors.joining(", "));
        return looking(sql -> {
            var jobs = new ArrayList<StoredJob>();
            sql.each(
                    "select " + Rows.JOB + Rows.FROM_JOB + "where state in (" + codes + ") and seq > ?"
                            + " and (?2 is null or job.workflow = ?2) and (?3 is null or queue = ?3)"
                            + " and (?4 is null or principal = ?4) and input not like 'sha256:%' order by seq limit ?5",
                    row -> jobs.add(Rows.job(row)),
                    query.page().after(),
                    query.workflow(),
                    query.queue(),
                    query.principal(),
                    query.page().most());
            return jobs;
        });
    }

    Map<String, Brief> briefs(Collection<String> hashes) {
        return looking(sql -> {
            var found = new HashMap<String, Brief>();
            sql.each(
                    "select identity, state, input, due, gate from job where identity in (select value from json_each(?))",
                    row -> found.put(
                            row.getString(1),
                            new Brief(
                                    Rows.state(row.getInt(2)),
                                    row.getString(3),
                                    Rows.instantOrNull(row, 4),
                                    row.getString(5))),
                    Json.write(hashes));
            return found;
        });
    }

    List<Happened> happened(Happened.Cursor cursor, int most) {
        return looking(sql -> {
            var found = new ArrayList<Happened>();
            sql.each(
                    "select seq, workflow, key from job where seq > ? order by seq limit ?",
                    row -> found.add(new Happened(
                            new Happened.Cursor(row.getLong(1), cursor.recorded(), cursor.ended()),
                            row.getLong(1),
                            identity(row, 2),
                            new Happened.What.Submitted())),
                    cursor.submitted(),
                    most);
            var submitted = found.isEmpty() ? cursor : found.getLast().cursor();
            sql.each(
                    "select j.seq, change, j.resubmission, at, kind, place, body, job, workflow, key from journal j"
                            + " join job on job.seq = j.job where j.seq > ? order by j.seq limit ?",
                    row -> found.add(new Happened(
                            new Happened.Cursor(submitted.submitted(), row.getLong(1), cursor.ended()),
                            row.getLong(8),
                            identity(row, 9),
                            new Happened.What.Recorded(Rows.line(row)))),
                    cursor.recorded(),
                    most - found.size());
            var recorded = found.isEmpty() ? cursor : found.getLast().cursor();
            sql.each(
                    "select ended, seq, workflow, key, state from job where ended > ? and state in (4, 5, 6) order by ended limit ?",
                    row -> found.add(new Happened(
                            new Happened.Cursor(recorded.submitted(), recorded.recorded(), row.getLong(1)),
                            row.getLong(2),
                            identity(row, 3),
                            new Happened.What.Ended(Rows.state(row.getInt(5))))),
                    cursor.ended(),
                    most - found.size());
            return found;
        });
    }

    private static Identity identity(ResultSet row, int column) throws SQLException {
        return new Identity(row.getString(column), Key.decode(row.getString(column + 1)));
    }

    List<Taking> due(Instant before) {
        return looking(sql -> {
            var lines = new ArrayList<Taking>();
            sql.each(
                    "select workflow, queue, principal from line where exists (select 1 from job where job.line = line.id"
                            + " and due is not null and due <= ?)",
                    row -> lines.add(new Taking(
                            List.of(row.getString(1)), List.of(row.getString(2)), List.of(row.getString(3)))),
                    before.toEpochMilli());
            return lines;
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
