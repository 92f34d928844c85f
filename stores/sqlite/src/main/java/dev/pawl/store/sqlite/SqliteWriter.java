package dev.pawl.store.sqlite;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.json.Json;
import dev.pawl.store.Answering;
import dev.pawl.store.Answering.Attempted;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Deciding;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Leaving;
import dev.pawl.store.Reopening;
import dev.pawl.store.Rescuing;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Submitting;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Makes changes on one connection, inside a transaction that its caller began. Not thread-safe. */
final class SqliteWriter {

    private static final int RUNNING = Rows.code(JobState.RUNNING);

    private static final String INSERT_JOB =
            "insert into job (identity, workflow, key, input, state, fence, owner, claim, created, changed, due)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning seq";
    private static final String APPEND_IF_OWNED =
            "insert into journal (job, change, resubmission, at, kind, place, body)"
                    + " select seq, ?, resubmission, ?, ?, ?, ? from job where seq = ? and fence = ? and state = 1"
                    + " on conflict do nothing";
    private static final String APPEND = "insert into journal (job, change, resubmission, at, kind, place, body)"
            + " select seq, ?, resubmission, ?, ?, ?, ? from job where seq = ?";
    private static final String APPEND_TO =
            "insert into journal (job, change, resubmission, at, kind, place, body) values (?, ?, ?, ?, ?, ?, ?)";
    private static final String LEAVE =
            "update job set state = ?, fence = fence + 1, owner = 0, claim = 0, changed = ?, due = ?, result = ?, failure = ?,"
                    + " question = ?, last_change = ?, suspect = case when ? then 0 else suspect end,"
                    + " strikes = case when ? then 0 else strikes end where seq = ? and fence = ? and state = 1";
    private static final String MOVE =
            "update job set state = ?, fence = fence + 1, owner = 0, claim = 0, resubmission = ?, changed = ?, due = ?,"
                    + " result = ?, failure = ?, question = ?, suspect = ?, strikes = ? where seq = ?";

    private final Sql sql;
    private final SqliteClaims claims;
    private final SqliteAttempts attempts;
    private final Time time;

    SqliteWriter(Connection connection, Time time) {
        this.sql = new Sql(connection);
        this.claims = new SqliteClaims(sql, time);
        this.attempts = new SqliteAttempts(sql);
        this.time = time;
    }

    SqliteClaims claims() {
        return claims;
    }

    void begin() throws SQLException {
        sql.run("begin immediate");
    }

    void commit() throws SQLException {
        sql.run("commit");
    }

    void rollback() throws SQLException {
        sql.run("rollback");
    }

    /** Applies everything; the caller commits. */
    Exchanged apply(List<Change> changes, Wanted wanted) throws SQLException {
        var applied = new ArrayList<Applied>(changes.size());
        var claimed = new ArrayList<Claimed>();
        var now = time.now();
        for (var change : changes) {
            applied.add(apply(change, now, claimed));
        }
        return new Exchanged(applied, claimed, claims.claim(wanted, now, claimed));
    }

    private Applied apply(Change change, Instant now, List<Claimed> claimed) throws SQLException {
        return switch (change) {
            case Change.SubmitJob c -> submit(c, now, claimed);
            case Change.Owned c -> owned(c, now);
            case Change.AnswerAttempt c -> answer(c, now);
            case Change.Decide c -> decide(c, now);
            case Change.RetryJob c -> reopen(c.job(), c.id(), Transition.RETRY, c.audit(), now);
            case Change.ResubmitJob c -> reopen(c.job(), c.id(), Transition.RESUBMIT, c.audit(), now);
            case Change.DiscardJob c -> reopen(c.job(), c.id(), Transition.DISCARD, c.audit(), now);
            case Change.Enlist c -> enlist(c);
            case Change.Beat c -> beat(c);
            case Change.TakeOver c -> takeOver(c, now);
            case Change.Retire c -> retire(c);
        };
    }

    // ---- submitting

