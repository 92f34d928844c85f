package dev.pawl.engine.local;

import dev.pawl.job.Handling;
import dev.pawl.lease.Taking;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.time.Signal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Knows how many jobs there is room for, wishes for that many, and starts what was claimed. A slot is taken when it is wished for and given
 * back when nothing came of the wish or when the run has ended, so a job is never claimed without a thread to run it. Thread-safe.
 */
final class ClaimDesk implements Watchdog.Slots {

    /** Starts a claimed job, and loses the lease when the store failed for good. */
    interface Crew {
        void start(Lease lease, Claimed claimed);

        void storeFailed(StoreFailure storeFailure);
    }

    private final Crew crew;
    private final Signal look = new Signal();
    private final int slots;
    /** Below 0 while a job goes on whose slot was lent and is taken. */
    private int free;

    private int lent;
    private @Nullable Lease lease;
    private Taking taking = Taking.NOTHING;
    private boolean closed;
    private boolean mayBeReady = true;
    private boolean suspectRunning;
    private long asked;
    private boolean limited;
    private @Nullable Instant nextDue;
    private long claims;

    ClaimDesk(int slots, Crew crew) {
        this.slots = slots;
        this.free = slots;
        this.crew = crew;
    }

    /** Raised when there may be something to claim and room for it. */
    Signal look() {
        return look;
    }

    synchronized void opens(Lease current, Taking taken) {
        lease = current;
        taking = taken;
        mayBeReady = true;
        asked = 0;
        look.raise();
    }

    /** Something may be claimed once there is a lease, perhaps after a while in which nobody worked here. */
    synchronized void mayOpen() {
        lease = null;
        closed = false;
    }

    /** Nothing more is claimed. */
    synchronized void closes() {
        closed = true;
        look.raise();
    }

    /** There may be a job to claim. */
    void hint() {
        synchronized (this) {
            mayBeReady = true;
        }
        look.raise();
    }

    synchronized boolean wantsSomething() {
        return leaseToClaimUnder() != null && mayBeReady && asked == 0;
    }

    /** Whether nothing runs here, and nothing was asked for that may still be given. */
    synchronized boolean hasNothing() {
        return free == slots && lent == 0;
    }

    /** Whether nothing runs here, and nothing was to be claimed when somebody last looked. */
    synchronized boolean isIdle() {
        return lease != null && !mayBeReady && free == slots && lent == 0;
    }

    /** The lease under which something can be claimed; null when there is none, or no room. */
    private @Nullable Lease leaseToClaimUnder() {
        var current = lease;
        return closed || free <= 0 || current == null || current.lost() ? null : current;
    }

    /** When the next job comes due that could be claimed here, as far as the last look told. */
    synchronized @Nullable Instant nextDue() {
        return leaseToClaimUnder() == null ? null : nextDue;
    }

    /** A wish for as many jobs as there is room for. */
    synchronized Wanted want() {
        var current = leaseToClaimUnder();
        if (current == null || !mayBeReady || asked != 0) {
            return Wanted.NOTHING;
        }
        var most = free;
        free = 0;
        mayBeReady = false;
        asked = ++claims;
        return new Wanted(current.worker(), asked, taking, most, !suspectRunning);
    }

    /** One wish at a time: a store would take the earlier of two for one that arrived late. */
    private void answered(Wanted wanted) {
        if (wanted.claim() == asked) {
            asked = 0;
        }
    }

    /** A claim to go with the submission of such a job, if there is room. */
    synchronized Change.SubmitJob.@Nullable Claim claimFor(String workflow, Handling handling) {
        var current = leaseToClaimUnder();
        if (current == null || !taking.takes(workflow, handling.queue(), handling.principal(), handling.version())) {
            return null;
        }
        free--;
        return new Change.SubmitJob.Claim(current.worker(), ++claims);
    }

    void got(Wanted wanted, List<Change> changes, Exchanged exchanged) {
        var claimed = exchanged.claimed();
        if (!wanted.any() && claimed.isEmpty() && changes.stream().noneMatch(ClaimDesk::claims)) {
            return;
        }
        @Nullable Lease current;
        synchronized (this) {
            current = lease;
            var submitted = reservedBySubmissions(changes);
            free += wanted.most() + submitted - claimed.size();
            if (wanted.any()) {
                answered(wanted);
                nextDue = exchanged.next();
                limited = exchanged.limited();
                mayBeReady |= claimed.size() >= wanted.most();
            }
            suspectRunning |= claimed.stream()
                    .anyMatch(c -> c.job().standing().suspicion().suspect());
        }
        look.raise();
        for (var one : claimed) {
            var under = Objects.requireNonNull(current);
            if (!under.lost() && under.worker() == one.job().standing().owner()) {
                crew.start(under, one);
            } else {
                ended(one.job().standing().suspicion().suspect(), true);
            }
        }
    }

    void gotNothing(Wanted wanted, List<Change> changes, StoreFailure storeFailure) {
        synchronized (this) {
            free += wanted.most() + reservedBySubmissions(changes);
            answered(wanted);
            mayBeReady = true;
            nextDue = null;
        }
        look.raise();
        crew.storeFailed(storeFailure);
    }

    /**
     * A run has ended; its slot is free again.
     *
     * @param leavesWork whether something may be to be claimed that was not before
     */
    void ended(boolean suspect, boolean leavesWork) {
        synchronized (this) {
            free++;
            mayBeReady |= leavesWork || suspect || limited;
            if (suspect) {
                suspectRunning = false;
            }
        }
        look.raise();
    }

    /** As many slots may be lent as there are: whoever gets stuck in each of those too gets no more. */
    @Override
    public boolean lend() {
        synchronized (this) {
            if (lent == slots) {
                return false;
            }
            lent++;
            free++;
        }
        look.raise();
        return true;
    }

    @Override
    public synchronized void takeBack() {
        lent--;
        free--;
    }

    private static boolean claims(Change change) {
        return change instanceof Change.SubmitJob submit && submit.claim() != null;
    }

    private static int reservedBySubmissions(List<Change> changes) {
        var reserved = 0;
        for (var change : changes) {
            if (claims(change)) {
                reserved++;
            }
        }
        return reserved;
    }
}
