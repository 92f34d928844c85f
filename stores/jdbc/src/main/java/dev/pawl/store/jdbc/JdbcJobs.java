package dev.pawl.store.jdbc;

import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.Line;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.store.ChildEnd;
import dev.pawl.store.Delivering;
import dev.pawl.store.StoredJob;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of jobs and their journals: how they are made, moved and told of each other. Not thread-safe. */
public final class JdbcJobs {
    /** What a new job has beside its identity. */
    public static final String COLUMNS =
            "workflow, key, input, state, fence, owner, claim, created, changed, due, line, priority, lane, lane_most";

    private static final String APPEND = "insert into pawl.journal (job, change, resubmission, at, kind, place, body)"
            + " select seq, ?, resubmission, ?, ?, ?, ? from pawl.job where seq = ?";
    private static final String APPEND_TO =
            "insert into pawl.journal (job, change, resubmission, at, kind, place, body) values (?, ?, ?, ?, ?, ?, ?)";

    private static final int LOGGED = EntryText.Kind.LOGGED.code();

    private final Sql sql;
    private final JdbcLines lines;
    private final JdbcSpending spending;

    private final String insert;
    private final String find;
    private final String move;

    JdbcJobs(Sql sql, Dialect dialect) {
        this.sql = sql;
        this.insert = dialect.insertJob();
        this.find = Rows.byIdentity(dialect);
        this.move =
                "update pawl.job set state = ?, fence = fence + 1, owner = 0, claim = 0, resubmission = ?, changed = ?, due = ?,"
                        + " result = ?, failure = ?, question = ?, suspect = ?, strikes = ?, cancelling = ?, ended = case when ? = 1"
                        + " then " + dialect.nextEnded() + " else ended end, gate = null where seq = ?";
        this.lines = new JdbcLines(sql);
        this.spending = new JdbcSpending(sql);
    }

    /** A transaction was undone. */
    void forget() {
        lines.forget();
        spending.forget();
    }

    // ---- rows

    /** A new job, claimed at once when {@code worker} is not 0; null when its identity is there already. */
    @Nullable
    StoredJob insert(Identity identity, StoredJob.Given given, long worker, long claim, Instant now)
            throws SQLException {
        var at = now.toEpochMilli();
        var taken = worker != 0;
        var handling = given.handling();
        var notBefore = handling.notBefore();
        var due = notBefore != null && notBefore.isAfter(now) ? notBefore : now;
        var lane = handling.lane();
        var seq = sql.one(
                insert,
                row -> row.getLong(1),
                identity.hash(),
                identity.workflow(),
                identity.key().encoded(),
                given.input(),
                Rows.code(taken ? JobState.RUNNING : JobState.READY),
                taken ? 1L : 0L,
                worker,
                claim,
                at,
                at,
                taken ? null : due.toEpochMilli(),
                lines.of(identity.workflow(), handling.queue(), handling.principal()),
                handling.priority(),
                lane == null ? "" : lane.key(),
                lane == null ? 0 : lane.most());
        if (seq == null) {
            return null;
        }
        var standing = new StoredJob.Standing(
                taken ? JobState.RUNNING : JobState.READY,
                0,
                taken ? 1 : 0,
                worker,
                StoredJob.Suspicion.NONE,
                new StoredJob.Times(now, now, taken ? null : due),
                false);
        var kept = new StoredJob.Given(given.input(), handling.kept());
        return new StoredJob(seq, identity, kept, standing, StoredJob.Outcome.NONE);
    }

    /** The job with this number, which is there. */
    public StoredJob job(long seq) throws SQLException {
        return Objects.requireNonNull(jobOrNull(seq));
    }

    /** The job with this number; null when there is none. */
    public @Nullable StoredJob jobOrNull(long seq) throws SQLException {
        return sql.one("select " + Rows.JOB + Rows.FROM_JOB + "where seq = ?", Rows::job, seq);
    }

    /** The job with this identity; null when there is none. */
    public @Nullable StoredJob find(Identity identity) throws SQLException {
        return sql.one(find, Rows::job, identity.hash());
    }

    List<StoredJob> ownedBy(long worker) throws SQLException {
        var jobs = new ArrayList<StoredJob>();
        sql.each(
                "select " + Rows.JOB + Rows.FROM_JOB + "where owner = ? and owner <> 0 order by seq",
                row -> jobs.add(Rows.job(row)),
                worker);
        return jobs;
    }

    // ---- journals

    boolean has(long job, long change) throws SQLException {
        return sql.one("select 1 from pawl.journal where job = ? and change = ?", row -> row.getInt(1), job, change)
                != null;
    }

    /** What the current run of a job has recorded, without what attempts wrote. */
    public List<Line> journal(StoredJob job) throws SQLException {
        var lines = new ArrayList<Line>();
        sql.each(
                "select " + Rows.LINE + " from pawl.journal where job = ? and resubmission = ? and kind <> " + LOGGED
                        + " order by seq",
                row -> lines.add(Rows.line(row)),
                job.id(),
                job.standing().resubmission());
        return lines;
    }

