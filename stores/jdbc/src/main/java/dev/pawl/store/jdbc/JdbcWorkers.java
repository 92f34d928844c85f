package dev.pawl.store.jdbc;

import dev.pawl.journal.Changes;
import dev.pawl.json.Json;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Rescuing;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Wanted;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;

/** Workers: how they come, beat, die and leave. Not thread-safe. */
public final class JdbcWorkers {
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
        return sql.one("select 1 from pawl.worker where id = ?", row -> row.getInt(1), worker) != null;
    }

    /** Whether this claim of an enlisted worker is a new one. */
    public boolean claims(Wanted wanted) throws SQLException {
        return sql.run(
                        "update pawl.worker set claim = ? where id = ? and claim < ?",
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
                "insert into pawl.worker (id, name, beat, beaten, term, taking) select ?, ?, 0, ?, ?, ?"
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
        if (sql.run(
                        "update pawl.worker set beat = ?, beaten = ? where id = ? and beat < ?",
                        change.beat(),
                        now.toEpochMilli(),
                        change.worker(),
                        change.beat())
                == 1) {
            return Applied.now();
        }
        return enlisted(change.worker()) ? Applied.already() : new Applied.LeaseLost();
    }

    Applied takeOver(Change.TakeOver change, Instant now) throws SQLException {
        if (sql.run("delete from pawl.worker where id = ? and beat = ?", change.worker(), change.beat()) == 0) {
            return enlisted(change.worker())
                    ? new Applied.Conflict("worker " + change.worker() + " has beaten since", null)
                    : Applied.already();
        }
        forget(change.worker(), now);
        var rescued = new ArrayList<StoredJob>();
        for (var job : jobs.ownedBy(change.worker())) {
            rescue(job, change.how(), now);
            rescued.add(jobs.job(job.id()));
        }
        return new Applied.TookOver(rescued);
    }

    private void rescue(StoredJob job, Change.TakeOver.WorkerEnd how, Instant now) throws SQLException {
        var fence = job.standing().fence();
        var progress = sql.one(
                        "select 1 from pawl.journal where job = ? and change >= ? and change < ? limit 1",
                        row -> row.getInt(1),
                        job.id(),
                        Changes.firstOf(fence),
                        Changes.firstOf(fence + 1))
                != null;
        var judged = Rescuing.judge(job, progress, attempts.anyOpen(job.id()), how);
        jobs.append(job.id(), Rescuing.firstId(fence), now, judged.entries());
        jobs.move(job, judged.transition(), judged.outcome(), judged.suspicion(), now, judged.due(job));
    }

    Applied retire(Change.Retire change, Instant now) throws SQLException {
        if (!jobs.ownedBy(change.worker()).isEmpty()) {
            return new Applied.Conflict("worker " + change.worker() + " still owns jobs", null);
        }
        forget(change.worker(), now);
        return sql.run("delete from pawl.worker where id = ?", change.worker()) == 1
                ? Applied.now()
                : Applied.already();
    }
}
