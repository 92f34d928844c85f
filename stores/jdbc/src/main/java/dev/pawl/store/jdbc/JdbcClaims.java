package dev.pawl.store.jdbc;

import dev.pawl.effect.Answer;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Claimed;
import dev.pawl.store.Wanted;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives jobs to those who want them: the most urgent first, each with the journal of its current run. Not thread-safe. */
public final class JdbcClaims {

    /** A claim stops at about this much journal, but never before the first job. */
    private static final long MOST_CHARS = 16 << 20;

    private static final int USUAL_CHARS = 200;

    private static final String TAKE =
            "update pawl.job set state = RUNNING, fence = fence + 1, owner = ?, claim = ?, changed = ?, due = null, news = 0, gate = null where seq = ?";

    private static final String DUE =
            "select seq, due, lane from pawl.job where claim_group = ? and suspect = ? and priority = ? and due <= ?";
    private static final String ORDER = " order by due, lane, seq limit ";

    private final Statements sql;
    private final JdbcJobs jobs;
    private final JdbcWorkers workers;
    private final Dialect dialect;
    private boolean limited;

    /** Claims what {@code changes} writes. */
    public JdbcClaims(Statements sql, Dialect dialect, JdbcWriter changes) {
        this.sql = sql;
        this.dialect = dialect;
        this.jobs = changes.jobs();
        this.workers = changes.workers();
    }

