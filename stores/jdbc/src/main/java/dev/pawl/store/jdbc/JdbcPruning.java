package dev.pawl.store.jdbc;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Pruning;
import java.sql.SQLException;
import java.util.LinkedHashMap;

/** Leaves the tombstones of jobs that ended long ago. Not thread-safe. */
final class JdbcPruning {
    /** Never the job with the newest entry or ending: their numbers must not be given again, for those who read by cursor. */
    private static final String OLD =
            "select seq, input from pawl.job where ended is not null and state in (DONE, CANCELLED) and changed < ? and input not like 'sha256:%'"
                    + " and ended < (select max(ended) from pawl.job where ended is not null)"
                    + " and seq <> coalesce((select job from pawl.journal order by seq desc limit 1), 0)"
                    + " and not exists (select 1 from pawl.call c join pawl.job p on p.seq = c.parent"
                    + " where c.child = job.seq and p.state not in (4, 6)) and not exists ("
                    + JdbcDuplicates.NOT_DEALT_WITH.formatted("job.seq") + ") order by ended limit ?";

    private final Statements sql;
    private final String old;

    /** Nobody may take up again what is being pruned. */
    JdbcPruning(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.old = OLD + dialect.skippingLocked();
    }

    Applied prune(Change.PruneJobs change) throws SQLException {
        var found = new LinkedHashMap<Long, String>();
        sql.each(
                old,
                row -> found.put(row.getLong(1), row.getString(2)),
                change.endedBefore().toEpochMilli(),
                change.most());
        for (var job : found.entrySet()) {
            sql.run("delete from pawl.journal where job = ?", job.getKey());
            sql.run("delete from pawl.attempt where job = ?", job.getKey());
            sql.run("delete from pawl.artifact where job = ?", job.getKey());
            sql.run("delete from pawl.call where parent = ?", job.getKey());
            sql.run(
                    "update pawl.job set input = ?, result = null, failure = null, question = null, ended = null where seq = ?",
                    Pruning.hash(job.getValue()),
                    job.getKey());
        }
        return new Applied.Pruned(found.size());
    }
}
