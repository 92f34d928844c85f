package dev.pawl.store.jdbc;

import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Cancelling;
import dev.pawl.store.ChildEnd;
import dev.pawl.store.Delivering;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Reopening;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of jobs and their journals: how they are made, moved and told of each other. Not thread-safe. */
public final class JdbcJobs {
    private static final String APPEND = "insert into pawl.journal (job, change, resubmission, at, kind, place, body)"
            + " select seq, ?, resubmission, ?, ?, ?, ? from pawl.job where seq = ?";
    private static final String APPEND_TO =
            "insert into pawl.journal (job, change, resubmission, at, kind, place, body) values (?, ?, ?, ?, ?, ?, ?)";

    /** SQLite plans a statement anew whenever it is told another limit, which takes longer than the statement: so the limit stands in it. */
    private static final String CALLERS =
            "select parent, resubmission, place from pawl.call where child = ? and (parent, resubmission, place) > (?, ?, ?)"
                    + " order by parent, resubmission, place limit " + (FollowUp.MOST_OTHERS + 1);

    private final Statements sql;
    private final JdbcClaimGroups groups;
    private final JdbcSpending spending;
    private final JdbcTally tally;
    private final JdbcFollowUps followUps;
    private final Dialect dialect;

    private final String insert;
    private final String find;
    private final String move;
    private @Nullable Boolean calls;

    JdbcJobs(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.dialect = dialect;
        this.followUps = new JdbcFollowUps(sql, dialect);
        this.insert = dialect.insertJob();
        this.find = RowMapping.byIdentity(dialect);
        this.move =
                "update pawl.job set state = ?, fence = fence + 1, owner = 0, claim = 0, resubmission = ?, changed = ?, due = ?,"
                        + " result = ?, failure = ?, question = ?, suspect = ?, strikes = ?, cancelling = ?, owes = ?, end_number = case when ? = 1"
                        + " then " + dialect.nextEnded()
                        + " else end_number end, ending = ?, gate = null where seq = ?";
        this.groups = new JdbcClaimGroups(sql);
        this.spending = new JdbcSpending(sql);
        this.tally = new JdbcTally(sql, dialect);
    }

    /** A transaction begins. */
    void begin() {
        calls = null;
    }

    /** A job has just been called by another. */
    void isCalled() {
        calls = true;
    }

    /** Whether any job is called by another, as far as this transaction can know without asking for each that ends. */
    private boolean mayBeCalled() throws SQLException {
        if (!dialect.writesAlone()) {
            return true;
        }
        if (calls == null) {
            calls = sql.one("select 1 from pawl.call limit 1", row -> true) != null;
        }
        return calls;
    }

    /** A transaction was undone. */
    void forget() {
        groups.forget();
        spending.forget();
        tally.forget();
    }

    // ---- rows

    /** A new job, claimed at once when {@code worker} is not 0; null when its identity is there already. */
    @Nullable
    StoredJob insert(Identity identity, StoredJob.Given given, long worker, long claim, Instant now)
            throws SQLException {
        var at = now.toEpochMilli();
        var taken = worker != 0;
        var handling = given.handling();
        var due = taken ? null : handling.firstDue(now);
        var lane = handling.lane();
        var values = new EnumMap<JobColumn, @Nullable Object>(JobColumn.class);
        values.put(JobColumn.WORKFLOW, identity.workflow());
        values.put(JobColumn.KEY, identity.key().encoded());
        values.put(JobColumn.INPUT, given.input());
        values.put(JobColumn.STATE, RowMapping.code(taken ? JobState.RUNNING : JobState.READY));
        values.put(JobColumn.FENCE, taken ? 1L : 0L);
        values.put(JobColumn.OWNER, worker);
        values.put(JobColumn.CLAIM, claim);
        values.put(JobColumn.CREATED, at);
        values.put(JobColumn.CHANGED, at);
        values.put(JobColumn.DUE, due == null ? null : due.toEpochMilli());
        values.put(JobColumn.CLAIM_GROUP, groups.of(ClaimGroup.of(identity, handling)));
        values.put(JobColumn.PRIORITY, handling.priority());
        values.put(JobColumn.LANE, lane == null ? "" : lane.key());
        values.put(JobColumn.LANE_MOST, lane == null ? 0 : lane.most());
        values.put(JobColumn.TRACEPARENT, handling.traceparent());
        var seq = sql.one(insert, row -> row.getLong(1), bound(identity.hash(), JobColumn.values(values)));
        if (seq == null) {
            return null;
        }
        return StoredJob.submitted(seq, identity, given, worker, now, due);
    }

