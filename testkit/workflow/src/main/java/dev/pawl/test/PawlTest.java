package dev.pawl.test;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.Verdict;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.engine.local.Threads;
import dev.pawl.event.Events;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.json.Values;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs workflows in a test: the real engine over a store in memory, with a clock that stands still until the test advances it.
 *
 * <pre>{@code
 * try (var pawl = PawlTest.of(ORDER.implementedBy(shop::order))) {
 *     var job = pawl.submit(ORDER, Key.of("7"), "lamp");
 *     pawl.advance(Duration.ofDays(3));
 *     assertEquals("nobody paid", pawl.result(ORDER, job));
 * }
 * }</pre>
 *
 * <p>Every call returns when nothing can go on by itself at the clock's time. Not for several threads.
 */
public final class PawlTest implements AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-05T09:00:00Z");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Audit TEST = new Audit("test", "the test says so");

    private final TestClock clock = new TestClock(START);
    private final MemoryStore store = new MemoryStore(clock);
    private final LocalEngine engine;

    private PawlTest(List<Workflow.Implementation<?, ?>> code) {
        var around = new EnginePorts(clock, Threads.SYSTEM, new Random(1), Events.NOWHERE);
        this.engine = new LocalEngine(store, around, EngineOptions.usual("test"));
        engine.work(code);
        until(() -> !store.workers().isEmpty());
    }

    /** Runs jobs of these workflows. */
    public static PawlTest of(Workflow.Implementation<?, ?>... code) {
        return new PawlTest(List.of(code));
    }

    /** Where its jobs are, for whoever submits in another way. It ends with this, and not with who else works over it. */
    public Store store() {
        return new DelegatingStore(store) {
            @Override
            public void close() {}
        };
    }

    /** The clock's time. */
    public Instant now() {
        return clock.now();
    }

    /** Submits a job and lets it come as far as it can. */
    public <I> Identity submit(Workflow<I, ?> workflow, Key key, I input) {
        var identity = new Identity(workflow.name(), key);
        checked(engine.submit(identity, Json.canonical(Values.write(input))));
        settle();
        return identity;
    }

    /** Lets time pass: everything that comes due on the way happens at its time. */
    public void advance(Duration duration) {
        var until = clock.now().plus(duration);
        settle();
        for (var next = nextDue(until); next != null; next = nextDue(until)) {
            clock.advance(Duration.between(clock.now(), next));
            settle();
        }
        clock.advance(Duration.between(clock.now(), until));
        settle();
    }

    /** The job as it stands. */
    public StoredJob job(Identity identity) {
        return store.find(identity).orElseThrow(() -> new AssertionError("there is no job " + identity));
    }

    /** What the job returned. */
    public <O> @Nullable O result(Workflow<?, O> workflow, Identity identity) {
        var stored = job(identity);
        if (stored.state() != JobState.DONE) {
            throw new AssertionError("job " + identity + " is " + stored.state() + ", not DONE: " + stored.outcome());
        }
        return Values.read(Objects.requireNonNull(stored.outcome().result()), workflow.output());
    }

    /** What the job asks. */
    public Question question(Identity identity) {
        var question = job(identity).outcome().question();
        if (question == null) {
            throw new AssertionError("job " + identity + " is " + job(identity).state() + " and asks nothing");
        }
        return question;
    }

    /** Answers what the job asks. */
    public void decide(Identity identity, Verdict verdict, @Nullable Object result) {
        var decision = new Decision(verdict, result == null ? null : Values.write(result), false, TEST);
        checked(engine.change(new Change.Decide(
                job(identity).id(), engine.newId(), question(identity).id(), decision)));
        settle();
    }

    /** Sends a signal. */
    public void signal(Identity identity, String name, @Nullable Object payload, String id) {
        var message = new Message(id, Message.Kind.SIGNAL, name, Values.write(payload));
        checked(engine.change(new Change.Deliver(job(identity).id(), message)));
        settle();
    }

    /** Calls a job off. */
    public void cancel(Identity identity) {
        checked(engine.change(new Change.CancelJob(job(identity).id(), engine.newId(), TEST)));
        settle();
    }

    /** The gates that are closed. */
    public List<Gate> closedGates() {
        return store.gates().stream().filter(gate -> gate.closedAt(clock.now())).toList();
    }

    /** Opens a gate. */
    public void open(Gate gate) {
        checked(engine.change(new Change.OpenGate(gate.name(), gate.closings(), TEST)));
        settle();
    }

    /** Everything that was recorded about a job. */
    public List<JournalLine> journal(Identity identity) {
        return store.journal(job(identity).id());
    }

    /** The job with its journal, as text to keep. */
    public ExportedJob export(Identity identity) {
        return new ExportedJob(job(identity), journal(identity));
    }

    private static void checked(Applied applied) {
        if (!applied.done()) {
            throw new AssertionError("refused: " + applied);
        }
    }

    // ---- waiting for the real threads

    private @Nullable Instant nextDue(Instant until) {
        return store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 1_000).stream()
                .map(job -> Optional.ofNullable(job.standing().times().due()))
                .flatMap(Optional::stream)
                .filter(due -> due.isAfter(clock.now()) && !due.isAfter(until))
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** Until nothing runs and nothing is due; what is due and cannot be claimed, because of a limit or a gate, is left. */
    private void settle() {
        var start = Time.system().nanos();
        while (true) {
            var jobs = store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 1_000);
            var running = jobs.stream().anyMatch(job -> job.state() == JobState.RUNNING);
            var due = jobs.stream().anyMatch(job -> {
                var at = job.standing().times().due();
                return at != null && !at.isAfter(clock.now());
            });
            if (!running && (!due || isLeft(jobs, start))) {
                return;
            }
            if (isTooLong(start)) {
                throw new AssertionError("a job still runs after " + PATIENCE + ": " + jobs);
            }
            pause();
        }
    }

    /** Lets the engine look, because the clock that paces its own looks stands still. Returns whether it has looked and found nothing. */
    private boolean isLeft(List<StoredJob> jobs, long start) {
        engine.look();
        while (!isQuiet() && !isTooLong(start)) {
            pause();
        }
        return jobs.equals(store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 1_000));
    }

    private boolean isQuiet() {
        try {
            return engine.awaitQuiet(Duration.ZERO);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static boolean isTooLong(long start) {
        return Time.system().nanos() - start > PATIENCE.toNanos();
    }

    private static void until(java.util.function.BooleanSupplier so) {
        while (!so.getAsBoolean()) {
            pause();
        }
    }

    private static void pause() {
        try {
            new Signal().await(Time.system(), 0, Duration.ofMillis(1));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static AssertionError interrupted(InterruptedException why) {
        Thread.currentThread().interrupt();
        return new AssertionError("the test was interrupted", why);
    }

    @Override
    public void close() {
        engine.close();
        store.close();
    }
}
