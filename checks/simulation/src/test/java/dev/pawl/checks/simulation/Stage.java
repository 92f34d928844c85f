package dev.pawl.checks.simulation;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.Verdict;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Event;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A small theatre on virtual time: processes that run the real engine over one store, and a person. */
final class Stage {

    static final Audit ANNA = new Audit("anna", "looked");

    private final Trace trace = new Trace();
    private static final Instant START = Instant.parse("2026-04-12T02:00:00Z");
    private final Scheduler scheduler = new Scheduler(new Random(4), trace, START);
    private final Random random = new Random(5);
    private final List<Event> events = new ArrayList<>();
    final Store store;

    /** A stage with a store in memory. */
    Stage() {
        this(MemoryStore::new);
    }

    /** A stage with the store that {@code opening} opens with the stage's clock. */
    Stage(Function<Time, Store> opening) {
        this.store = opening.apply(new SimProcess(scheduler, "store"));
    }

    /** A process on the stage. */
    final class Actor {
        final SimProcess process;
        private @Nullable LocalEngine engine;

        private Actor(String name) {
            this.process = new SimProcess(scheduler, name);
        }

        LocalEngine engine() {
            return Objects.requireNonNull(engine);
        }

        /** Closes its engine, from a thread of its own. */
        void shutDown() {
            scheduler.start(process, "shutdown", () -> engine().close());
        }

        /** Does something on a thread of its own. */
        void asks(Runnable what) {
            scheduler.start(process, "asks", what);
        }

        /** Waits, inside user code. */
        void pause(Duration duration) throws InterruptedException {
            process.pause(duration);
        }
    }

    /** Makes a process that works once it is given code. */
    Actor actor(String name) {
        return new Actor(name);
    }

    /** Starts the engine of {@code actor} with this code. */
    void work(Actor actor, Workflow.Implementation<?, ?>... code) {
        work(actor, Duration.ofSeconds(30), code);
    }

    /** Starts the engine of {@code actor} with this code and grace period. */
    void work(Actor actor, Duration grace, Workflow.Implementation<?, ?>... code) {
        work(actor, options -> options.grace(grace), code);
    }

    /** Starts the engine of {@code actor} with this code and options of its own. */
    void work(Actor actor, UnaryOperator<EngineOptions> options, Workflow.Implementation<?, ?>... code) {
        work(actor, options, seen -> seen, code);
    }

    /** Starts the engine of {@code actor} with this code and options of its own, and with another view of the store. */
    void work(
            Actor actor,
            UnaryOperator<EngineOptions> options,
            UnaryOperator<Store> view,
            Workflow.Implementation<?, ?>... code) {
        var around = new EnginePorts(
                actor.process,
                (purpose, name, work) -> scheduler.start(actor.process, name, work),
                new Random(random.nextLong()),
                event -> {
                    events.add(event);
                    trace.say(scheduler.nanos(), actor.process.name(), event.line());
                });
        scheduler.start(actor.process, "main", () -> {
            actor.engine = new LocalEngine(
                    view.apply(new SlowStore(store, actor.process)),
                    around,
                    options.apply(EngineOptions.usual(actor.process.name())));
            if (code.length > 0) {
                actor.engine.work(List.of(code));
            }
        });
        forAWhile(Duration.ofMillis(50));
    }

    /** Starts the engine of {@code actor} with a view of the store, to submit and decide. */
    void enter(Actor actor, UnaryOperator<Store> view) {
        work(actor, options -> options, view);
    }

    /** What time it is on the stage. */
    Instant now() {
        return START.plusNanos(scheduler.nanos());
    }

    Identity submit(Workflow<?, ?> workflow, String key, Object input) {
        var identity = new Identity(workflow.name(), Key.of(key));
        apply(new Change.SubmitJob(identity, Json.canonical(Json.write(input)), null));
        return identity;
    }

    Applied apply(Change change) {
        return store.exchange(List.of(change), Wanted.NOTHING).applied().getFirst();
    }

    long newId() {
        return Changes.unfenced(random);
    }

    /** Lets virtual time pass until something is so. */
    void until(BooleanSupplier so) {
        if (!scheduler.run(so, Duration.ofNanos(scheduler.nanos()).plus(Duration.ofDays(10)))) {
            throw new AssertionError("it never came to that\n" + trace.tail());
        }
    }

    void until(Identity job, JobState state) {
        until(() -> job(job).state() == state);
    }

    void forAWhile(Duration duration) {
        scheduler.run(() -> false, Duration.ofNanos(scheduler.nanos()).plus(duration));
    }

    /** Does something later, on nobody's thread. */
    void after(Duration delay, Runnable action) {
        scheduler.after(delay, action);
    }

    StoredJob job(Identity identity) {
        return store.find(identity).orElseThrow();
    }

    Question question(Identity job) {
        return Objects.requireNonNull(
                job(job).outcome().question(), () -> "job " + job + " is " + job(job).state() + "\n" + trace.tail());
    }

    @Nullable
    String result(Identity job) {
        return job(job).outcome().result();
    }

    List<Entry> journal(Identity job) {
        return store.journal(job(job).id()).stream().map(line -> line.entry()).toList();
    }

    Applied decide(Identity job, Verdict verdict, @Nullable String result) {
        return decide(job, new Decision(verdict, result, false, ANNA));
    }

    Applied decide(Identity job, Decision decision) {
        return apply(new Change.Decide(job(job).id(), newId(), question(job).id(), decision));
    }

    /** Anna opens every gate that is closed. */
    void openGates() {
        for (var gate : store.gates()) {
            if (gate.closing() != null) {
                apply(new Change.OpenGate(gate.name(), gate.closings(), ANNA));
            }
        }
    }

    List<Event> events(String name) {
        return events.stream().filter(event -> event.name().equals(name)).toList();
    }

    String trace() {
        return trace.tail();
    }
}
