package dev.pawl.store.jdbc;

import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Debts;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Makes changes one by one, inside a transaction that its caller began and in which nobody else can change the jobs they are about. Not thread-safe. */
public final class JdbcWriter {
    private final Statements sql;
    private final JdbcJobs jobs;
    private final JdbcPruning pruning;
    private final JdbcTimes times;
    private final JdbcWorkers workers;
    private final JdbcSubmissions submissions;
    private final JdbcOwners owners;
    private final JdbcAnswers answers;
    private final JdbcMessages messages;
    private final JdbcDecisions decisions;
    private final JdbcGates gates;
    private final JdbcLedger ledger;

    /** Writes with {@code sql}. */
    public JdbcWriter(Statements sql, Dialect dialect) {
        this.sql = sql;
        var attempts = new JdbcAttempts(sql);
        this.jobs = new JdbcJobs(sql, dialect);
        this.pruning = new JdbcPruning(sql, dialect, jobs.tally());
        this.times = new JdbcTimes(sql, dialect);
        this.workers = new JdbcWorkers(sql, jobs, attempts);
        this.submissions = new JdbcSubmissions(sql, jobs, workers);
        this.gates = new JdbcGates(sql, dialect, jobs);
        this.ledger = new JdbcLedger(sql, dialect);
        this.owners = new JdbcOwners(sql, dialect, jobs, attempts, submissions, gates, ledger);
        this.answers = new JdbcAnswers(sql, jobs, attempts);
        this.messages = new JdbcMessages(jobs);
        this.decisions = new JdbcDecisions(sql, jobs, attempts, new JdbcDuplicates(sql), gates);
    }

    /** The jobs that it writes. */
    public JdbcJobs jobs() {
        return jobs;
    }

    /** The workers that it writes. */
    public JdbcWorkers workers() {
        return workers;
    }

    /** The transaction was undone: what was remembered of it is forgotten. */
    public void forget() {
        jobs.forget();
        ledger.counts().forget();
    }

    /** A transaction begins. */
    public void begin() {
        jobs.begin();
    }

    /** Writes what was only added up so far; to be called before the transaction ends. */
    public void finish() throws SQLException {
        jobs.spending().write();
        jobs.tally().write();
        ledger.counts().write();
    }

    /** Makes one change; a job that is claimed with it is added to {@code claimed}. */
    public Applied apply(Change change, Instant now, List<Claimed> claimed) throws SQLException {
        jobs.followUps().begin();
        return switch (change) {
            case Change.SubmitJob c -> submissions.submit(c, now, claimed);
            case Change.Owned c -> owners.owned(c, now);
            case Change.AnswerAttempt c -> answers.answer(c, now);
            case Change.Decide c -> decisions.decide(c, now);
            case Change.Deliver c -> messages.deliver(c, now);
            case Change.GoOn c -> decisions.goOn(c, now);
            case Change.CancelJob c -> decisions.cancel(c, now);
            case Change.RetryJob c -> decisions.reopen(c.job(), c.id(), Transition.RETRY, c.audit(), now);
            case Change.ResubmitJob c -> decisions.reopen(c.job(), c.id(), Transition.RESUBMIT, c.audit(), now);
            case Change.DiscardJob c -> decisions.reopen(c.job(), c.id(), Transition.DISCARD, c.audit(), now);
            case Change.LimitQueue c -> JdbcLimits.limit(sql, c);
            case Change.KeepPrices c -> JdbcPrices.keep(sql, c, now);
            case Change.OpenGate c -> gates.open(c, now);
            case Change.PruneJobs c -> pruning.prune(c);
            case Change.EnrolRows c -> ledger.enrol(c, now);
            case Change.ReconcileRows c -> ledger.reconcile(c, now);
            case Change.SayOfRows c -> ledger.say(c, now);
            case Change.NotePart c -> ledger.note(c);
            case Change.PruneRows c -> ledger.prune(c);
            case Change.MendTimes c -> times.mend(c, now);
            case Change.Enlist c -> workers.enlist(c, now);
            case Change.Beat c -> workers.beat(c, now);
            case Change.TakeOver c -> workers.takeOver(c, now);
            case Change.Retire c -> workers.retire(c, now);
        };
    }

    // ---- a user's transaction

    /** Whether the user's part is to be run: done already, to be done now, or no longer the hold's to do. */
    public Applied beforeUsersPart(Change.Hold hold, long id) throws SQLException {
        if (jobs.has(hold.job(), id)) {
            return Applied.already();
        }
        return owners.holds(hold) ? Applied.now() : new Applied.LeaseLost();
    }

    /** Appends to the journal of a job whose hold was checked in this transaction. */
    public void append(long job, long firstId, Instant now, List<Entry> entries) throws SQLException {
        if (entries.stream().anyMatch(Debts::isIn)) {
            throw new IllegalArgumentException("what a job owes changes in a commit of its own");
        }
        jobs.append(job, firstId, now, entries);
    }
}
