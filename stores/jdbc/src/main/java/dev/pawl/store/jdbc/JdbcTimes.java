package dev.pawl.store.jdbc;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.ClockAhead;
import dev.pawl.store.StoredJob;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;

/** Brings times back that were stored while the clock was ahead. Not thread-safe. */
final class JdbcTimes {
    private static final String AHEAD = "select " + Rows.JOB + Rows.FROM_JOB
            + "where due is not null and due > ? and changed > ? order by seq limit ?";

    private final Sql sql;
    private final String ahead;

    /** Nobody may claim what is being mended. */
    JdbcTimes(Sql sql, Dialect dialect) {
        this.sql = sql;
        this.ahead = AHEAD + dialect.skippingLocked();
    }

    Applied mend(Change.MendTimes change, Instant now) throws SQLException {
        var found = new ArrayList<StoredJob>();
        sql.each(
                ahead,
                row -> found.add(Rows.job(row)),
                now.toEpochMilli(),
                now.plus(ClockAhead.TOLERATED).toEpochMilli(),
                change.most());
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
        return new Applied.Mended(found.size(), farthest);
    }
}
