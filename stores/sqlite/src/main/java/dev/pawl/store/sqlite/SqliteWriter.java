package dev.pawl.store.sqlite;

import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes changes on one connection, inside a transaction that its caller began. Not thread-safe. */
final class SqliteWriter {
    private final Sql sql;
    private final Time time;
    private final SqliteJobs jobs;
    private final SqliteWorkers workers;
    private final SqliteClaims claims;
    private final SqliteSubmissions submissions;
    private final SqliteOwners owners;
    private final SqlitePeople people;
    private final SqliteGates gates;

    SqliteWriter(Connection connection, Time time) {
        this.sql = new Sql(connection);
        this.time = time;
        var attempts = new SqliteAttempts(sql);
        this.jobs = new SqliteJobs(sql);
        this.workers = new SqliteWorkers(sql, jobs, attempts);
        this.claims = new SqliteClaims(sql, jobs, workers, time);
        this.submissions = new SqliteSubmissions(sql, jobs, claims, workers);
        this.gates = new SqliteGates(sql, jobs);
        this.owners = new SqliteOwners(sql, jobs, attempts, submissions, gates);
        this.people = new SqlitePeople(sql, jobs, attempts);
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
        jobs.forget();
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
        return new Exchanged(applied, claimed, claims.claim(wanted, now, claimed), now);
    }

    private Applied apply(Change change, Instant now, List<Claimed> claimed) throws SQLException {
        return switch (change) {
            case Change.SubmitJob c -> submissions.submit(c, now, claimed);
            case Change.Owned c -> owners.owned(c, now);
            case Change.AnswerAttempt c -> people.answer(c, now);
            case Change.Decide c -> people.decide(c, now);
            case Change.Deliver c -> people.deliver(c, now);
            case Change.CancelJob c -> people.cancel(c, now);
            case Change.RetryJob c -> people.reopen(c.job(), c.id(), Transition.RETRY, c.audit(), now);
            case Change.ResubmitJob c -> people.reopen(c.job(), c.id(), Transition.RESUBMIT, c.audit(), now);
            case Change.DiscardJob c -> people.reopen(c.job(), c.id(), Transition.DISCARD, c.audit(), now);
            case Change.LimitQueue c -> claims.limitQueue(c);
            case Change.OpenGate c -> gates.open(c, now);
            case Change.PruneJobs c -> new SqlitePruning(sql).prune(c);
            case Change.Enlist c -> workers.enlist(c, now);
            case Change.Beat c -> workers.beat(c);
            case Change.TakeOver c -> workers.takeOver(c, now);
            case Change.Retire c -> workers.retire(c, now);
        };
    }

    // ---- a user's transaction

    /** Whether this very change is recorded already. */
    boolean has(long job, long change) throws SQLException {
        return jobs.has(job, change);
    }

    /** Whether {@code hold} is good until this transaction ends. */
    boolean holds(Change.Hold hold) throws SQLException {
        return owners.holds(hold);
    }

    /** Appends to the journal of a job whose hold was checked in this transaction. */
    void append(long job, long firstId, Instant now, List<Entry> entries) throws SQLException {
        jobs.append(job, firstId, now, entries);
    }
}
