package dev.pawl.store.sqlite;

import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Line;
import dev.pawl.store.Claimed;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives jobs to those who want them: what has been due longest first, each with the journal of its current run. Not thread-safe. */
final class SqliteClaims {

    /** A claim stops at about this much journal, but never before the first job. */
    private static final long MOST_CHARS = 16 << 20;

    private static final int USUAL_CHARS = 200;

    private static final String TAKE =
            "update job set state = 1, fence = fence + 1, owner = ?, claim = ?, changed = ?, due = null where seq = ?";

    private final Sql sql;
    private final Time time;

    SqliteClaims(Sql sql, Time time) {
        this.sql = sql;
        this.time = time;
    }

    /** Whether anything that is wanted is due, or was given under this very claim before; without a write lock. */
    boolean anyDue(Wanted wanted) throws SQLException {
        var given = sql.one(
                "select 1 from job where owner = ? and owner <> 0 and claim = ? limit 1",
                row -> row.getInt(1),
                wanted.worker(),
                wanted.claim());
        if (given != null) {
            return true;
        }
        var now = time.now().toEpochMilli();
        for (var workflow : wanted.workflows()) {
            var due = sql.one(
                    "select 1 from job where workflow = ? and suspect in (0, 1) and due <= ? limit 1",
                    row -> row.getInt(1),
                    workflow,
                    now);
            if (due != null) {
                return true;
            }
        }
        return false;
    }

    @Nullable
    Instant claim(Wanted wanted, Instant now, List<Claimed> claimed) throws SQLException {
        if (!wanted.any() || !enlisted(wanted.worker()) || claimedBefore(wanted, claimed)) {
            return null;
        }
        var taken = 0;
        var chars = 0L;
        for (var candidate : candidates(wanted, now)) {
            if (taken == wanted.most() || (taken > 0 && chars > MOST_CHARS)) {
                return null;
            }
            sql.run(TAKE, wanted.worker(), wanted.claim(), now.toEpochMilli(), candidate);
            var job = job(candidate);
            var journal = journal(job);
            chars += journal.stream().mapToLong(SqliteClaims::size).sum();
            claimed.add(new Claimed(job, journal));
            taken++;
        }
        return taken == wanted.most() ? null : nextDue(wanted);
    }

    private boolean claimedBefore(Wanted wanted, List<Claimed> claimed) throws SQLException {
        var again = new ArrayList<StoredJob>();
        sql.each(
                "select " + Rows.JOB + " from job where owner = ? and owner <> 0 and claim = ? order by seq",
                row -> again.add(Rows.job(row)),
                wanted.worker(),
                wanted.claim());
        for (var job : again) {
            claimed.add(new Claimed(job, journal(job)));
        }
        return !again.isEmpty();
    }

    /** A job that is due, and since when. */
    private record Due(long seq, long due) {}

    /** The jobs that have been due longest, of all wanted workflows together; at most one suspect. */
    private List<Long> candidates(Wanted wanted, Instant now) throws SQLException {
        var suspects = new ArrayList<Due>();
        var others = new ArrayList<Due>();
        for (var workflow : wanted.workflows()) {
            if (wanted.suspectToo()) {
                due(workflow, 1, now, 1, suspects);
            }
            due(workflow, 0, now, wanted.most(), others);
        }
        var oldestFirst = Comparator.comparingLong(Due::due).thenComparingLong(Due::seq);
        suspects.sort(oldestFirst);
        suspects.stream().limit(1).forEach(others::add);
        others.sort(oldestFirst);
        return others.stream().map(Due::seq).toList();
    }

    private void due(String workflow, int suspect, Instant now, int most, List<Due> found) throws SQLException {
        sql.each(
                "select seq, due from job where workflow = ? and suspect = ? and due <= ? order by due, seq limit ?",
                row -> found.add(new Due(row.getLong(1), row.getLong(2))),
                workflow,
                suspect,
                now.toEpochMilli(),
                most);
    }

    @Nullable
    Instant nextDue(Wanted wanted) throws SQLException {
        Long next = null;
        for (var workflow : wanted.workflows()) {
            var due = sql.one(
                    "select due from job where workflow = ? and suspect = 0 and due is not null order by due limit 1",
                    row -> row.getLong(1),
                    workflow);
            if (due != null && (next == null || due < next)) {
                next = due;
            }
        }
        return next == null ? null : Instant.ofEpochMilli(next);
    }

    /** What the current run of a job has recorded. */
    List<Line> journal(StoredJob job) throws SQLException {
        if (job.standing().fence() <= 1) {
            return List.of();
        }
        var lines = new ArrayList<Line>();
        sql.each(
                "select " + Rows.LINE + " from journal where job = ? and resubmission = ? order by seq",
                row -> lines.add(Rows.line(row)),
                job.id(),
                job.standing().resubmission());
        return lines;
    }

    private static long size(Line line) {
        return switch (line.entry()) {
            case Entry.StepDone done -> done.result().length();
            case Entry.Answered answered ->
                answered.answer() instanceof Answer.Happened happened && happened.result() != null
                        ? happened.result().length()
                        : USUAL_CHARS;
            default -> USUAL_CHARS;
        };
    }

    private StoredJob job(long seq) throws SQLException {
        return Objects.requireNonNull(sql.one("select " + Rows.JOB + " from job where seq = ?", Rows::job, seq));
    }

    /** Whether the worker is enlisted, and nobody has declared it dead. */
    boolean enlisted(long worker) throws SQLException {
        return sql.one("select 1 from worker where id = ?", row -> row.getInt(1), worker) != null;
    }
}