    private static @Nullable Object[] bound(String identity, @Nullable Object[] values) {
        var all = new @Nullable Object[values.length + 1];
        all[0] = identity;
        System.arraycopy(values, 0, all, 1, values.length);
        return all;
    }

    /** The job with this number, which is there. */
    public StoredJob job(long seq) throws SQLException {
        return Objects.requireNonNull(jobOrNull(seq));
    }

    /** The job with this number; null when there is none. */
    public @Nullable StoredJob jobOrNull(long seq) throws SQLException {
        return sql.one("select " + RowMapping.JOB + RowMapping.FROM_JOB + "where seq = ?", RowMapping::job, seq);
    }

    /** The job with this identity; null when there is none. */
    public @Nullable StoredJob find(Identity identity) throws SQLException {
        return sql.one(find, RowMapping::job, identity.hash());
    }

    /** The first jobs that a worker has, at most {@code most}. */
    List<StoredJob> ownedBy(long worker, int most) throws SQLException {
        var jobs = new ArrayList<StoredJob>();
        sql.each(
                "select " + RowMapping.JOB + RowMapping.FROM_JOB + "where owner = ? and owner <> 0 order by seq limit ?"
                        + dialect.forUpdate(),
                row -> jobs.add(RowMapping.job(row)),
                worker,
                most);
        return jobs;
    }

    // ---- journals

    boolean has(long job, long change) throws SQLException {
        return sql.one("select 1 from pawl.journal where job = ? and change = ?", row -> row.getInt(1), job, change)
                != null;
    }

    /** What the current run of a job has recorded, without what attempts wrote. */
    public List<JournalLine> journal(StoredJob job) throws SQLException {
        var lines = new ArrayList<JournalLine>();
        sql.each(
                "select " + RowMapping.LINE + " from pawl.journal where job = ? and resubmission = ? and "
                        + RowMapping.REPLAYED + " order by seq",
                row -> lines.add(RowMapping.line(row)),
                job.id(),
                job.standing().resubmission());
        return lines;
    }

