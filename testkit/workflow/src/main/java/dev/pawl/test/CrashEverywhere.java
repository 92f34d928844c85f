package dev.pawl.test;

import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.json.Values;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Kills a workflow at every commit that it makes, before and after, starts it again each time, and counts how often each effect happened.
 *
 * <pre>{@code
 * CrashEverywhere.of(ORDER.implementedBy(shop::order)).watching(outside).run(Key.of("7"), "lamp").eachEffectHappenedOnce();
 * }</pre>
 *
 * <p>A crash means that the process's threads never go on, that its memory is gone, and that a new engine starts over what is in the store; no
 * {@code finally} runs. Questions about what may have happened are answered truly, approvals are given, timers end, and signals come if you say
 * so with {@link #signalled}. The code must be able to run many times in one process.
 *
 * @param <I> the workflow's input
 * @param <O> its output
 */
public final class CrashEverywhere<I, O> {
    private static final Instant START = Instant.parse("2026-01-05T09:00:00Z");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_COMMITS = 10_000;

    private final Supplier<? extends Crashable<I, O>> making;
    private final Outside outside;
    private final List<Message> signals;

    private CrashEverywhere(Supplier<? extends Crashable<I, O>> making, Outside outside, List<Message> signals) {
        this.making = making;
        this.outside = outside;
        this.signals = List.copyOf(signals);
    }

    /**
     * Crashes this workflow; {@code others} are those that it calls. The same code, with the same test doubles, is run again for each crash: doubles that remember what was done are made anew
     * with {@link #making}.
     */
    public static <I, O> CrashEverywhere<I, O> of(
            Workflow.Implementation<I, O> code, Workflow.Implementation<?, ?>... others) {
        var same = new Same<>(code, List.of(others));
        return making(() -> same);
    }

    /**
     * Crashes the workflow that {@code making} makes: once for each crash, so that test doubles which it makes know nothing of what was done before another crash. Within one of them they are the
     * world outside, and outlive the process.
     */
    public static <I, O> CrashEverywhere<I, O> making(Supplier<? extends Crashable<I, O>> making) {
        return new CrashEverywhere<>(making, new Outside(), List.of());
    }

    /** Code that is made already. */
    private record Same<I, O>(Workflow.Implementation<I, O> implementation, List<Workflow.Implementation<?, ?>> calls)
            implements Crashable<I, O> {
        @Override
        public Workflow.Implementation<I, O> code(Outside outside) {
            return implementation;
        }

        @Override
        public List<Workflow.Implementation<?, ?>> others(Outside outside) {
            return calls;
        }
    }

    /** Crashes a workflow in processes of its own, each with {@code kill -9}. */
    public static <I, O> CrashForReal<I, O> forReal(Class<? extends Crashable<I, O>> subject) {
        return new CrashForReal<>(subject, List.of());
    }

    /** The same, counting also what the test's own doubles say has happened. */
    public CrashEverywhere<I, O> watching(Outside world) {
        return new CrashEverywhere<>(making, world, signals);
    }

    /** The same, with a signal that comes as soon as the job is there. */
    public CrashEverywhere<I, O> signalled(String name, Object payload) {
        return new CrashEverywhere<>(making, outside, with(signals, name, payload));
    }

    static List<Message> with(List<Message> signals, String name, Object payload) {
        var more = new ArrayList<>(signals);
        more.add(new Message("signal-" + signals.size(), Message.Kind.SIGNAL, name, Values.write(payload)));
        return more;
    }

    /** Runs a job with this key and input once without a crash, and once for each crash; says what came of it. */
    public CrashReport run(Key key, I input) {
        var workflow = making.get().code(new Outside()).workflow();
        var identity = new Identity(workflow.name(), key);
        var json = Json.canonical(Values.write(input));
        var report = new CrashReport.Builder(identity.toString());
        for (var point : points()) {
            var run = once(identity, json, point.commit() == 0 ? null : point);
            if (point.commit() > 0 && run.crashedAt().isEmpty()) {
                return report.build();
            }
            report.add(
                    run.crashedAt().isEmpty() ? "" : (point.after() ? "after " : "before ") + run.crashedAt(),
                    run,
                    outside);
        }
        throw new IllegalStateException("job " + identity + " makes more than " + MOST_COMMITS + " commits");
    }

    /** Where to crash, one run after the other: nowhere, then before and after each commit, more of them than any job makes. */
    static Iterable<CrashPoint> points() {
        return () -> IntStream.rangeClosed(1, 2 * MOST_COMMITS)
                .mapToObj(i -> i == 1 ? new CrashPoint(0, false) : new CrashPoint(i / 2, i % 2 == 1))
                .iterator();
    }

    /** What came of one run: where it was crashed, how the job ended, and what acted. */
    record CrashedRun(String crashedAt, StoredJob job, Witness witness) {}

    private CrashedRun once(Identity identity, String input, @Nullable CrashPoint point) {
        outside.forget();
        var life = new Life(identity, input);
        var first = life.begin(point);
        var ended = life.untilItEnds(first);
        return new CrashedRun(first.mortalStore().where(), ended, life.witness);
    }

    /** One process: its way to the store, and its engine once that works. A process that died late still has only its own. */
    private record WorkerProcess(MortalStore mortalStore, AtomicReference<@Nullable LocalEngine> engine) {
        private WorkerProcess(MortalStore mortalStore) {
            this(mortalStore, new AtomicReference<>());
        }
    }

    /** One job's life through several processes. */
    private final class Life {
        private final Identity identity;
        private final String input;
        private final TestClock clock = new TestClock(START);
        private final MemoryStore store = new MemoryStore(clock);
        private final Witness witness = new Witness();
        private final Random random = new Random(1);
        private final Bystander bystander = new Bystander(store, clock, witness, signals, random);
        private final List<Workflow.Implementation<?, ?>> all = new ArrayList<>();

        private Life(Identity identity, String input) {
            this.identity = identity;
            this.input = input;
            var made = making.get();
            all.add(witness.watching(made.code(outside)));
            made.others(outside).forEach(other -> all.add(witness.watching(other)));
        }

        /** A process starts, works, and submits the job, if it comes to that. */
        private WorkerProcess begin(@Nullable CrashPoint point) {
            var begun = new WorkerProcess(new MortalStore(store, point));
            var around = new EnginePorts(
                    clock,
                    (purpose, name, work) -> Thread.ofVirtual().name(name).start(work),
                    random,
                    Events.NOWHERE);
            Thread.ofVirtual().name("main").start(() -> {
                var worker =
                        new LocalEngine(begun.mortalStore().asStore(), around, EngineOptions.usual("crash-everywhere"));
                worker.work(all);
                begun.engine().set(worker);
                try {
                    worker.submit(identity, input);
                } catch (StoreFailure closed) {
                    // the test is over
                }
            });
            return begun;
        }

        private StoredJob untilItEnds(WorkerProcess first) {
            var process = first;
            var start = Time.system().nanos();
            while (true) {
                var job = store.find(identity).orElse(null);
                if (job != null && job.state().finished() && job.state() != JobState.FAILED) {
                    process.mortalStore().die();
                    return job;
                }
                if (process.mortalStore().dead()) {
                    process = begin(null);
                } else if (job != null && job.state() == JobState.FAILED) {
                    process.mortalStore().die();
                    return job;
                } else if (job != null) {
                    bystander.help(job, process.engine().get());
                }
                if (Time.system().nanos() - start > PATIENCE.toNanos()) {
                    throw new AssertionError("job " + identity + " did not end after a crash "
                            + process.mortalStore().where() + ": " + job);
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            new Signal().await(Time.system(), 0, Duration.ofMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test was interrupted", e);
        }
    }
}
