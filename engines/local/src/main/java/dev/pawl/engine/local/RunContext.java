package dev.pawl.engine.local;

import dev.pawl.cost.Prices;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Terms;
import dev.pawl.event.BegunAttempt;
import dev.pawl.event.RunOfJob;
import dev.pawl.gate.Budget;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.retry.Retry;
import dev.pawl.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run offers those who run a part of its job: the job as it was claimed, its journal, the rules of its workflow, and what all runs of the worker share.
 * Thread-safe.
 */
final class RunContext {
    private final WorkerServices services;
    private final StoredJob job;
    private final RunJournal journal;
    private final Workflow.Implementation<?, ?> implementation;
    private final @Nullable String before;
    private final Watchdog.RunSlot slot;

    RunContext(
            WorkerServices services, StoredJob job, RunJournal journal, Workflow.Implementation<?, ?> implementation) {
        this.services = services;
        this.job = job;
        this.journal = journal;
        this.implementation = implementation;
        this.before = journal.tracedAs();
        this.slot = services.watchdog().slot();
    }

    /** The job as it was claimed. */
    StoredJob job() {
        return job;
    }

    Identity identity() {
        return job.identity();
    }

    RunJournal journal() {
        return journal;
    }

    // ---- the rules of its workflow

    Retry retry() {
        return implementation.retry();
    }

    Retry retryFor(Named named) {
        var attempts = named.attempts();
        return attempts == null ? retry() : retry().attempts(attempts);
    }

    List<Budget> budgets() {
        return implementation.budgets();
    }

    // ---- what all runs of the worker share

    EnginePorts ports() {
        return services.ports();
    }

    EventLog log() {
        return services.log();
    }

    Store store() {
        return services.store();
    }

    Watchdog watchdog() {
        return services.watchdog();
    }

    /** The slot that this run takes at its worker. */
    Watchdog.RunSlot slot() {
        return slot;
    }

    Prices prices() {
        return services.currentPrices().now();
    }

    GateBoard board() {
        return services.board();
    }

    BudgetBooks books() {
        return services.books();
    }

    void lookAtGates() {
        services.lookAtGates().run();
    }

    /** Who works here, as people know it. */
    String worker() {
        return services.worker();
    }

    // ---- attempts

    /** Listeners hear that an attempt begins, whose code is called by {@code calls}. */
    HeardAttempt heard(CodeCalls calls, Place place, int number, @Nullable String key, @Nullable Terms terms) {
        return HeardAttempt.begin(ports().listeners(), calls, () -> new BegunAttempt(run(), place, number, key, terms));
    }

    /** This run, as listeners know it. */
    RunOfJob run() {
        return new RunOfJob(
                identity(),
                job.standing().resubmission(),
                job.standing().fence(),
                job.given().handling(),
                services.worker(),
                job.standing().times().created(),
                before);
    }

    /** Listeners hear that another thread of this run begins. What is returned is run when it ends. */
    List<Runnable> joined() {
        var listeners = ports().listeners();
        if (listeners.isEmpty()) {
            return List.of();
        }
        var run = run();
        var ends = new ArrayList<Runnable>();
        listeners.forEach(listener -> UserCode.call(() -> ends.add(listener.joins(run))));
        return ends.reversed();
    }

    /** Attempt {@code number} of a step or an effect, under our own fence. */
    Attempt attempt(Place place, int number, Duration allowance) {
        return attempt(place, number, journal.hold().fence(), allowance);
    }

    /** An attempt that was made under {@code fence}. */
    Attempt attempt(Place place, int number, long fence, Duration allowance) {
        var key = EffectKey.of(identity(), place, job.standing().resubmission());
        return new Attempt(
                key,
                fence,
                number,
                allowance,
                ports().time(),
                journal::ensureLease,
                job.given().handling().traceparent());
    }
}
