package dev.pawl.testkit;

import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands still until a test turns it. Thread-safe. */
public final class FakeTime implements Time {

    private Instant now = Instant.parse("2026-04-12T02:00:00Z");
    private long nanos;
    private final Set<Thread> parked = new HashSet<>();

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    /** Lets time pass, on both clocks. */
    public void advance(Duration duration) {
        synchronized (this) {
            now = now.plus(duration);
            nanos += duration.toNanos();
        }
        wakeAll();
    }

    /** Sets the wall clock forward or back; the monotonic clock does not move. */
    public void jump(Duration duration) {
        synchronized (this) {
            now = now.plus(duration);
        }
        wakeAll();
    }

    /** Lets the machine sleep: wall time passes, monotonic time does not. */
    public void sleepMachine(Duration duration) {
        jump(duration);
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

    private void wakeAll() {
        Set<Thread> waiting;
        synchronized (this) {
            waiting = new HashSet<>(parked);
        }
        waiting.forEach(LockSupport::unpark);
    }
}
