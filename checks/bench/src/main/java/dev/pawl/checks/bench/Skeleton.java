package dev.pawl.checks.bench;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The bound: seven awaited durable operations a job, and nothing else: no leases, no fences, no retries, no user code. One writer thread
 * drains the queue, one transaction per drain; one job at a time commits on the caller's own thread.
 */
final class Skeleton implements Subject {

    /** How long it waits for producers, at the most. */
    private static final int SPINS = 5_000;

    @Override
    public String name() {
        return "skeleton";
    }

    @Override
    public double stepsPerSecond(Path file, int inFlight, Duration window) throws Exception {
        try (var rows = new Rows(file)) {
            return inFlight == 1 ? alone(rows, window) : together(rows, inFlight, window);
        }
    }

    private static double alone(Rows rows, Duration window) throws SQLException {
        var meter = new Meter(window);
        var steps = 0L;
        for (var job = 1L; !meter.over(); job++) {
            for (var n = 0; n <= STEPS + 1; n++) {
                rows.begin();
                rows.write(job, n);
                rows.commit();
            }
            steps += STEPS;
        }
        return meter.perSecond(steps);
    }

    /** An operation and the thread that waits for it. */
    private static final class Operation {
        private final long job;
        private final int n;
        private final Thread waiter = Thread.currentThread();
        private volatile boolean done;

        Operation(long job, int n) {
            this.job = job;
            this.n = n;
        }
    }

    private static double together(Rows rows, int inFlight, Duration window) throws Exception {
        var queue = new ConcurrentLinkedQueue<Operation>();
        var waiting = new AtomicLong();
        var jobs = new AtomicLong();
        var steps = new AtomicLong();
        var meter = new Meter(window);
        var writer = Thread.currentThread();
        var running = new AtomicLong(inFlight);
        for (var i = 0; i < inFlight; i++) {
            Thread.ofVirtual().start(() -> {
                while (!meter.over()) {
                    var job = jobs.incrementAndGet();
                    for (var n = 0; n <= STEPS + 1; n++) {
                        var operation = new Operation(job, n);
                        queue.add(operation);
                        if (waiting.incrementAndGet() == 1) {
                            LockSupport.unpark(writer);
                        }
                        while (!operation.done) {
                            LockSupport.park(operation);
                        }
                    }
                    steps.addAndGet(STEPS);
                }
                running.decrementAndGet();
                LockSupport.unpark(writer);
            });
        }
        while (running.get() > 0) {
            gather(waiting, running);
            drain(rows, queue, waiting);
        }
        return meter.perSecond(steps.get());
    }

    /** Lets the threads that the last commit woke come back with their next operation, for a moment: a fuller commit is worth it. */
    private static void gather(AtomicLong waiting, AtomicLong running) {
        for (var i = 0; i < SPINS && waiting.get() < running.get(); i++) {
            Thread.onSpinWait();
        }
    }

    private static void drain(Rows rows, ConcurrentLinkedQueue<Operation> queue, AtomicLong waiting)
            throws SQLException {
        var batch = new ArrayList<Operation>();
        for (var next = queue.poll(); next != null; next = queue.poll()) {
            batch.add(next);
        }
        waiting.addAndGet(-batch.size());
        if (batch.isEmpty()) {
            LockSupport.park();
            return;
        }
        rows.begin();
        for (var operation : batch) {
            rows.write(operation.job, operation.n);
        }
        rows.commit();
        // Waking from a virtual thread costs the writer one wake-up instead of one for each waiter.
        Thread.startVirtualThread(() -> {
            for (var operation : batch) {
                operation.done = true;
                LockSupport.unpark(operation.waiter);
            }
        });
    }
}
