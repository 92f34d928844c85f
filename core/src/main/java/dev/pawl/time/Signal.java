package dev.pawl.time;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A counter that threads wait on. Whoever waits first notes {@link #count()}, then looks at what it cares about, then waits for the count to
 * move: a raise between the look and the wait is never lost. Safe for any number of threads.
 */
public final class Signal {

    private final AtomicLong raised = new AtomicLong();
    private final ConcurrentLinkedQueue<Thread> waiting = new ConcurrentLinkedQueue<>();

    /** How often this was raised. */
    public long count() {
        return raised.get();
    }

    /** Wakes everybody who waits. */
    public void raise() {
        raised.incrementAndGet();
        for (var thread : waiting) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Waits until this was raised after {@code seen} was noted, or {@code atMost} has passed on the monotonic clock.
     *
     * @return whether it was raised
     */
    public boolean await(Time time, long seen, Duration atMost) throws InterruptedException {
        var start = time.nanos();
        var me = Thread.currentThread();
        waiting.add(me);
        try {
            while (raised.get() == seen) {
                var left = atMost.minusNanos(time.nanos() - start);
                if (!left.isPositive()) {
                    return false;
                }
                time.await(left);
            }
            return true;
        } finally {
            waiting.remove(me);
        }
    }
}
