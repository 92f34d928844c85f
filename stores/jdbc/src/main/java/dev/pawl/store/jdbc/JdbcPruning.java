package dev.pawl.store.jdbc;

import dev.pawl.look.Tombstone;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;

/** Leaves the tombstones of jobs that ended long ago. Not thread-safe. */
final class JdbcPruning {
    /** Never the job with the newest entry or ending: their numbers must not be given again, for those who read by cursor. */
    private static final String OLD =
            "select seq, input, claim_group, ending, changed from pawl.job where end_number is not null and state in (DONE, CANCELLED) and changed < ? and input not like 'sha256:%'"
                    + " and end_number < (select max(end_number) from pawl.job where end_number is not null)"
                    + " and seq <> coalesce((select job from pawl.journal order by seq desc limit 1), 0)"
                    + " and not exists (select 1 from pawl.call c join pawl.job p on p.seq = c.parent"
                    + " where c.child = job.seq and p.state not in (4, 6))"
                    + " and not exists (select 1 from pawl.follow_up f where f.job = job.seq and f.job <> 0) and not exists ("
                    + JdbcDuplicates.NOT_DEALT_WITH.formatted("job.seq") + ") order by end_number limit ?";

    private final Statements sql;
    private final String old;
    private final JdbcTally tally;

    private record OldJob(long seq, String input, long group, int ending, long changed) {}

    /** Nobody may take up again what is being pruned. */
    JdbcPruning(Statements sql, Dialect dialect, JdbcTally tally) {
        this.sql = sql;
        this.tally = tally;
        this.old = OLD + dialect.skippingLocked();
    }

    Applied prune(Change.PruneJobs change) throws SQLException {
        var found = new ArrayList<OldJob>();
        sql.each(
                old,
                row -> found.add(
                        new OldJob(row.getLong(1), row.getString(2), row.getLong(3), row.getInt(4), row.getLong(5))),
                change.endedBefore().toEpochMilli(),
                change.most());
        for (var job : found) {
            sql.run("delete from pawl.journal where job = ?", job.seq());
            sql.run("delete from pawl.attempt where job = ?", job.seq());
            sql.run("delete from pawl.artifact where job = ?", job.seq());
            sql.run("delete from pawl.call where parent = ?", job.seq());
            sql.run(
                    "update pawl.job set input = ?, result = null, failure = null, question = null, end_number = null, ending = null where seq = ?",
                    Tombstone.hash(job.input()),
                    job.seq());
            var when = Instant.ofEpochMilli(job.changed());
            tally.add(job.group(), job.ending(), when, -1);
            tally.add(job.group(), EndingCodes.pruned(job.ending()), when, 1);
        }
        return new Applied.Pruned(found.size());
    }
}