    /** Appends to the journal of a job's current run, under ids that follow {@code firstId}. */
    void append(long job, long firstId, Instant now, List<Entry> entries) throws SQLException {
        var id = firstId;
        for (var entry : entries) {
            var text = EntryText.of(entry);
            sql.run(APPEND, id++, now.toEpochMilli(), text.kind().code(), text.place(), text.body(), job);
            spending.add(job, now, entry);
        }
    }

    /** Appends to the journal of one run of a job, which need not be the current one. */
    void appendTo(int resubmission, long job, long firstId, Instant now, List<Entry> entries) throws SQLException {
        var id = firstId;
        for (var entry : entries) {
            var text = EntryText.of(entry);
            sql.run(
                    APPEND_TO,
                    job,
                    id++,
                    resubmission,
                    now.toEpochMilli(),
                    text.kind().code(),
                    text.place(),
                    text.body());
            spending.add(job, now, entry);
        }
    }

    JdbcSpending spending() {
        return spending;
    }

    // ---- moving

    /** Goes from one state to the next; whoever owned the job no longer does, and whoever waits for its end is told. */
    void move(
            StoredJob job,
            Transition transition,
            StoredJob.Outcome outcome,
            StoredJob.Suspicion suspicion,
            Instant now,
            @Nullable Instant due)
            throws SQLException {
        var next = transition.next(job.identity(), job.state());
        var failure = outcome.failure();
        var question = outcome.question();
        var finished = next.finished();
        var reopened = job.state().finished();
        sql.run(
                move,
                Rows.code(next),
                job.standing().resubmission() + (transition == Transition.RESUBMIT ? 1 : 0),
                now.toEpochMilli(),
                due == null ? null : due.toEpochMilli(),
                outcome.result(),
                failure == null ? null : Json.write(failure),
                question == null ? null : Json.write(question),
                suspicion.suspect() ? 1 : 0,
                suspicion.strikes(),
                job.standing().cancelling() && !reopened ? 1 : 0,
                finished ? 1 : 0,
                job.id());
        if (finished) {
            tellCallers(job.id(), now);
        }
    }

    // ---- calls and messages

    /** Who called a job. */
    record Caller(long parent, int resubmission, String place) {}

    /** Tells everybody who waits for the end of a job that has just ended; says whether there is anybody. */
    boolean tellCallers(long child, Instant now) throws SQLException {
        var callers = new ArrayList<Caller>();
        sql.each(
                "select parent, resubmission, place from pawl.call where child = ?",
                row -> callers.add(new Caller(row.getLong(1), row.getInt(2), row.getString(3))),
                child);
        for (var caller : callers) {
            tellCaller(job(child), caller, now);
        }
        return !callers.isEmpty();
    }

    void tellCaller(StoredJob child, Caller caller, Instant now) throws SQLException {
        var parent = job(caller.parent());
        var message = ChildEnd.message(child, caller.place(), caller.resubmission());
        if (parent.standing().resubmission() == caller.resubmission()
                && Delivering.objection(parent, message) == null
                && !has(parent.id(), message.change())) {
            append(parent.id(), message.change(), now, List.of(new Entry.Delivered(message)));
            wake(parent, message.kind(), now);
        }
    }

    /** Lets a job hear of a message that was just appended. */
    void wake(StoredJob job, Message.Kind kind, Instant now) throws SQLException {
        var comesBack = switch (Delivering.judge(job, kind)) {
            case KEEP, TELL_LATER -> false;
            case WAKE -> true;
        };
        if (!comesBack) {
            // A first claim reads no journal unless it is told that there is one.
            sql.run("update pawl.job set news = 1 where seq = ?", job.id());
        } else if (job.state() == JobState.WAITING) {
            move(job, Transition.MESSAGE, job.outcome(), job.standing().suspicion(), now, now);
        } else {
            sql.run("update pawl.job set due = ?, news = 1 where seq = ?", now.toEpochMilli(), job.id());
        }
    }

    /** Whether {@code child} waits for {@code job}, directly or through others, or is it. */
    boolean waitsFor(long child, long job) throws SQLException {
        return sql.one(
                        "with recursive above(id) as (select ? union select call.parent from pawl.call join above on call.child = above.id)"
                                + " select 1 from above where id = ? limit 1",
                        row -> row.getInt(1),
                        job,
                        child)
                != null;
    }

    /** The children that end with {@code parent}: not detached, unfinished, and called by nobody else who is still there. */
    List<StoredJob> boundChildren(long parent) throws SQLException {
        var children = new ArrayList<StoredJob>();
        sql.each(
                "select " + Rows.JOB + Rows.FROM_JOB + "where state in (0, 1, 2, 3) and seq in"
                        + " (select child from pawl.call where parent = ? and detached = 0)"
                        + " and not exists (select 1 from pawl.call c join pawl.job p on p.seq = c.parent where c.child = job.seq"
                        + " and c.parent <> ? and p.state in (0, 1, 2, 3) and p.cancelling = 0) order by seq",
                row -> children.add(Rows.job(row)),
                parent,
                parent);
        return children;
    }
}