    /** Whether anything that is wanted is due, or was given under this very claim before; without a write lock. */
    public boolean anyDue(Wanted wanted, Instant now) throws SQLException {
        var given = sql.one(
                "select 1 from pawl.job where owner = ? and owner <> 0 and claim = ? limit 1",
                row -> row.getInt(1),
                wanted.worker(),
                wanted.claim());
        if (given != null) {
            return true;
        }
        for (var group : groups(wanted)) {
            for (var priority : DuePriorities.in(group.id(), sql)) {
                var due = sql.one(
                        "select 1 from pawl.job where claim_group = ? and suspect in (0, 1) and priority = ? and due <= ? limit 1",
                        row -> row.getInt(1),
                        group.id(),
                        priority,
                        now.toEpochMilli());
                if (due != null) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Claims what is wanted; says when the next of it comes due, where less was due than wanted. */
    public @Nullable Instant claim(Wanted wanted, Instant now, List<Claimed> claimed) throws SQLException {
        limited = false;
        if (!wanted.any()) {
            return null;
        }
        if (!workers.claims(wanted)) {
            if (workers.enlisted(wanted.worker())) {
                givenBefore(wanted, claimed);
            }
            return null;
        }
        var limits = new JdbcLimits(sql);
        var next = claim(wanted, now, limits, claimed);
        limited = limits.any();
        return next;
    }

    /** Whether limits of queues or lanes had a say in the last claim. */
    public boolean limited() {
        return limited;
    }

    private @Nullable Instant claim(Wanted wanted, Instant now, JdbcLimits limits, List<Claimed> claimed)
            throws SQLException {
        var taken = 0;
        var chars = 0L;
        var full = -1;
        while (full < limits.full().size()) {
            full = limits.full().size();
            var suspectToo = wanted.suspectToo() && full == 0;
            for (var candidate : candidates(wanted, suspectToo, limits, wanted.most() - taken, now)) {
                if (taken == wanted.most() || chars > MOST_CHARS) {
                    return null;
                }
                if (limits.take(candidate.queue(), lane(candidate))) {
                    chars += take(candidate.seq(), wanted, now, claimed);
                    taken++;
                }
            }
        }
        return taken == wanted.most() ? null : nextDue(wanted, now);
    }

    private Handling.@Nullable Lane lane(Due candidate) throws SQLException {
        return candidate.lane().isEmpty()
                ? null
                : jobs.job(candidate.seq()).given().handling().lane();
    }

    /** Takes a job; returns how many characters its journal has. */
    private long take(long seq, Wanted wanted, Instant now, List<Claimed> claimed) throws SQLException {
        var found = Objects.requireNonNull(sql.one(
                "select " + RowMapping.JOB + ", news" + RowMapping.FROM_JOB + "where seq = ?",
                row -> new Candidate(RowMapping.job(row), row.getInt(RowMapping.BEHIND_JOB) != 0),
                seq));
        sql.run(TAKE, wanted.worker(), wanted.claim(), now.toEpochMilli(), seq);
        var job = taken(found.job(), wanted.worker(), now);
        var journal = found.untouched() ? List.<JournalLine>of() : jobs.journal(job);
        claimed.add(new Claimed(job, journal));
        return journal.stream().mapToLong(JdbcClaims::size).sum();
    }

    /** A job that is about to be taken, and whether something was sent to it. */
    private record Candidate(StoredJob job, boolean mail) {
        /** Nobody has ever worked on it or written to it: there is no journal to read. */
        boolean untouched() {
            return job.standing().fence() == 0 && !mail;
        }
    }

    private static StoredJob taken(StoredJob job, long worker, Instant now) {
        var before = job.standing();
        var standing = new StoredJob.Standing(
                JobState.RUNNING,
                before.resubmission(),
                before.fence() + 1,
                worker,
                before.suspicion(),
                new StoredJob.Times(before.times().created(), Instant.ofEpochMilli(now.toEpochMilli()), null),
                before.cancelling(),
                before.owes());
        return new StoredJob(job.id(), job.identity(), job.given(), standing, job.outcome());
    }

    private void givenBefore(Wanted wanted, List<Claimed> claimed) throws SQLException {
        var again = new ArrayList<StoredJob>();
        sql.each(
                "select " + RowMapping.JOB + RowMapping.FROM_JOB
                        + "where owner = ? and owner <> 0 and claim = ? order by seq",
                row -> again.add(RowMapping.job(row)),
                wanted.worker(),
                wanted.claim());
        for (var job : again) {
            claimed.add(new Claimed(job, jobs.journal(job)));
        }
    }

    /** A claim group that a wish can be met from. */
    private record OpenGroup(long id, String queue) {}

    /** A job that is due, how urgent it is, and since when. */
    private record Due(long seq, int priority, long due, String queue, String lane) {
        static final Comparator<Due> FIRST = Comparator.comparingInt((Due one) -> -one.priority)
                .thenComparingLong(Due::due)
                .thenComparingLong(Due::seq);
    }

    /** The most urgent jobs, and of those the ones due longest, of everything that is wanted together; at most one suspect. */
    private List<Due> candidates(Wanted wanted, boolean suspectToo, JdbcLimits limits, int wish, Instant now)
            throws SQLException {
        var suspects = new ArrayList<Due>();
        var others = new ArrayList<Due>();
        var full = Json.write(limits.full());
        for (var group : groups(wanted, limits)) {
            var most = wish;
            for (var priority : DuePriorities.in(group.id(), sql)) {
                if (suspectToo) {
                    due(group, 1, priority, now, 1, full, suspects);
                }
                var before = others.size();
                due(group, 0, priority, now, most, full, others);
                most -= others.size() - before;
            }
        }
        suspects.sort(Due.FIRST);
        suspects.stream().limit(1).forEach(others::add);
        others.sort(Due.FIRST);
        return others;
    }

    private void due(
            OpenGroup openGroup, int suspect, int priority, Instant now, int most, String full, List<Due> found)
            throws SQLException {
        var all = found.size() + most;
        Statements.RowTaker taking = row -> {
            if (found.size() < all) {
                found.add(new Due(row.getLong(1), priority, row.getLong(2), openGroup.queue(), row.getString(3)));
            }
        };
        var at = now.toEpochMilli();
        var order = ORDER + limitOfAtLeast(most) + dialect.skippingLocked();
        if (full.equals("[]")) {
            sql.each(DUE + order, taking, openGroup.id(), suspect, priority, at);
        } else {
            sql.each(
                    DUE + " and not lane" + dialect.amongTexts() + order,
                    taking,
                    openGroup.id(),
                    suspect,
                    priority,
                    at,
                    full);
        }
    }

    /** Few different ones, so that their statements stay prepared: SQLite plans a statement anew whenever a limit is bound. */
    private static int limitOfAtLeast(int most) {
        return most <= 1 ? most : Integer.highestOneBit(most - 1) << 1;
    }

    private List<OpenGroup> groups(Wanted wanted) throws SQLException {
        return groups(wanted, null);
    }

    /** The claim groups that a wish can be met from, of queues that have room. */
    private List<OpenGroup> groups(Wanted wanted, @Nullable JdbcLimits limits) throws SQLException {
        var groups = new ArrayList<OpenGroup>();
        for (var workflow : wanted.taking().workflows()) {
            sql.each(
                    "select id, queue, on_behalf_of, version from pawl.claim_group where workflow = ?"
                            + " and exists (select 1 from pawl.job where job.claim_group = claim_group.id and due is not null)",
                    row -> {
                        var queue = row.getString(2);
                        var group = new ClaimGroup(workflow, queue, row.getString(3), row.getString(4));
                        if (group.isTakenBy(wanted.taking()) && (limits == null || limits.hasRoom(queue))) {
                            groups.add(new OpenGroup(row.getLong(1), queue));
                        }
                    },
                    workflow);
        }
        return groups;
    }

    /** When the next of what is wanted comes due. */
    public @Nullable Instant nextDue(Wanted wanted, Instant now) throws SQLException {
        Long next = null;
        for (var group : groups(wanted)) {
            for (var priority : DuePriorities.in(group.id(), sql)) {
                var due = sql.one(
                        "select due from pawl.job where claim_group = ? and suspect = 0 and priority = ? and due > ?"
                                + " order by due limit 1",
                        row -> row.getLong(1),
                        group.id(),
                        priority,
                        now.toEpochMilli());
                if (due != null && (next == null || due < next)) {
                    next = due;
                }
            }
        }
        return next == null ? null : Instant.ofEpochMilli(next);
    }

    private static long size(JournalLine line) {
        return switch (line.entry()) {
            case Entry.StepDone done -> done.result().length();
            case Entry.Answered answered ->
                answered.answer() instanceof Answer.Happened happened && happened.result() != null
                        ? happened.result().length()
                        : USUAL_CHARS;
            default -> USUAL_CHARS;
        };
    }
}
