package dev.pawl.store.jdbc;

import dev.pawl.journal.Changes;
import dev.pawl.journal.EntryText;
import dev.pawl.json.Json;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Rescuing;
import dev.pawl.store.Wanted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/** Workers: how they come, beat, die and leave. Not thread-safe. */
public final class JdbcWorkers {
    static final ColumnCodes<WorkerEnd> ENDS = ColumnCodes.of(
            WorkerEnd.class, List.of(WorkerEnd.BEAT_STOOD_STILL, WorkerEnd.PROCESS_GONE, WorkerEnd.GAVE_UP));

    private static final String READ = "select id, name, beat, term, taking, beat_at, ending from pawl.worker";
    private static final String ONE = READ + " where id = ?";

    /** Every worker that is enlisted, or was declared dead and has jobs yet. */
    static final String ALL = READ + " order by id";

    private final Statements sql;
    private final JdbcJobs jobs;
    private final JdbcAttempts attempts;

    JdbcWorkers(Statements sql, JdbcJobs jobs, JdbcAttempts attempts) {
        this.sql = sql;
        this.jobs = jobs;
        this.attempts = attempts;
    }

    /** Whether the worker is enlisted, and nobody has declared it dead. */
    boolean enlisted(long worker) throws SQLException {
        return sql.one("select 1 from pawl.worker where id = ? and ending is null", row -> row.getInt(1), worker)
                != null;
    }

    /** Whether this claim of an enlisted worker is a new one. */
    public boolean claims(Wanted wanted) throws SQLException {
        return sql.run(
                        "update pawl.worker set claim = ? where id = ? and claim < ? and ending is null",
                        wanted.claim(),
                        wanted.worker(),
                        wanted.claim())
                == 1;
    }

    Applied enlist(Change.Enlist change, Instant now) throws SQLException {
        sql.run(
                "delete from pawl.gone where at < ?",
                now.minus(Change.Enlist.REMEMBERED).toEpochMilli());
        var added = sql.run(
                "insert into pawl.worker (id, name, beat, beat_at, term, taking) select ?, ?, 0, ?, ?, ?"
                        + " where not exists (select 1 from pawl.gone where worker = ?) on conflict do nothing",
                change.worker(),
                change.name(),
                now.toEpochMilli(),
                change.term().toMillis(),
                Json.write(change.taking()),
                change.worker());
        if (added == 1) {
            return Applied.now();
        }
        return enlisted(change.worker()) ? Applied.already() : new Applied.LeaseLost();
    }

    private void forget(long worker, Instant now) throws SQLException {
        sql.run(
                "insert into pawl.gone (worker, at) values (?, ?) on conflict (worker) do update set at = excluded.at",
                worker,
                now.toEpochMilli());
    }

    Applied beat(Change.Beat change, Instant now) throws SQLException {
        sql.run(
                "update pawl.worker set beat = ?, beat_at = ? where id = ? and beat < ? and ending is null",
                change.beat(),
                now.toEpochMilli(),
                change.worker(),
                change.beat());
        if (!enlisted(change.worker())) {
            return new Applied.LeaseLost();
        }
        var calledOff = new HashSet<Long>();
        sql.each(
                "select seq from pawl.job where owner = ? and owner <> 0 and cancelling = 1",
                row -> calledOff.add(row.getLong(1)),
                change.worker());
        return new Applied.Beaten(calledOff);
    }

    Applied takeOver(Change.TakeOver change, Instant now) throws SQLException {
        var worker = sql.one(ONE, JdbcWorkers::worker, change.worker());
        if (worker == null) {
            return Applied.already();
        }
        var objection = Rescuing.objection(worker, change);
        if (objection != null) {
            return objection;
        }
        var how = Rescuing.how(worker, change);
        var owned = jobs.ownedBy(change.worker(), FollowUp.MOST_OTHERS + 1);
        var given = owned.subList(0, Math.min(FollowUp.MOST_OTHERS, owned.size()));
        jobs.followUps().changesOthers(given.size());
        var rescued = new ArrayList<StoredJob>();
        for (var job : given) {
            rescue(job, how, now);
            rescued.add(jobs.job(job.id()));
        }
        var more = given.size() < owned.size();
        if (more) {
            sql.run("update pawl.worker set ending = ? where id = ?", ENDS.code(how), change.worker());
        } else {
            forget(change.worker(), now);
            sql.run("delete from pawl.worker where id = ?", change.worker());
        }
        return new Applied.TookOver(rescued, more);
    }

    private void rescue(StoredJob job, WorkerEnd how, Instant now) throws SQLException {
        var fence = job.standing().fence();
        var progress = sql.one(
                        "select 1 from pawl.journal where job = ? and change >= ? and change < ? and kind <> "
                                + EntryText.EntryCode.PROGRESSED.code() + " limit 1",
                        row -> row.getInt(1),
                        job.id(),
                        Changes.firstOf(fence),
                        Changes.firstOf(fence + 1))
                != null;
        var judged = Rescuing.judge(job, progress, attempts.anyOpen(job.id()), how);
        jobs.append(job.id(), Rescuing.firstId(fence), now, judged.entries());
        jobs.move(job, judged.transition(), judged.outcome(), judged.suspicion(), now, judged.due(job));
    }

    /** The worker in the columns of {@code row}. */
    static WorkerRecord worker(ResultSet row) throws SQLException {
        var code = row.getInt(7);
        var end = row.wasNull() ? null : ENDS.constant(code);
        return new WorkerRecord(
                row.getLong(1),
                row.getString(2),
                row.getLong(3),
                Instant.ofEpochMilli(row.getLong(6)),
                Duration.ofMillis(row.getLong(4)),
                Objects.requireNonNull(Json.read(row.getString(5), Taking.class)),
                end);
    }

    Applied retire(Change.Retire change, Instant now) throws SQLException {
        if (!jobs.ownedBy(change.worker(), 1).isEmpty()) {
            return new Applied.Conflict("worker " + change.worker() + " still owns jobs", null);
        }
        forget(change.worker(), now);
        return sql.run("delete from pawl.worker where id = ?", change.worker()) == 1
                ? Applied.now()
                : Applied.already();
    }
}
