package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.HeldChange;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreGone;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A change on its way to the store, and the thread that waits for it. */
final class Pending {

    private final Change change;
    private final boolean waitsWhenHeld;
    private final Thread waiter = Thread.currentThread();
    private volatile @Nullable Applied applied;
    private volatile @Nullable StoreFailure storeFailure;

    /** @param waitsWhenHeld whether it is asked for again when somebody else holds what it is about */
    Pending(Change change, boolean waitsWhenHeld) {
        this.change = change;
        this.waitsWhenHeld = waitsWhenHeld;
    }

    Change change() {
        return change;
    }

    boolean waitsOnVirtualThread() {
        return waiter.isVirtual();
    }

    boolean waitsWhenHeld() {
        return waitsWhenHeld;
    }

    void answer(Applied doneAs) {
        applied = doneAs;
        wake();
    }

    void fail(StoreFailure reason) {
        storeFailure = reason;
        wake();
    }

    /** Waits for the answer. An interrupt does not end the wait, because the change is on its way; it is kept for later. */
    Applied await() {
        var interrupted = false;
        while (true) {
            var doneAs = applied;
            var reason = storeFailure;
            if ((doneAs != null || reason != null) && interrupted) {
                Thread.currentThread().interrupt();
            }
            if (doneAs != null) {
                return doneAs;
            }
            if (reason instanceof HeldChange held) {
                throw new HeldChange(held.changes(), String.valueOf(held.getMessage()), held);
            }
            if (reason instanceof StoreGone gone) {
                throw new StoreGone(String.valueOf(gone.getMessage()), gone);
            }
            if (reason != null) {
                throw new StoreFailure(reason.move(), String.valueOf(reason.getMessage()), reason);
            }
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
    }

    /** Whether it is known what became of it. */
    boolean isAnswered() {
        return applied != null || storeFailure != null;
    }

    /** Whether it is known to be done. */
    boolean isDone() {
        var doneAs = applied;
        return doneAs != null && doneAs.done();
    }

    private void wake() {
        if (!waiter.equals(Thread.currentThread())) {
            LockSupport.unpark(waiter);
        }
    }
}
