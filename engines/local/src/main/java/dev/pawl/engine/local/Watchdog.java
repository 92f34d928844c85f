package dev.pawl.engine.local;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Interrupts whatever takes longer than it may, and tells of what goes on all the same. Thread-safe. */
final class Watchdog {

    /** How long code that was interrupted has to end before it is overdue. */
    static final Duration TIME_TO_END = Duration.ofSeconds(10);

    /** Slots of jobs whose code is overdue: others may use them meanwhile. */
    interface Slots {
        /** Somebody else may use the slot of a job whose code is overdue. Returns whether there is one to lend. */
        boolean lend();

        /** The code has ended after all, and its job goes on in its slot. */
        void takeBack();
    }

    /** The slot of one run: it is lent once, however many threads of its code are overdue. */
    static final class RunSlot {
        private final Slots slots;
        private int overdueThreads;
        private boolean lent;

        private RunSlot(Slots slots) {
            this.slots = slots;
        }

        private synchronized void oneIsOverdue() {
            overdueThreads++;
            if (overdueThreads == 1) {
                lent = slots.lend();
            }
        }

        private synchronized void oneHasEnded() {
            overdueThreads--;
            if (overdueThreads == 0 && lent) {
                lent = false;
                slots.takeBack();
            }
        }
    }

    /** Hears once that an act is overdue. */
    interface Overdue {
        /**
         * An act goes on although it was interrupted.
         *
         * @param since how long it has taken so far
         * @param stack where it stands
         */
        void told(Duration since, StackTraceElement[] stack);
    }

    private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

    private final Time time;
    private final Queue<WatchedThread> watched = new ConcurrentLinkedQueue<>();
    private final Signal sooner = new Signal();
    private final AtomicLong nextLook = new AtomicLong(Long.MAX_VALUE);
    private final Slots slots;
    private final AtomicInteger overdue = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();

    Watchdog(Time time, Slots slots) {
        this.time = time;
        this.slots = slots;
    }

    /** How many acts go on now although they were interrupted. */
    int overdue() {
        return overdue.get();
    }

    void start(Threads threads, String name) {
        nextLook.set(time.nanos());
        var turn = turns.incrementAndGet();
        threads.start(Threads.Purpose.STANDING, name + "-watchdog", () -> loop(turn));
    }

    void stop() {
        turns.incrementAndGet();
        sooner.raise();
    }

    /** The slot of a run that begins. */
    RunSlot slot() {
        return new RunSlot(slots);
    }

    /** A thread of the run that has this slot; it can be watched, one act at a time. */
    WatchedThread register(RunSlot slot) {
        var one = new WatchedThread(Thread.currentThread(), slot);
        watched.add(one);
        return one;
    }

    /** Looks for as long as nobody has stopped it, or started it anew. */
    private void loop(int turn) {
        while (turns.get() == turn) {
            var seen = sooner.count();
            var now = time.nanos();
            var next = now + LONGEST_LOOK.toNanos();
            nextLook.set(next);
            for (var one : watched) {
                next = Math.min(next, one.bark(now));
                one.tell(now);
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

        private enum ActPhase {
            NOTHING_RUNS,
            RUNS,
            INTERRUPTED,
            OVERDUE,
            TOLD_OVERDUE
        }

        private final Thread thread;
        private final RunSlot slot;
        private ActPhase phase = ActPhase.NOTHING_RUNS;
        private Overdue hears = (since, stack) -> {};
        private long began;
        private long deadline;

        private WatchedThread(Thread thread, RunSlot slot) {
            this.thread = thread;
            this.slot = slot;
        }

        /**
         * An act begins that may take {@code longest}.
         *
         * @param overdue hears when it does not end in time although it was interrupted
         */
        void begin(Duration longest, Overdue overdue) {
            long due;
            synchronized (this) {
                phase = ActPhase.RUNS;
                hears = overdue;
                began = time.nanos();
                deadline = began + longest.toNanos();
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
            var was = phase;
            phase = ActPhase.NOTHING_RUNS;
            if (was == ActPhase.OVERDUE || was == ActPhase.TOLD_OVERDUE) {
                overdue.decrementAndGet();
                slot.oneHasEnded();
            }
            var late = was != ActPhase.RUNS;
            if (late) {
                Thread.interrupted();
            }
            return late;
        }

        /** Does what is due. Returns when something is due next. */
        private synchronized long bark(long now) {
            if (phase != ActPhase.RUNS && phase != ActPhase.INTERRUPTED) {
                return Long.MAX_VALUE;
            }
            if (now < deadline) {
                return deadline;
            }
            if (phase == ActPhase.RUNS) {
                phase = ActPhase.INTERRUPTED;
                thread.interrupt();
                deadline = now + TIME_TO_END.toNanos();
                return deadline;
            }
            phase = ActPhase.OVERDUE;
            overdue.incrementAndGet();
            slot.oneIsOverdue();
            return Long.MAX_VALUE;
        }

        /** Says so once when it has become overdue; whoever hears it may take long. */
        private void tell(long now) {
            Overdue told;
            synchronized (this) {
                if (phase != ActPhase.OVERDUE) {
                    return;
                }
                phase = ActPhase.TOLD_OVERDUE;
                told = hears;
            }
            told.told(Duration.ofNanos(now - began), thread.getStackTrace());
        }

        @Override
        public void close() {
            watched.remove(this);
        }
    }
}
