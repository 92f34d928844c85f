package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A change on its way to the store, and the thread that waits for it. */
final class Pending {

    private final Change change;
    private final Thread waiter = Thread.currentThread();
    private volatile @Nullable Applied applied;
    private volatile @Nullable StoreFailure failure;
    private volatile @Nullable Long heldSince;

    Pending(Change change) {
        this.change = change;
    }

    Change change() {
        return change;
    }

    boolean waitsOnVirtualThread() {
        return waiter.isVirtual();
    }

    /** Somebody else holds what it is about; says for how long that is so already. */
    Duration held(long now) {
        var since = heldSince;
        if (since == null) {
            heldSince = now;
            return Duration.ZERO;
        }
        return Duration.ofNanos(now - since);
    }

    void answer(Applied answer) {
        applied = answer;
        wake();
    }

    void fail(StoreFailure why) {
        failure = why;
        wake();
    }

    /** Waits for the answer. An interrupt does not end the wait, because the change is on its way; it is kept for later. */
    Applied await() {
        var interrupted = false;
        while (true) {
            var answer = applied;
            var why = failure;
            if ((answer != null || why != null) && interrupted) {
                Thread.currentThread().interrupt();
            }
            if (answer != null) {
                return answer;
            }
            if (why != null) {
                throw new StoreFailure(why.move(), String.valueOf(why.getMessage()), why);
            }
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
    }

    private void wake() {
        if (!waiter.equals(Thread.currentThread())) {
            LockSupport.unpark(waiter);
        }
    }
}
