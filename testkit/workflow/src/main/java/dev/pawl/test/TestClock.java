package dev.pawl.test;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands still until the test advances it. Thread-safe. */
final class TestClock implements Leaps {
    private final Set<Thread> parked = new HashSet<>();
    private Instant now;
    private long nanos;

    TestClock(Instant start) {
        this.now = start;
    }

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public void advance(Duration duration) {
        Set<Thread> waiting;
        synchronized (this) {
            now = now.plus(duration);
            nanos += duration.toNanos();
            waiting = new HashSet<>(parked);
        }
        waiting.forEach(LockSupport::unpark);
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        long until;
        synchronized (this) {
            until = nanos + atMost.toNanos();
            parked.add(Thread.currentThread());
        }
        try {
            if (nanos() < until && !Thread.currentThread().isInterrupted()) {
                LockSupport.park(this);
            }
        } finally {
            synchronized (this) {
                parked.remove(Thread.currentThread());
            }
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
