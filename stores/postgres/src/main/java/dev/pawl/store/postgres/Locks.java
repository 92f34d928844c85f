package dev.pawl.store.postgres;

import dev.pawl.key.Identity;
import dev.pawl.store.Change;
import dev.pawl.store.FollowUp;
import dev.pawl.store.jdbc.Statements;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Keeps everybody else from the rows that a change is about, until the transaction ends: then reading, judging and writing are one. In the
 * same order (workers, calls, gates by name, jobs by number), so that nobody waits in a circle; what a change comes to in a tree of many jobs beyond its first is
 * locked as it is read, and a circle that this may close is found by the server and tried again.
 */
final class Locks {
    /** Distinguishes our advisory locks from other programs'. */
    static final int OURS = 0x5061_776c;

    /** What stands before the number of a job in the name of the lock under which it is added to. */
    static final String JOB = "job/";

    /** As many as one change can touch. What it comes to beyond those it locks as it reads them. */
    private static final int FIRST = FollowUp.MOST_OTHERS + 1;

    private static final int CALLS = 1;
    private static final int LANES = 2;
    private static final int TREES = 3;

    private final Statements sql;

    Locks(Statements sql) {
        this.sql = sql;
    }

    /** Locks what {@code change} can be about, as far as one commit goes. */
    void lock(Change change) throws SQLException {
        lockWorker(change);
        if (change instanceof Change.CallIfOwned) {
            // Two calls at the same time could close a circle that neither sees.
            advisory(CALLS);
        }
        if (change instanceof Change.CancelJob || (change instanceof Change.GoOn && change.job() != 0)) {
            // Two trees that are called off at the same time could each take the other for one that still needs a job
            // of both.
            advisory(TREES);
        }
        lock(List.of(change));
    }

    /** Locks everything that {@code changes} of jobs can be about: either all of them only add, or none of them does. */
    void lock(List<Change> changes) throws SQLException {
        for (var gate : new TreeSet<>(changes.stream().map(Locks::gateOf).toList())) {
            if (!gate.isEmpty()) {
                advisory(gate);
            }
        }
        if (onlyAdds(changes.getFirst())) {
            lockToAdd(changes);
            return;
        }
        var locked = new HashSet<Long>();
        for (var wanted = reach(changes); locked.addAll(wanted); wanted = reach(changes)) {
            lockJobs(wanted);
        }
    }

    /** Whether a change of a running job leaves the job's own row as it is. */
    static boolean onlyAdds(Change change) {
        return change instanceof Change.RecordStepIfOwned
                || change instanceof Change.IntendEffectIfOwned
                || change instanceof Change.AnswerAttempt
                || change instanceof Change.KeepArtifactIfOwned
                || change instanceof Change.SendRowsIfOwned
                || change instanceof Change.SealPartIfOwned
                || change instanceof Change.PassGateIfOwned;
    }

    /**
     * Keeps jobs as they are, but lets others keep them so too: a transaction of the user's in one item of a job may take long, and the job's other items go on
     * meanwhile. Answers and later attempts of one job come one after the other.
     */
    private void lockToAdd(List<Change> changes) throws SQLException {
        var jobs = new TreeSet<Long>();
        var answered = new TreeSet<Long>();
        for (var change : changes) {
            jobs.add(change.job());
            if (change instanceof Change.AnswerAttempt) {
                answered.add(change.job());
            }
        }
        sql.each(
                "select pg_advisory_xact_lock(?, hashtext('pawl.' || '" + JOB
                        + "' || n)) from unnest(cast(? as bigint[])) as n",
                row -> {},
                OURS,
                array(jobs));
        answered.removeAll(keep(jobs));
        // The answer to an old question may let its job go on.
        lockJobs(answered);
    }

    /** Keeps jobs as they are; returns those that are running. */
    private Set<Long> keep(Set<Long> jobs) throws SQLException {
        var running = new HashSet<Long>();
        sql.each(
                "select seq from pawl.job where seq = any (cast(? as bigint[])) and state = RUNNING order by seq for share",
                row -> running.add(row.getLong(1)),
                array(jobs));
        return running;
    }

    /** Keeps a job as it is for the user's transaction that will be known as {@code change}, of which there is only one at a time. */
    void lockForTransaction(long job, long change) throws SQLException {
        advisory("transaction/" + job + "/" + change);
        keep(Set.of(job));
    }

    /** Which of {@code changes} would have to wait for somebody who holds their jobs' rows. */
    List<Integer> held(List<Change> changes) throws SQLException {
        var toAdd = new TreeSet<Long>();
        var others = new TreeSet<Long>();
        changes.forEach(change -> (onlyAdds(change) ? toAdd : others).add(change.job()));
        var free = new HashSet<Long>();
        var there = new HashSet<Long>();
        add(free, "select seq from pawl.job where seq = any (cast(? as bigint[])) for share skip locked", array(toAdd));
        add(
                free,
                "select seq from pawl.job where seq = any (cast(? as bigint[])) for update skip locked",
                array(others));
        toAdd.addAll(others);
        add(there, "select seq from pawl.job where seq = any (cast(? as bigint[]))", array(toAdd));
        there.removeAll(free);
        return IntStream.range(0, changes.size())
                .filter(i -> there.contains(changes.get(i).job()))
                .boxed()
                .toList();
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

    /** The gate that a change is about; empty for none. */
    private static String gateOf(Change change) {
        if (change instanceof Change.OpenGate open) {
            return open.gate();
        }
        if (change instanceof Change.WaitAtGateIfOwned wait) {
            return wait.wish().name();
        }
        return change instanceof Change.PassGateIfOwned pass ? pass.rate().gate() : "";
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

    /** The jobs that changes can touch: their own, those that end or are given back with them, and whoever waits for the end of one of these. */
    private Set<Long> reach(List<Change> changes) throws SQLException {
        var jobs = new TreeSet<Long>();
        for (var change : changes) {
            addOwn(jobs, change);
        }
        // Whoever goes on has told the first callers already, and locks those that it tells.
        if (!jobs.isEmpty() && !(changes.getFirst() instanceof Change.GoOn)) {
            add(
                    jobs,
                    "select c.parent from unnest(cast(? as bigint[])) j(id) cross join lateral (select parent from pawl.call where child = j.id"
                            + " order by parent, resubmission, place limit " + FIRST + ") c",
                    array(jobs));
        }
        return jobs;
    }

    private void addOwn(Set<Long> jobs, Change change) throws SQLException {
        if (change.job() != 0) {
            jobs.add(change.job());
        }
        switch (change) {
            case Change.CancelJob cancel ->
                add(
                        jobs,
                        "with recursive below(id) as (select cast(? as bigint) union select call.child from pawl.call join below on call.parent = below.id"
                                + " where detached = 0) select id from below limit " + FIRST,
                        cancel.job());
            case Change.TakeOver over ->
                add(
                        jobs,
                        "select seq from pawl.job where owner = ? and owner <> 0 order by seq limit " + FIRST,
                        over.worker());
            case Change.CallIfOwned call -> addNamed(jobs, call.call().child());
            case Change.SubmitJob submit -> addNamed(jobs, submit.identity());
            default -> {}
        }
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
