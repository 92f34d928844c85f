package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Exchanged;
import dev.pawl.store.HeldChange;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.time.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the changes of the jobs that are bound to it into one commit. A change that finds nothing waiting commits on its caller's own thread; the others
 * queue up while that commit runs, and the committer's thread takes them together. A commit without an answer is asked again with the same
 * ids until patience ends. Thread-safe.
 */
final class Committer {

    /** How many changes go into one commit. */
    static final int MOST_AT_ONCE = 1_024;

    private static final int WORTH_GATHERING = 4;
    private static final int SPINS = 5_000;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Store store;
    private final EnginePorts ports;
    private final ClaimDesk desk;
    private final boolean claims;
    private final Duration patience;
    private final StoreClock clock;
    private final ConcurrentLinkedDeque<Pending> queue = new ConcurrentLinkedDeque<>();
    private final Semaphore insisting = new Semaphore(1, true);
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile int lastBatch;
    private final Signal workSignal = new Signal();
    private volatile boolean claimAsked;
    private volatile boolean stopped;
    private volatile @Nullable StoreFailure endedBy;

    Committer(Store store, EnginePorts ports, ClaimDesk desk, boolean claims, Duration patience, StoreClock clock) {
        this.store = store;
        this.ports = ports;
        this.desk = desk;
        this.claims = claims;
        this.patience = patience;
        this.clock = clock;
    }

    void start(String name) {
        ports.threads().start(Threads.Purpose.STANDING, name + "-committer", this::loop);
    }

    /** Ends the committer's thread once nothing waits. Changes can still be made, each on its caller's thread. */
    void stop() {
        stopped = true;
        workSignal.raise();
    }

    /** Nothing more is committed: what waits fails, and so does what comes. */
    void end(StoreFailure reason) {
        endedBy = reason;
        stopped = true;
        failWhatWaits(reason);
        workSignal.raise();
    }

    private void failWhatWaits(StoreFailure reason) {
        for (var pending = queue.poll(); pending != null; pending = queue.poll()) {
            pending.fail(reason);
        }
    }

    /**
     * Commits {@code change}; when it returns, what it says is durable.
     *
     * @throws StoreFailure when the store gave no answer for as long as patience lasts
     */
    Applied commit(Change change) {
        return commit(new Pending(change, true));
    }

    /** Like {@link #commit(Change)}; empty when somebody else holds what it is about, and it had better be asked for later. */
    Optional<Applied> commitUnlessHeld(Change change) {
        try {
            return Optional.of(commit(new Pending(change, false)));
        } catch (HeldChange held) {
            return Optional.empty();
        }
    }

    private Applied commit(Pending pending) {
        if (endedBy != null || lastBatch > 1 || !queue.isEmpty() || !commitAlone(pending)) {
            enqueue(pending);
        }
        return pending.await();
    }

    private void enqueue(Pending pending) {
        queue.add(pending);
        if (waiting.incrementAndGet() == 1) {
            workSignal.raise();
        }
        comeLate();
    }

    private void comeLate() {
        var reason = endedBy;
        if (reason != null) {
            failWhatWaits(reason);
        } else if (stopped) {
            drainAlone();
        }
    }

    /** Has many changes committed, together as far as there is room; whoever wants to know awaits each. */
    List<Pending> give(List<? extends Change> changes) {
        var pending = changes.stream().map(change -> new Pending(change, true)).toList();
        queue.addAll(pending);
        waiting.addAndGet(pending.size());
        workSignal.raise();
        comeLate();
        return pending;
    }

    /**
     * Commits one change on its caller's thread. Asks once only: waiting for a store that does not answer is the committer's own business,
     * because a caller that waits while it holds everybody up can be starved by other jobs.
     */
    private boolean commitAlone(Pending pending) {
        if (!busy.compareAndSet(false, true)) {
            return false;
        }
        try {
            var changes = List.of(pending.change());
            var askedAt = clock.ours();
            var exchanged = store.exchange(changes, Wanted.NOTHING);
            clock.told(exchanged.now(), askedAt);
            desk.got(Wanted.NOTHING, changes, exchanged);
            pending.answer(exchanged.applied().getFirst());
            return true;
        } catch (RuntimeException failure) {
            return false;
        } finally {
            free();
        }
    }