    private Applied submit(Change.SubmitJob change, Instant now, List<Claimed> claimed) throws SQLException {
        var identity = change.identity();
        var claim = change.claim();
        var taking = claim != null && claims.enlisted(claim.worker());
        var at = now.toEpochMilli();
        var seq = sql.one(
                INSERT_JOB,
                row -> row.getLong(1),
                identity.hash(),
                identity.workflow(),
                identity.key().encoded(),
                change.input(),
                taking ? RUNNING : Rows.code(JobState.READY),
                taking ? 1L : 0L,
                taking && claim != null ? claim.worker() : 0L,
                taking && claim != null ? claim.id() : 0L,
                at,
                at,
                taking ? null : at);
        if (seq != null) {
            var times = new StoredJob.Times(now, now, taking ? null : now);
            var standing = new StoredJob.Standing(
                    taking ? JobState.RUNNING : JobState.READY,
                    0,
                    taking ? 1 : 0,
                    taking && claim != null ? claim.worker() : 0,
                    StoredJob.Suspicion.NONE,
                    times);
            var job = new StoredJob(seq, identity, change.input(), standing, StoredJob.Outcome.NONE);
            if (taking) {
                claimed.add(new Claimed(job, List.of()));
            }
            return new Applied.Now(job);
        }
        return submitAgain(change, claimed);
    }

    private Applied submitAgain(Change.SubmitJob change, List<Claimed> claimed) throws SQLException {
        var there = Objects.requireNonNull(sql.one(
                "select " + Rows.JOB + " from job where identity = ?",
                Rows::job,
                change.identity().hash()));
        var claim = change.claim();
        if (claim != null
                && there.state() == JobState.RUNNING
                && there.standing().owner() == claim.worker()
                && claimOf(there.id()) == claim.id()) {
            claimed.add(new Claimed(there, claims.journal(there)));
        }
        return switch (Submitting.judge(there, change.input())) {
            case SAME, SKIPPED_CHANGED -> new Applied.Already(there);
            case CONFLICT -> new Applied.Conflict(Submitting.conflict(there), there);
            case REPLACE -> {
                sql.run("update job set input = ? where seq = ?", change.input(), there.id());
                yield new Applied.Now(job(there.id()));
            }
        };
    }

    private long claimOf(long job) throws SQLException {
        return Objects.requireNonNull(sql.one("select claim from job where seq = ?", row -> row.getLong(1), job));
    }

    // ---- what an owner writes

    private Applied owned(Change.Owned change, Instant now) throws SQLException {
        if (change instanceof Change.FinishJob && attempts.anyOpen(change.job()) != null) {
            return whyNot(change);
        }
        if (change instanceof Change.IntendEffectIfOwned intend && attempts.happened(intend)) {
            return holds(change.hold()) && !has(change.job(), change.id())
                    ? new Applied.Conflict("an earlier attempt has happened", null)
                    : whyNot(change);
        }
        var leaving = Leaving.of(change);
        if (leaving == null) {
            var id = change.id();
            for (var entry : change.entries()) {
                if (appendIfOwned(change.hold(), id++, now, entry) == 0) {
                    return whyNot(change);
                }
            }
            if (change instanceof Change.IntendEffectIfOwned intend) {
                attempts.openAttempt(intend, now);
            }
            return Applied.now();
        }
        if (leave(change, leaving, now) == 0) {
            return whyNot(change);
        }
        append(change.job(), change.id(), now, change.entries());
        return Applied.now();
    }

    private int leave(Change.Owned change, Leaving leaving, Instant now) throws SQLException {
        var outcome = leaving.outcome();
        var after = leaving.after();
        var clears = leaving.clearsSuspicion() ? 1 : 0;
        return sql.run(
                LEAVE,
                Rows.code(leaving.transition().to()),
                now.toEpochMilli(),
                after == null ? null : now.plus(after).toEpochMilli(),
                outcome.result(),
                outcome.failure() == null ? null : Json.write(outcome.failure()),
                outcome.question() == null ? null : Json.write(outcome.question()),
                change.id(),
                clears,
                clears,
                change.job(),
                change.hold().fence());
    }

    /** Nothing was changed: because it is done already, because it may not finish, or because somebody else owns the job. */
    private Applied whyNot(Change.Owned change) throws SQLException {
        var done = sql.one(
                "select 1 from job where seq = ? and last_change = ?"
                        + " union all select 1 from journal where job = ? and change = ?",
                row -> row.getInt(1),
                change.job(),
                change.id(),
                change.job(),
                change.entries().isEmpty() ? Long.MIN_VALUE : change.id());
        if (done != null) {
            return Applied.already();
        }
        var held = sql.one("select fence from job where seq = ? and state = 1", row -> row.getLong(1), change.job());
        if (held == null || held != change.hold().fence()) {
            return new Applied.LeaseLost();
        }
        return new Applied.Refused("job " + change.job() + " is in doubt and cannot finish");
    }

    private int appendIfOwned(Change.Hold hold, long id, Instant now, Entry entry) throws SQLException {
        var text = EntryText.of(entry);
        return sql.run(
                APPEND_IF_OWNED,
                id,
                now.toEpochMilli(),
                text.kind().code(),
                text.place(),
                text.body(),
                hold.job(),
                hold.fence());
    }

