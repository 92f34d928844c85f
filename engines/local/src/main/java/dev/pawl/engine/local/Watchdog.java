package dev.pawl.engine.local;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Interrupts whatever takes longer than it may. Thread-safe. */
final class Watchdog {

    private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

    private final Time time;
    private final Queue<WatchedThread> watched = new ConcurrentLinkedQueue<>();
    private final Signal sooner = new Signal();
    private final AtomicLong nextLook = new AtomicLong(Long.MAX_VALUE);
    private volatile boolean stopped;

    Watchdog(Time time) {
        this.time = time;
    }

    void start(Threads threads, String name) {
        nextLook.set(time.nanos());
        threads.start(Threads.Purpose.STANDING, name + "-watchdog", this::loop);
    }

    void stop() {
        stopped = true;
        sooner.raise();
    }

    /** A thread that can be watched, one act at a time. */
    WatchedThread register() {
        var one = new WatchedThread(Thread.currentThread());
        watched.add(one);
        return one;
    }

    private void loop() {
        while (!stopped) {
            var seen = sooner.count();
            var now = time.nanos();
            var next = now + LONGEST_LOOK.toNanos();
            nextLook.set(next);
            for (var one : watched) {
                next = Math.min(next, one.bark(now));
            }
            nextLook.set(next);
            try {
                sooner.await(time, seen, Duration.ofNanos(Math.max(1, next - time.nanos())));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** One thread's acts, watched. */
    final class WatchedThread implements AutoCloseable {

        private final Thread thread;
        private boolean running;
        private boolean late;
        private long deadline;

        private WatchedThread(Thread thread) {
            this.thread = thread;
        }

        /** An act begins that may take {@code longest}. */
        void begin(Duration longest) {
            long due;
            synchronized (this) {
                running = true;
                late = false;
                deadline = time.nanos() + longest.toNanos();
                due = deadline;
            }
            if (due < nextLook.get()) {
                sooner.raise();
            }
        }

        /**
         * The act has ended. A watchdog's interrupt that was not taken is taken back.
         *
         * @return whether it was interrupted for taking too long
         */
        synchronized boolean end() {
            running = false;
            if (late) {
                Thread.interrupted();
            }
            return late;
        }

        private synchronized long bark(long now) {
            if (!running || late) {
                return Long.MAX_VALUE;
            }
            if (now < deadline) {
                return deadline;
            }
            late = true;
            thread.interrupt();
            return Long.MAX_VALUE;
        }

        @Override
        public void close() {
            watched.remove(this);
        }
    }
}