    /** Makes an exchange soon, for the claims alone if nothing else waits. */
    void claimSoon() {
        claimAsked = true;
        workSignal.raise();
    }

    private void loop() {
        while (true) {
            var seen = workSignal.count();
            var ending = stopped;
            if (endedBy != null) {
                return;
            }
            if (queue.isEmpty() && !claimAsked) {
                if (ending) {
                    return;
                }
                pause(seen, Duration.ofDays(1));
            } else if (busy.compareAndSet(false, true)) {
                try {
                    gather();
                    exchange(drain());
                } finally {
                    free();
                }
            } else {
                pause(seen, Duration.ofDays(1));
            }
        }
    }

    /** After the committer's thread has ended, whoever comes late takes the queue along. */
    private void drainAlone() {
        while (!queue.isEmpty()) {
            if (busy.compareAndSet(false, true)) {
                try {
                    exchange(drain());
                } finally {
                    free();
                }
            } else {
                UninterruptedWait.pause(ports.time(), FIRST_PAUSE);
            }
        }
    }

    private void free() {
        busy.set(false);
        if (!queue.isEmpty() || claimAsked) {
            workSignal.raise();
        }
    }

    /**
     * Lets the threads that the last commit woke come back with their next change, for a moment: while many work, a fuller commit is worth
     * more than an early one.
     */
    private void gather() {
        var expected = lastBatch < WORTH_GATHERING ? 0 : lastBatch;
        for (var i = 0; i < SPINS && waiting.get() < expected; i++) {
            Thread.onSpinWait();
        }
    }

    /** The next batch: what waits, at most one change per job. */
    private List<Pending> drain() {
        var batch = new ArrayList<Pending>();
        var jobs = new HashSet<Long>();
        var later = new ArrayDeque<Pending>();
        while (batch.size() < MOST_AT_ONCE) {
            var next = queue.poll();
            if (next == null) {
                break;
            }
            var job = next.change().job();
            if (job != 0 && !jobs.add(job)) {
                later.add(next);
            } else {
                batch.add(next);
            }
        }
        while (!later.isEmpty()) {
            queue.addFirst(later.removeLast());
        }
        waiting.addAndGet(-batch.size());
        return batch;
    }

    private void exchange(List<Pending> batch) {
        claimAsked = false;
        var wanted = claims ? desk.want() : Wanted.NOTHING;
        try {
            while (!batch.isEmpty() || wanted.any()) {
                try {
                    var changes = changes(batch);
                    var exchanged = askUntilAnswered(changes, wanted);
                    desk.got(wanted, changes, exchanged);
                    answer(batch, exchanged.applied());
                    return;
                } catch (HeldChange held) {
                    setAside(batch, held);
                }
            }
        } catch (StoreFailure storeFailure) {
            fail(batch, wanted, storeFailure);
        } catch (RuntimeException | Error defect) {
            fail(batch, wanted, new StoreFailure(StoreFailure.Move.OPERATOR, "a defect in Pawl: " + defect, defect));
        }
    }

    private static List<Change> changes(List<Pending> batch) {
        var changes = new ArrayList<Change>(batch.size());
        for (var pending : batch) {
            changes.add(pending.change());
        }
        return changes;
    }

    /** Somebody else holds what these changes are about; all others go on without them. */
    private void setAside(List<Pending> batch, HeldChange held) {
        // From the last one on, so that the other indexes stay true.
        for (var index :
                held.changes().stream().sorted(Comparator.reverseOrder()).toList()) {
            var pending = batch.get(index);
            if (pending.waitsWhenHeld()) {
                ports.threads().start(Threads.Purpose.STANDING, "pawl-held", () -> insist(pending));
            } else {
                pending.fail(held);
            }
            batch.remove(pending);
        }
    }

