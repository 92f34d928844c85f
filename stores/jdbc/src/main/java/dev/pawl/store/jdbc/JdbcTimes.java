package dev.pawl.store.jdbc;

import dev.pawl.gate.Gate;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.ClockAhead;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;

/** Brings times back that were stored while the clock was ahead. Not thread-safe. */
public final class JdbcTimes {
    private static final String WHICH = "where due is not null and due > ? and changed > ?";

    /** In the order of the index of what waits, so that no database reads what has ended. */
    public static final String AHEAD = "select " + RowMapping.JOB + RowMapping.FROM_JOB + WHICH
            + " order by job.claim_group, suspect, priority, due limit ?";

    private final Statements sql;
    private final String ahead;

    /** Nobody may claim what is being mended. */
    JdbcTimes(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.ahead = AHEAD + dialect.skippingLocked();
    }

    Applied mend(Change.MendTimes change, Instant now) throws SQLException {
        mendGates(now);
        var from = now.plus(ClockAhead.TOLERATED).toEpochMilli();
        var found = new ArrayList<StoredJob>();
        sql.each(ahead, row -> found.add(RowMapping.job(row)), now.toEpochMilli(), from, change.most());
        var farthest = Duration.ZERO;
        for (var job : found) {
            var times = Objects.requireNonNull(ClockAhead.mended(job, now));
            sql.run(
                    "update pawl.job set created = ?, changed = ?, due = ? where seq = ?",
                    times.created().toEpochMilli(),
                    times.changed().toEpochMilli(),
                    Objects.requireNonNull(times.due()).toEpochMilli(),
                    job.id());
            var by = Duration.between(now, job.standing().times().changed());
            farthest = by.compareTo(farthest) > 0 ? by : farthest;
        }
        var more = sql.one(
                "select 1 from pawl.job " + WHICH + " order by claim_group, suspect, priority, due limit 1",
                row -> 1,
                now.toEpochMilli(),
                from);
        return new Applied.Mended(found.size(), farthest, more != null);
    }

    /** Unless somebody has opened or closed it meanwhile: then it is as they say. */
    private void mendGates(Instant now) throws SQLException {
        var found = new ArrayList<Gate>();
        sql.each(
                JdbcGates.ALL + " where until is not null and since > ?",
                row -> found.add(JdbcGates.gate(row)),
                now.toEpochMilli());
        for (var gate : found) {
            var mended = ClockAhead.mended(gate, now);
            if (mended != null) {
                var closing = Objects.requireNonNull(mended.closing());
                sql.run(
                        "update pawl.gate set since = ?, until = ? where name = ? and closings = ? and until is not null",
                        closing.since().toEpochMilli(),
                        Objects.requireNonNull(closing.until()).toEpochMilli(),
                        gate.name(),
                        gate.closings());
            }
        }
    }
}
