package dev.pawl.store.document;

import dev.pawl.cost.KeptPrices;
import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Gating;
import dev.pawl.store.document.RowDocument.RowName;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where documents are kept: jobs, each with a version that grows with every change; gates, rates, workers and prices, small enough to be compared as they
 * are; and the few questions that rules ask of all of them. What was loaded may be out of date by the time that it is used: {@link #apply} finds out. What a
 * question over all of them answers it does not compare: whoever declares a worker dead, opens a gate or calls a tree off looks again for who came meanwhile.
 */
public interface Documents {

    /** A copy of the job under this number; null when there is none. */
    @Nullable
    JobDocument job(long id);

    /** A copy of the job of this name; null when there is none. */
    @Nullable
    JobDocument job(Identity identity);

    /** The gate of this name; null when nobody ever closed it. */
    @Nullable
    Gate gate(String name);

    /** What has passed a gate that lets through so many in a time; null when nothing has. */
    Gating.@Nullable Passed passed(String gate);

    /** The worker of this number; null when it is not enlisted. */
    @Nullable
    WorkerRecord worker(long id);

    /** Whether a worker of this number is known to be gone for good. */
    boolean isGone(long worker, Instant now);

    /** The prices that were kept last; null when none were. */
    @Nullable
    KeptPrices prices();

    /** Whether the limits of queues and lanes leave room for one more job that is to be handled like this. */
    boolean hasRoom(Handling handling);

    /** The first jobs that a worker has, at most {@code most}. */
    List<Long> ownedBy(long worker, int most);

    /** The jobs of a worker that were called off. */
    Set<Long> calledOff(long worker);

    /** The first jobs that wait at a gate and came there when it had been closed so often at the most; at most {@code most}. */
    List<Long> waitingAt(String gate, long closings, int most);

    /** The first jobs behind {@code after} that a job has called, in its first runs up to {@code resubmission}; at most {@code most}. */
    List<Long> calledBy(long parent, int resubmission, long after, int most);

    /** What is left to do under this number; null when nothing is. */
    @Nullable
    FollowUp followUp(long id);

    /** Whether anything is left to do of a job. */
    boolean isLeftOf(long job);

    /** So many other jobs are changed at once at the most. */
    default int mostOthers() {
        return FollowUp.MOST_OTHERS;
    }

    /** Jobs that ended well before then, have no tombstone yet, and in which nothing happened twice. */
    List<Long> endedBefore(Instant when);

    /** Jobs that were changed later than {@code now}: the clock was ahead. */
    List<Long> changedAfter(Instant now);

    /** The gates that were closed later than {@code now}. */
    List<String> closedAfter(Instant now);

    /** The collection of this name; null when there is none. */
    @Nullable
    LedgerCollection collection(String name);

    /** The part of this name; null when there is none. */
    @Nullable
    LedgerPart part(RowName name);

    /** The row of this name; null when there is none. */
    @Nullable
    RowDocument row(RowName name);

    /** The first rows of a collection that are settled since before then and not pruned, at most {@code most}. */
    List<RowName> settledRows(String collection, Instant changedBefore, int most);

    /** A number that is larger than all before it. */
    long nextNumber();

    /** Puts all that is in {@code set} in the place of what it was made from; returns false, and does nothing, when that has changed since. */
    boolean apply(WriteSet set);
}