    /**
     * Asks for a held change alone, from time to time. What a worker or a run has to say is asked for as long as it takes, because without it neither can go on;
     * everybody else is told in the end.
     */
    private void insist(Pending pending) {
        var changes = List.of(pending.change());
        var start = ports.time().nanos();
        var pauseFor = FIRST_PAUSE;
        while (true) {
            UninterruptedWait.pause(ports.time(), pauseFor);
            pauseFor = pauseFor.compareTo(LONGEST_PAUSE) < 0 ? pauseFor.multipliedBy(2) : LONGEST_PAUSE;
            // One at a time: a change that waits for a lock keeps a connection busy.
            insisting.acquireUninterruptibly();
            try {
                var askedAt = clock.ours();
                var exchanged = store.exchange(changes, Wanted.NOTHING);
                clock.told(exchanged.now(), askedAt);
                desk.got(Wanted.NOTHING, changes, exchanged);
                pending.answer(exchanged.applied().getFirst());
                return;
            } catch (HeldChange held) {
                if (!mustBeMade(pending.change())
                        && Duration.ofNanos(ports.time().nanos() - start).compareTo(patience) >= 0) {
                    pending.fail(held);
                    return;
                }
            } catch (RuntimeException | Error failure) {
                // Not about this change alone.
                enqueue(pending);
                return;
            } finally {
                insisting.release();
            }
        }
    }

    private static boolean mustBeMade(Change change) {
        return change instanceof Change.Owned
                || change instanceof Change.AnswerAttempt
                || change instanceof Change.OfWorker
                || (change instanceof Change.SubmitJob submit && submit.claim() != null);
    }

    private void fail(List<Pending> batch, Wanted wanted, StoreFailure storeFailure) {
        desk.gotNothing(wanted, changes(batch), storeFailure);
        for (var pending : batch) {
            pending.fail(storeFailure);
        }
    }

    /**
     * Waking many from a virtual thread costs the committer one wake-up instead of one for each. Standing threads are woken at once: no job's code may
     * keep a beat from its answer.
     */
    private void answer(List<Pending> batch, List<Applied> applied) {
        lastBatch = batch.size();
        var many = batch.size() >= WORTH_GATHERING;
        for (var i = 0; i < batch.size(); i++) {
            if (!many || !batch.get(i).waitsOnVirtualThread()) {
                batch.get(i).answer(applied.get(i));
            }
        }
        if (many) {
            ports.threads().start(Threads.Purpose.JOB, "pawl-answers", () -> {
                for (var i = 0; i < batch.size(); i++) {
                    if (batch.get(i).waitsOnVirtualThread()) {
                        batch.get(i).answer(applied.get(i));
                    }
                }
            });
        }
    }

    private Exchanged askUntilAnswered(List<Change> changes, Wanted wanted) {
        var start = ports.time().nanos();
        var pauseFor = FIRST_PAUSE;
        while (true) {
            try {
                var askedAt = clock.ours();
                var exchanged = store.exchange(changes, wanted);
                clock.told(exchanged.now(), askedAt);
                return exchanged;
            } catch (HeldChange held) {
                throw held;
            } catch (StoreFailure storeFailure) {
                var passed = Duration.ofNanos(ports.time().nanos() - start);
                if (storeFailure.move() == StoreFailure.Move.OPERATOR
                        || passed.plus(pauseFor).compareTo(patience) >= 0) {
                    throw storeFailure;
                }
                UninterruptedWait.pause(ports.time(), pauseFor);
                pauseFor = pauseFor.multipliedBy(2);
            }
        }
    }

    private void pause(long seen, Duration atMost) {
        try {
            workSignal.await(ports.time(), seen, atMost);
        } catch (InterruptedException e) {
            stopped = true;
        }
    }
}
