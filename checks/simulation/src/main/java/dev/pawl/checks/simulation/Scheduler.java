package dev.pawl.checks.simulation;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Runs virtual threads one at a time on the thread that calls {@link #run}, in an order that a seed decides. Time is virtual: it creeps with
 * every turn and leaps to the next timer when nobody can run.
 */
final class Scheduler {

    /** Something that happens at its time. */
    record Timer(long at, long order, Runnable action) {}

    /** A thread's turn, and whose it is. */
    private record Turn(SimProcess process, Runnable task) {}

    private final RandomGenerator random;
    private final List<Turn> ready = new ArrayList<>();
    private final TreeSet<Timer> timers =
            new TreeSet<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::order));
    private final Trace trace;
    private final Instant start;
    private long nanos;
    private long timersMade;
    private long turns;

    Scheduler(RandomGenerator random, Trace trace, Instant start) {
        this.random = random;
        this.start = start;
        this.trace = trace;
    }

    /** Monotonic time that nobody's clock tells exactly. */
    long nanos() {
        return nanos;
    }

    /** What a clock that is right tells. */
    Instant now() {
        return start.plusNanos(nanos);
    }

    long turns() {
        return turns;
    }

    /** Does {@code action} after a while, on the scheduler's own thread. */
    Timer after(Duration delay, Runnable action) {
        var timer = new Timer(nanos + Math.max(0, delay.toNanos()), timersMade++, action);
        timers.add(timer);
        return timer;
    }

    /** It is no longer to happen, if it has not. */
    void forget(Timer timer) {
        timers.remove(timer);
    }

    /** Starts a virtual thread of {@code process}. */
    Thread start(SimProcess process, String name, Runnable work) {
        Executor executor = task -> ready.add(new Turn(process, task));
        try {
            var constructor = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            var builder = (Thread.Builder.OfVirtual) constructor.newInstance(executor);
            return builder.name(name).start(work);
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException e) {
            throw new IllegalStateException("needs JDK 25 and --add-opens java.base/java.lang=ALL-UNNAMED", e);
        }
    }

    /** Runs until {@code finished} or until virtual time reaches {@code longest}. Returns whether it finished. */
    boolean run(java.util.function.BooleanSupplier finished, Duration longest) {
        while (!finished.getAsBoolean()) {
            while (!timers.isEmpty() && timers.first().at() <= nanos) {
                timers.removeFirst().action().run();
            }
            if (nanos > longest.toNanos()) {
                return false;
            }
            if (!takeTurn()) {
                if (timers.isEmpty()) {
                    return finished.getAsBoolean();
                }
                nanos = Math.max(nanos, timers.first().at());
            }
        }
        return true;
    }

    private boolean takeTurn() {
        while (!ready.isEmpty()) {
            var index = random.nextInt(ready.size());
            var turn = ready.get(index);
            ready.set(index, ready.getLast());
            ready.removeLast();
            if (turn.process().crashed()) {
                continue;
            }
            if (turn.process().frozen()) {
                turn.process().hold(() -> ready.add(turn));
                continue;
            }
            turns++;
            nanos += random.nextInt(20_000);
            trace.turn(turn.process().name(), nanos);
            turn.task().run();
            return true;
        }
        return false;
    }
}
