package dev.pawl.store.jdbc;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Submitting;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Submissions of jobs that are new, and of those that are there already. Not thread-safe. */
final class JdbcSubmissions {
    private static final Change.SubmitJob.Claim NOBODY = new Change.SubmitJob.Claim(0, 0);

    private final Statements sql;
    private final JdbcJobs jobs;
    private final JdbcWorkers workers;

    JdbcSubmissions(Statements sql, JdbcJobs jobs, JdbcWorkers workers) {
        this.sql = sql;
        this.jobs = jobs;
        this.workers = workers;
    }

    Applied submit(Change.SubmitJob change, Instant now, List<Claimed> claimed) throws SQLException {
        var claim = change.claim();
        var taking = claim != null
                        && workers.enlisted(claim.worker())
                        && roomFor(change.given().handling(), now)
                ? claim
                : NOBODY;
        var job = jobs.insert(change.identity(), change.given(), taking.worker(), taking.id(), now);
        if (job == null) {
            return again(change, claimed);
        }
        if (job.state() == JobState.RUNNING) {
            claimed.add(new Claimed(job, List.of()));
        }
        return new Applied.Now(job);
    }

    /** Whether a job that is handled like this may run at once, as far as its time and limits go. */
    private boolean roomFor(Handling handling, Instant now) throws SQLException {
        return !handling.firstDue(now).isAfter(now) && new JdbcLimits(sql).take(handling.queue(), handling.lane());
    }

    private Applied again(Change.SubmitJob change, List<Claimed> claimed) throws SQLException {
        var there = Objects.requireNonNull(jobs.find(change.identity()));
        var claim = change.claim();
        if (claim != null
                && workers.enlisted(claim.worker())
                && there.state() == JobState.RUNNING
                && there.standing().owner() == claim.worker()
                && claimOf(there.id()) == claim.id()) {
            claimed.add(new Claimed(there, jobs.journal(there)));
        }
        return again(there, change.given());
    }

    /** What becomes of the same identity once more. */
    Applied again(StoredJob there, StoredJob.Given given) throws SQLException {
        return switch (Submitting.judge(there, given.input())) {
            case SAME, SKIPPED_CHANGED -> new Applied.Already(there);
            case CONFLICT -> new Applied.Conflict(Submitting.conflict(there), there);
            case REPLACE -> {
                sql.run("update pawl.job set input = ? where seq = ?", given.input(), there.id());
                yield new Applied.Replaced(jobs.job(there.id()));
            }
        };
    }

    private long claimOf(long job) throws SQLException {
        return Objects.requireNonNull(sql.one("select claim from pawl.job where seq = ?", row -> row.getLong(1), job));
    }
}
