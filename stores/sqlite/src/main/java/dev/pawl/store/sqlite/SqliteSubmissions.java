package dev.pawl.store.sqlite;

import dev.pawl.job.JobState;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Submitting;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Submissions of jobs that are new, and of those that are there already. Not thread-safe. */
final class SqliteSubmissions {
    private static final Change.SubmitJob.Claim NOBODY = new Change.SubmitJob.Claim(0, 0);

    private final Sql sql;
    private final SqliteJobs jobs;
    private final SqliteClaims claims;
    private final SqliteWorkers workers;

    SqliteSubmissions(Sql sql, SqliteJobs jobs, SqliteClaims claims, SqliteWorkers workers) {
        this.sql = sql;
        this.jobs = jobs;
        this.claims = claims;
        this.workers = workers;
    }

    Applied submit(Change.SubmitJob change, Instant now, List<Claimed> claimed) throws SQLException {
        var claim = change.claim();
        var taking = claim != null
                        && workers.enlisted(claim.worker())
                        && claims.roomFor(change.given().handling())
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

    private Applied again(Change.SubmitJob change, List<Claimed> claimed) throws SQLException {
        var there = Objects.requireNonNull(jobs.find(change.identity()));
        var claim = change.claim();
        if (claim != null
                && there.state() == JobState.RUNNING
                && there.standing().owner() == claim.worker()
                && claimOf(there.id()) == claim.id()) {
            claimed.add(new Claimed(there, claims.journal(there)));
        }
        return again(there, change.given());
    }

    /** What becomes of the same identity once more. */
    Applied again(StoredJob there, StoredJob.Given given) throws SQLException {
        return switch (Submitting.judge(there, given.input())) {
            case SAME, SKIPPED_CHANGED -> new Applied.Already(there);
            case CONFLICT -> new Applied.Conflict(Submitting.conflict(there), there);
            case REPLACE -> {
                sql.run("update job set input = ? where seq = ?", given.input(), there.id());
                yield new Applied.Now(jobs.job(there.id()));
            }
        };
    }

    private long claimOf(long job) throws SQLException {
        return Objects.requireNonNull(sql.one("select claim from job where seq = ?", row -> row.getLong(1), job));
    }
}
