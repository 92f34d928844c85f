package dev.pawl.engine.local;

import dev.pawl.failure.LeaseLost;
import dev.pawl.lease.Trust;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * This process's right to its jobs, as it believes in it. Once lost it stays lost; the worker enlists anew. Thread-safe.
 */
final class Lease {

    private final long worker;
    private final Duration term;
    private final Time time;
    private final Store.Lifeline lifeline;
    private final Set<Long> calledOff = ConcurrentHashMap.newKeySet();
    private volatile Trust trust;
    private volatile boolean lost;
    private long beat;
    private int holders;
    private boolean closed;

    /** A lease that was just asked for, at {@code askedAt} and {@code askedNanos}. */
    Lease(long worker, Duration term, Time time, Store.Lifeline lifeline, Trust trust) {
        this.worker = worker;
        this.term = term;
        this.time = time;
        this.lifeline = lifeline;
        this.trust = trust;
    }

    /** For how long it holds, counted from each beat. */
    Duration term() {
        return term;
    }

    long worker() {
        return worker;
    }

    boolean lost() {
        return lost;
    }

    void lose() {
        lost = true;
        closeWhenUnheld(0);
    }

    /** A run begins under this lease. */
    void hold() {
        closeWhenUnheld(1);
    }

    /** A run under this lease has ended, with all its threads. */
    void letGo() {
        closeWhenUnheld(-1);
    }

    /** Nobody may take over while an act of ours still runs: the lifeline is cut only when the last run has ended. */
    private synchronized void closeWhenUnheld(int more) {
        holders += more;
        if (lost && holders == 0 && !closed) {
            closed = true;
            lifeline.close();
        }
    }

    /**
     * Raises the beat.
     *
     * @return whether the lease is still ours
     */
    boolean renew(Committers committers) {
        var askedAt = time.now();
        var askedNanos = time.nanos();
        var applied = committers.commit(new Change.Beat(worker, nextBeat()));
        if (applied instanceof Applied.LeaseLost) {
            lose();
            return false;
        }
        trust = new Trust(term, askedAt, askedNanos);
        if (applied instanceof Applied.Beaten beaten) {
            calledOff.addAll(beaten.calledOff());
        }
        return !lost;
    }

    private synchronized long nextBeat() {
        return ++beat;
    }

    /** Whether others leave its jobs to it now, as far as this process can tell without asking. */
    boolean isTrusted() {
        return !lost && trust.holds(time.now(), time.nanos());
    }

    /** How long ago it began to beat last, when the store took that. */
    Duration sinceBeat() {
        return Duration.ofNanos(time.nanos() - trust.askedNanos());
    }

    /** The jobs of this worker that were called off, as far as beats have told since this was asked last. */
    Set<Long> takeCalledOff() {
        var told = Set.copyOf(calledOff);
        calledOff.removeAll(told);
        return told;
    }

    /**
     * Makes sure, right before an act, that the lease is safely ours.
     *
     * @throws LeaseLost when it is not, or nobody can tell
     */
    void ensure(Committers committers) {
        if (!lost && trust.holds(time.now(), time.nanos())) {
            return;
        }
        var ours = false;
        if (!lost) {
            try {
                ours = renew(committers);
            } catch (StoreFailure e) {
                throw new LeaseLost("the lease could not be renewed before acting: " + e.getMessage());
            }
        }
        if (!ours || !trust.holds(time.now(), time.nanos())) {
            throw new LeaseLost("the lease is no longer safely ours");
        }
    }
}
