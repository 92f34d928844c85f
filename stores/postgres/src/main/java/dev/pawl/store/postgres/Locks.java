package dev.pawl.store.postgres;

import dev.pawl.key.Identity;
import dev.pawl.store.Change;
import dev.pawl.store.jdbc.Sql;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps everybody else from the rows that a change is about, until the transaction ends: then reading, judging and writing are one. Always in the
 * same order (workers, calls, gates by name, jobs by number), so that nobody waits in a circle.
 */
final class Locks {
    /** Distinguishes our advisory locks from other programs'. */
    static final int OURS = 0x5061_776c;

    /** What stands before the number of a job in the name of the lock under which it is added to. */
    static final String JOB = "job/";

    private static final int CALLS = 1;
    private static final int LANES = 2;

    private final Sql sql;

    Locks(Sql sql) {
        this.sql = sql;
    }

    /** Locks everything that {@code change} can be about. */
    void lock(Change change) throws SQLException {
        if (onlyAdds(change)) {
            lockToAdd(change);
            return;
        }
        lockWorker(change);
        if (change instanceof Change.CallIfOwned) {
            // Two calls at the same time could close a circle that neither sees.
            advisory(CALLS);
        }
        lockGate(change);
        var locked = new HashSet<Long>();
        for (var wanted = reach(change); locked.addAll(wanted); wanted = reach(change)) {
            lockJobs(wanted);
        }
    }

    /** Whether a change of a running job leaves the job's own row as it is. */
    private static boolean onlyAdds(Change change) {
        return change instanceof Change.RecordStepIfOwned
                || change instanceof Change.IntendEffectIfOwned
                || change instanceof Change.AnswerAttempt
                || change instanceof Change.KeepArtifactIfOwned
                || change instanceof Change.PassGateIfOwned;
    }

    /**
     * Keeps the job as it is, but lets others keep it so too: a transaction of the user's in one item of a job may take long, and the job's other items go on
     * meanwhile. One of these at a time for each job.
     */
    private void lockToAdd(Change change) throws SQLException {
        lockGate(change);
        advisory(JOB + change.job());
        var running = keep(change.job());
        if (!running && change instanceof Change.AnswerAttempt) {
            // The answer to an old question may let it go on.
            lockJobs(Set.of(change.job()));
        }
    }

    /** Keeps a job as it is; says whether it is running. */
    private boolean keep(long job) throws SQLException {
        return sql.one("select 1 from pawl.job where seq = ? and state = 1 for share", row -> 1, job) != null;
    }

    /** Keeps a job as it is for the user's transaction that will be known as {@code change}, of which there is only one at a time. */
    void lockForTransaction(long job, long change) throws SQLException {
        advisory("transaction/" + job + "/" + change);
        keep(job);
    }

    private void lockWorker(Change change) throws SQLException {
        if (change instanceof Change.OfWorker ofWorker) {
            lockWorker(ofWorker.worker());
        } else if (change instanceof Change.SubmitJob submit && submit.claim() != null) {
            lockLimits(submit.claim().worker());
        }
    }

    private void lockWorker(long worker) throws SQLException {
        sql.each("select 1 from pawl.worker where id = ? for update", row -> {}, worker);
    }

    /** Keeps others from claiming where limits count, and {@code worker} from being declared dead. */
    void lockLimits(long worker) throws SQLException {
        lockWorker(worker);
        sql.each("select 1 from pawl.queue order by name for update", row -> {});
        advisory(LANES);
    }

    private void advisory(int what) throws SQLException {
        sql.one("select pg_advisory_xact_lock(?, hashtext('pawl.') + ?)", row -> "", OURS, what);
    }

    private void lockGate(Change change) throws SQLException {
        var gate = gateOf(change);
        if (!gate.isEmpty()) {
            advisory(gate);
        }
    }

    /** The gate that a change is about; empty for none. */
    static String gateOf(Change change) {
        return switch (change) {
            case Change.OpenGate open -> open.gate();
            case Change.WaitAtGateIfOwned wait -> wait.wish().name();
            case Change.PassGateIfOwned pass -> pass.rate().gate();
            default -> "";
        };
    }

    /** Keeps others from what is called so. */
    private void advisory(String name) throws SQLException {
        sql.one("select pg_advisory_xact_lock(?, hashtext('pawl.' || ?))", row -> "", OURS, name);
    }

    private void lockJobs(Set<Long> jobs) throws SQLException {
        if (!jobs.isEmpty()) {
            sql.each(
                    "select 1 from pawl.job where seq = any (cast(? as bigint[])) order by seq for update",
                    row -> {},
                    array(jobs));
        }
    }

    /** The jobs that a change can touch: its own, those that end or are given back with it, and whoever waits for the end of one of these. */
    private Set<Long> reach(Change change) throws SQLException {
        var jobs = new TreeSet<Long>();
        if (change.job() != 0) {
            jobs.add(change.job());
        }
        switch (change) {
            case Change.CancelJob cancel ->
                add(
                        jobs,
                        "with recursive below(id) as (select cast(? as bigint) union select call.child from pawl.call join below on call.parent = below.id"
                                + " where detached = 0) select id from below",
                        cancel.job());
            case Change.TakeOver over ->
                add(jobs, "select seq from pawl.job where owner = ? and owner <> 0", over.worker());
            case Change.OpenGate open ->
                add(jobs, "select seq from pawl.job where gate = ? and state = 2", open.gate());
            case Change.CallIfOwned call -> addNamed(jobs, call.call().child());
            case Change.SubmitJob submit -> addNamed(jobs, submit.identity());
            default -> {}
        }
        if (!jobs.isEmpty()) {
            add(jobs, "select parent from pawl.call where child = any (cast(? as bigint[]))", array(jobs));
        }
        return jobs;
    }

    private void addNamed(Set<Long> jobs, Identity identity) throws SQLException {
        add(jobs, "select job from pawl.identified where identity = ?", identity.hash());
    }

    private void add(Set<Long> jobs, String query, Object value) throws SQLException {
        sql.each(query, row -> jobs.add(row.getLong(1)), value);
    }

    /** An array as PostgreSQL writes it. */
    static String array(Collection<Long> numbers) {
        var text = new StringBuilder("{");
        numbers.forEach(number -> text.append(text.length() == 1 ? "" : ",").append(number));
        return text.append('}').toString();
    }
}
