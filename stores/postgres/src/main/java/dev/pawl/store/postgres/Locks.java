package dev.pawl.store.postgres;

import dev.pawl.store.Change;
import dev.pawl.store.jdbc.Sql;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps everybody else from the rows that changes are about, until the transaction ends: then reading, judging and writing are one. Always in the
 * same order (workers, calls, gates by name, jobs by number), so that nobody waits in a circle.
 */
final class Locks {
    /** Distinguishes our advisory locks from other programs'. */
    static final int OURS = 0x5061_776c;

    private static final int CALLS = 1;
    private static final int LANES = 2;

    private final Sql sql;

    Locks(Sql sql) {
        this.sql = sql;
    }

    /** Locks everything that {@code changes} can be about. */
    void lock(List<Change> changes) throws SQLException {
        lockWorkers(changes);
        lockCalls(changes);
        lockGates(changes);
        var locked = new HashSet<Long>();
        for (var wanted = reach(changes); locked.addAll(wanted); wanted = reach(changes)) {
            lockJobs(wanted);
        }
    }

    private void lockWorkers(List<Change> changes) throws SQLException {
        var workers = new TreeSet<Long>();
        for (var change : changes) {
            if (change instanceof Change.OfWorker ofWorker) {
                workers.add(ofWorker.worker());
            } else if (change instanceof Change.SubmitJob submit && submit.claim() != null) {
                workers.add(submit.claim().worker());
            }
        }
        if (!workers.isEmpty()) {
            sql.each(
                    "select 1 from pawl.worker where id = any (cast(? as bigint[])) order by id for update",
                    row -> {},
                    array(workers));
        }
        for (var change : changes) {
            if (change instanceof Change.SubmitJob submit && submit.claim() != null) {
                lockLimits();
                return;
            }
        }
    }

    /** Keeps others from claiming where limits count, and {@code worker} from being declared dead. */
    void lockLimits(long worker) throws SQLException {
        sql.each("select 1 from pawl.worker where id = ? for update", row -> {}, worker);
        lockLimits();
    }

    private void lockLimits() throws SQLException {
        sql.each("select 1 from pawl.queue order by name for update", row -> {});
        advisory(LANES);
    }

    /** Two calls at the same time could close a circle that neither sees. */
    private void lockCalls(List<Change> changes) throws SQLException {
        if (changes.stream().anyMatch(Change.CallIfOwned.class::isInstance)) {
            advisory(CALLS);
        }
    }

    private void advisory(int what) throws SQLException {
        sql.one("select pg_advisory_xact_lock(?, hashtext('pawl.') + ?)", row -> "", OURS, what);
    }

    private void lockGates(List<Change> changes) throws SQLException {
        var gates = new TreeSet<String>();
        for (var change : changes) {
            switch (change) {
                case Change.OpenGate open -> gates.add(open.gate());
                case Change.WaitAtGateIfOwned wait -> gates.add(wait.wish().name());
                case Change.PassGateIfOwned pass -> gates.add(pass.rate().gate());
                default -> {}
            }
        }
        for (var gate : gates) {
            sql.one("select pg_advisory_xact_lock(?, hashtext('pawl.' || ?))", row -> "", OURS, gate);
        }
    }

    /** Keeps others from one job. */
    void lockJob(long job) throws SQLException {
        sql.each("select 1 from pawl.job where seq = ? for update", row -> {}, job);
    }

    private void lockJobs(Set<Long> jobs) throws SQLException {
        if (!jobs.isEmpty()) {
            sql.each(
                    "select 1 from pawl.job where seq = any (cast(? as bigint[])) order by seq for update",
                    row -> {},
                    array(jobs));
        }
    }

    /** The jobs that changes can touch: their own, those that end or are given back with them, and whoever waits for the end of one of these. */
    private Set<Long> reach(List<Change> changes) throws SQLException {
        var jobs = new TreeSet<Long>();
        for (var change : changes) {
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
                case Change.CallIfOwned call ->
                    add(
                            jobs,
                            "select job from pawl.identified where identity = ?",
                            call.call().child().hash());
                case Change.SubmitJob submit ->
                    add(
                            jobs,
                            "select job from pawl.identified where identity = ?",
                            submit.identity().hash());
                default -> {}
            }
        }
        if (!jobs.isEmpty()) {
            add(jobs, "select parent from pawl.call where child = any (cast(? as bigint[]))", array(jobs));
        }
        return jobs;
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
