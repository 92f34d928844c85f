package dev.pawl.store.postgres;

import dev.pawl.store.OccurrencePosition;
import dev.pawl.store.jdbc.Statements;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far one may read by cursor. Numbers are given before commits, so a lower one may appear after a higher one; whoever had read past it would never
 * see it. Every transaction has its own number before it gives any: once all that were under way when a number was the highest have ended, nothing
 * below that number can appear any more. Thread-safe.
 */
final class Horizon {
    private record Sample(OccurrencePosition highest, long underWay) {}

    private OccurrencePosition settled = OccurrencePosition.START;
    private @Nullable Sample waiting;

    /** Nothing that is not higher than this can appear any more. */
    synchronized OccurrencePosition settled(Statements sql) throws SQLException {
        // What a job does last first: so the line that an end is told with has its number already, most of the time.
        var ended = last(sql, "ended");
        var recorded = last(sql, "journal_seq_seq");
        var highest = new OccurrencePosition(last(sql, "job_seq_seq"), recorded, ended);
        // First the numbers, then who is under way: the other way round somebody could give a number in between.
        var underWay = Objects.requireNonNull(sql.one(
                "select pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint",
                row -> new long[] {row.getLong(1), row.getLong(2)}));
        var oldest = underWay[0];
        var before = waiting;
        if (before != null && before.underWay() <= oldest) {
            settled = before.highest();
            waiting = null;
        }
        var now = new Sample(highest, underWay[1]);
        if (now.underWay() <= oldest) {
            settled = highest;
            waiting = null;
        } else if (waiting == null) {
            waiting = now;
        }
        return settled;
    }

    private static long last(Statements sql, String sequence) throws SQLException {
        return Objects.requireNonNull(sql.one("select last_value from pawl." + sequence, row -> row.getLong(1)));
    }
}