    /** Appends to the journal of one run of a job, which need not be the current one. */
    private void appendTo(int resubmission, long job, long firstId, Instant now, List<Entry> entries)
            throws SQLException {
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
        }
    }

    /** Appends to the journal of a job whose right to be written to was checked before. */
    void append(long job, long firstId, Instant now, List<Entry> entries) throws SQLException {
        var id = firstId;
        for (var entry : entries) {
            var text = EntryText.of(entry);
            sql.run(APPEND, id++, now.toEpochMilli(), text.kind().code(), text.place(), text.body(), job);
        }
    }

    /** Whether {@code hold} is good: nothing else can claim the job before this transaction ends. */
    boolean holds(Change.Hold hold) throws SQLException {
        return sql.one(
                        "select 1 from job where seq = ? and fence = ? and state = 1",
                        row -> row.getInt(1),
                        hold.job(),
                        hold.fence())
                != null;
    }

    boolean has(long job, long change) throws SQLException {
        return sql.one("select 1 from journal where job = ? and change = ?", row -> row.getInt(1), job, change) != null;
    }

    // ---- attempts and answers

    private Applied answer(Change.AnswerAttempt change, Instant now) throws SQLException {
        var attempt = change.attempt();
        var known = attempts.of(change.job(), attempt.resubmission(), attempt.place());
        var before = known.get(attempt.number());
        if (before == null) {
            return new Applied.Refused(
                    "job " + change.job() + " has no attempt " + attempt.number() + " at " + attempt.place());
        }
        var job = job(change.job());
        if (has(change.job(), change.id())) {
            return has(change.job(), change.id() + 1) ? new Applied.Duplicated(job) : new Applied.Already(job);
        }
        var judged = Answering.judge(known, attempt.number(), change.answer(), change.source());
        if (judged.status() == before.status()) {
            return new Applied.Already(job);
        }
        attempts.setStatus(change.job(), attempt, judged.status());
        var entries = new ArrayList<Entry>();
        entries.add(new Entry.Answered(attempt.place(), attempt.number(), change.answer(), change.source()));
        if (judged.duplicated() && change.answer() instanceof Answer.Happened happened) {
            entries.add(new Entry.Duplicated(attempt.place(), attempt.number(), happened.result()));
        }
        appendTo(attempt.resubmission(), change.job(), change.id(), now, entries);
        if (judged.settled()) {
            wake(job, attempt, now);
        }
        var after = job(change.job());
        return judged.duplicated() ? new Applied.Duplicated(after) : new Applied.Now(after);
    }

    private void wake(StoredJob job, Change.AttemptRef attempt, Instant now) throws SQLException {
        if (attempt.resubmission() == job.standing().resubmission() && Answering.wakes(job, attempt.place())) {
            move(job, Transition.ANSWER, StoredJob.Outcome.NONE, job.standing().suspicion(), now, now);
        }
    }

    // ---- what people ask for

    private Applied decide(Change.Decide change, Instant now) throws SQLException {
        var job = jobOrNull(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (has(change.job(), change.id())) {
            return Applied.already();
        }
        var objection = Deciding.objection(job, change);
        if (objection != null) {
            return objection;
        }
        var question = Objects.requireNonNull(job.outcome().question());
        var run = job.standing().resubmission();
        var entries = new ArrayList<Entry>();
        entries.add(new Entry.Decided(question, change.decision()));
        var known = attempts.of(job.id(), run, question.place());
        for (var answer : Deciding.answers(question.kind(), open(known), change).entrySet()) {
            var number = answer.getKey();
            var judged = Answering.judge(known, number, answer.getValue(), Answer.Source.PERSON);
            attempts.setStatus(job.id(), new Change.AttemptRef(run, question.place(), number), judged.status());
            entries.add(new Entry.Answered(question.place(), number, answer.getValue(), Answer.Source.PERSON));
        }
        append(job.id(), change.id(), now, entries);
        move(job, Transition.DECIDE, StoredJob.Outcome.NONE, job.standing().suspicion(), now, now);
        return Applied.now();
    }

    private static List<Integer> open(SortedMap<Integer, Attempted> attempts) {
        return attempts.entrySet().stream()
                .filter(e -> e.getValue().status() == Answering.Status.OPEN)
                .map(Map.Entry::getKey)
                .toList();
    }

    private Applied reopen(long id, long change, Transition transition, Audit audit, Instant now) throws SQLException {
        var job = jobOrNull(id);
        if (job == null) {
            return new Applied.Refused("there is no job " + id);
        }
        if (has(id, change)) {
            return Applied.already();
        }
        var objection = Reopening.objection(job, transition);
        if (objection != null) {
            return objection;
        }
        var outcome = transition == Transition.DISCARD ? job.outcome() : StoredJob.Outcome.NONE;
        move(job, transition, outcome, StoredJob.Suspicion.NONE, now, transition.to() == JobState.READY ? now : null);
        append(id, change, now, List.of(Reopening.entry(job, transition, audit)));
        return new Applied.Now(job(id));
    }

    /** Goes from one state to the next; whoever owned the job no longer does. */
    private void move(
            StoredJob job,
            Transition transition,
            StoredJob.Outcome outcome,
            StoredJob.Suspicion suspicion,
            Instant now,
            @Nullable Instant due)
            throws SQLException {
        if (!transition.allowedFrom(job.state())) {
            throw new IllegalStateException(
                    "job " + job.identity() + " is " + job.state() + " and cannot " + transition);
        }
        var failure = outcome.failure();
        var question = outcome.question();
        sql.run(
                MOVE,
                Rows.code(transition.to()),
                job.standing().resubmission() + (transition == Transition.RESUBMIT ? 1 : 0),
                now.toEpochMilli(),
                due == null ? null : due.toEpochMilli(),
                outcome.result(),
                failure == null ? null : Json.write(failure),
                question == null ? null : Json.write(question),
                suspicion.suspect() ? 1 : 0,
                suspicion.strikes(),
                job.id());
    }

    // ---- workers

    private Applied enlist(Change.Enlist change) throws SQLException {
        var added = sql.run(
                "insert into worker (id, name, beat, term) values (?, ?, 0, ?) on conflict do nothing",
                change.worker(),
                change.name(),
                change.term().toMillis());
        return added == 1 ? Applied.now() : Applied.already();
    }

    private Applied beat(Change.Beat change) throws SQLException {
        if (sql.run(
                        "update worker set beat = ? where id = ? and beat < ?",
                        change.beat(),
                        change.worker(),
                        change.beat())
                == 1) {
            return Applied.now();
        }
        return claims.enlisted(change.worker()) ? Applied.already() : new Applied.LeaseLost();
    }

    private Applied takeOver(Change.TakeOver change, Instant now) throws SQLException {
        if (sql.run("delete from worker where id = ? and beat = ?", change.worker(), change.beat()) == 0) {
            return claims.enlisted(change.worker())
                    ? new Applied.Conflict("worker " + change.worker() + " has beaten since", null)
                    : Applied.already();
        }
        var rescued = new ArrayList<StoredJob>();
        for (var job : ownedBy(change.worker())) {
            rescue(job, change.how(), now);
            rescued.add(job(job.id()));
        }
        return new Applied.TookOver(rescued);
    }

    private void rescue(StoredJob job, Change.TakeOver.How how, Instant now) throws SQLException {
        var fence = job.standing().fence();
        var progress = sql.one(
                        "select 1 from journal where job = ? and change >= ? and change < ? limit 1",
                        row -> row.getInt(1),
                        job.id(),
                        Changes.firstOf(fence),
                        Changes.firstOf(fence + 1))
                != null;
        var judged = Rescuing.judge(job, progress, attempts.anyOpen(job.id()), how);
        append(job.id(), Rescuing.firstId(fence), now, judged.entries());
        move(job, judged.transition(), judged.outcome(), judged.suspicion(), now, judged.due(job));
    }

    private Applied retire(Change.Retire change) throws SQLException {
        if (!ownedBy(change.worker()).isEmpty()) {
            return new Applied.Conflict("worker " + change.worker() + " still owns jobs", null);
        }
        return sql.run("delete from worker where id = ?", change.worker()) == 1 ? Applied.now() : Applied.already();
    }

    private List<StoredJob> ownedBy(long worker) throws SQLException {
        var jobs = new ArrayList<StoredJob>();
        sql.each(
                "select " + Rows.JOB + " from job where owner = ? and owner <> 0 order by seq",
                row -> jobs.add(Rows.job(row)),
                worker);
        return jobs;
    }

    private StoredJob job(long seq) throws SQLException {
        return Objects.requireNonNull(jobOrNull(seq));
    }

    private @Nullable StoredJob jobOrNull(long seq) throws SQLException {
        return sql.one("select " + Rows.JOB + " from job where seq = ?", Rows::job, seq);
    }
}