    /** Appends to the journal of a job's current run, under ids that follow {@code firstId}. */
    void append(long job, long firstId, Instant now, List<Entry> entries) throws SQLException {
        var id = firstId;
        for (var entry : entries) {
            var text = EntryText.of(entry);
            sql.run(APPEND, id++, now.toEpochMilli(), text.entryCode().code(), text.place(), text.body(), job);
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
                    text.entryCode().code(),
                    text.place(),
                    text.body());
            spending.add(job, now, entry);
        }
    }

    JdbcSpending spending() {
        return spending;
    }

    JdbcFollowUps followUps() {
        return followUps;
    }

    JdbcTally tally() {
        return tally;
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
                RowMapping.code(next),
                job.standing().resubmission() + (transition == Transition.RESUBMIT ? 1 : 0),
                now.toEpochMilli(),
                due == null ? null : due.toEpochMilli(),
                outcome.result(),
                failure == null ? null : Json.write(failure),
                question == null ? null : Json.write(question),
                suspicion.suspect() ? 1 : 0,
                suspicion.strikes(),
                (reopened ? Reopening.callsOff(job, transition) : job.standing().cancelling()) ? 1 : 0,
                reopened ? Reopening.owesAfter(job, transition) : job.standing().owes(),
                finished ? 1 : 0,
                EndingCodes.of(next, outcome),
                job.id());
        count(
                job,
                EndingCodes.of(job.state(), job.outcome()),
                job.standing().times().changed(),
                -1);
        count(job, EndingCodes.of(next, outcome), now, 1);
        if (transition == Transition.RESUBMIT) {
            runsAs(job.id(), "");
        }
        if (finished) {
            tellCallers(job.id(), now);
        }
    }

    private void count(StoredJob job, @Nullable Integer ending, Instant when, long many) throws SQLException {
        if (ending != null) {
            var group = groups.of(ClaimGroup.of(job.identity(), job.given().handling()));
            tally.add(group, ending, when, many);
        }
    }

    /** A job can go on, or end at last if it was called off and nothing is in doubt. */
    void goOn(StoredJob job, Transition transition, boolean inDoubt, Instant now) throws SQLException {
        var way = inDoubt ? transition : Cancelling.onceSettled(job, transition);
        move(
                job,
                way,
                StoredJob.Outcome.NONE,
                job.standing().suspicion(),
                now,
                way.to().finished() ? null : now);
    }

    /** The job goes on with a version of its code, and is taken by workers that fit it. */
    void runsAs(long job, String version) throws SQLException {
        var there = job(job);
        if (!there.given().handling().version().equals(version)) {
            var group = ClaimGroup.of(there.identity(), there.given().handling().version(version));
            sql.run("update pawl.job set claim_group = ? where seq = ?", groups.of(group), job);
        }
    }

    // ---- calls and messages

    /** Tells everybody who waits for the end of a job that has just ended; says whether there is anybody. */
    boolean tellCallers(long child, Instant now) throws SQLException {
        return mayBeCalled() && tellCallers(FollowUp.TellCallers.all(child), now);
    }

    /** Tells those who wait for the end of a job, as many as may be changed yet; the others are left. Says whether there is anybody. */
    boolean tellCallers(FollowUp.TellCallers rest, Instant now) throws SQLException {
        var most = Math.max(followUps.othersLeft(), 0);
        var before = rest.lastTold();
        var callers = new ArrayList<FollowUp.Caller>();
        sql.each(
                CALLERS,
                row -> callers.add(new FollowUp.Caller(row.getLong(1), row.getInt(2), row.getString(3))),
                rest.job(),
                before.parent(),
                before.resubmission(),
                before.place());
        var told = callers.subList(0, Math.min(most, callers.size()));
        followUps.changesOthers(told.size());
        if (!told.isEmpty()) {
            var ended = job(rest.job());
            for (var caller : told) {
                tellCaller(ended, caller, now);
            }
        }
        if (told.size() < callers.size()) {
            followUps.leave(told.isEmpty() ? rest : rest.behind(told.getLast()));
        }
        return !callers.isEmpty();
    }

    void tellCaller(StoredJob child, FollowUp.Caller caller, Instant now) throws SQLException {
        var parent = Objects.requireNonNull(sql.one(
                "select " + RowMapping.JOB + RowMapping.FROM_JOB + "where seq = ?" + dialect.forUpdate(),
                RowMapping::job,
                caller.parent()));
        var message = ChildEnd.message(child, caller.place(), caller.resubmission());
        if (parent.standing().resubmission() == caller.resubmission()
                && Delivering.objection(parent, message) == null
                && !has(parent.id(), message.change())) {
            append(parent.id(), message.change(), now, List.of(new Entry.Delivered(message)));
            wake(parent, message.kind(), now);
        }
    }

    /** Lets a job hear of a message that was just appended. */
    void wake(StoredJob job, Message.Kind messageKind, Instant now) throws SQLException {
        var comesBack = switch (Delivering.judge(job, messageKind)) {
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

    /** The first children that end with a job that is called off: not detached, unfinished, and called by nobody else who is still there. */
    List<StoredJob> boundChildren(FollowUp.CallOff below, int most) throws SQLException {
        var children = new ArrayList<StoredJob>();
        sql.each(
                "select " + RowMapping.JOB + RowMapping.FROM_JOB
                        + "where state in (READY, RUNNING, WAITING, PAUSED) and seq in"
                        + " (select child from pawl.call where parent = ? and resubmission <= ? and detached = 0 and child > ?)"
                        + " and not exists (select 1 from pawl.call c join pawl.job p on p.seq = c.parent where c.child = job.seq"
                        + " and c.parent <> ? and p.state in (READY, RUNNING, WAITING, PAUSED) and p.cancelling = 0) order by seq limit ?"
                        + dialect.forUpdate(),
                row -> children.add(RowMapping.job(row)),
                below.job(),
                below.resubmission(),
                below.behind(),
                below.job(),
                most);
        return children;
    }
}
