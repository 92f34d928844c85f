package dev.pawl.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The machine's clocks. The one place that reads them. */
enum SystemTime implements Time {
    INSTANCE;

    private static final Duration LONGEST = Duration.ofDays(365);

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        var bounded = atMost.compareTo(LONGEST) > 0 ? LONGEST : atMost;
        if (bounded.isPositive()) {
            LockSupport.parkNanos(this, bounded.toNanos());
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
