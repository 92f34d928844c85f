package dev.pawl.engine.local;

import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.json.TypeToken;
import dev.pawl.store.Applied;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the user's SQL in the commit that records it: replay → call and record in one → judge. */
final class TransactionRunner {

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST_ASKS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final Scope scope;
    private final RunContext context;
    private final RunJournal journal;

    TransactionRunner(Scope scope) {
        this.scope = scope;
        this.context = scope.context();
        this.journal = scope.context().journal();
    }

    <R, T> T run(Named name, R request, TypeToken<T> type, Job.Sql<R, T> sql) {
        var today = scope.meetStep(name);
        var history = scope.recall(name, today);
        var place = Scope.recorded(history, today);
        var known = Scope.known(history);
        if (known != null) {
            scope.tellDrift(name, place);
            return Replay.of(scope, place, known, type);
        }
        scope.comeToStep(name, place, history);
        scope.rideRequest(name, place, history);
        journal.ensureLease();
        var transactional = context.store()
                .sql()
                .orElseThrow(() -> new UnsupportedOperationException(context.store()
                                .describe() + " has no SQL; use a step or an effect instead of transaction " + place));
        var timeout = name.timeout() == null ? USUAL_TIMEOUT : name.timeout();
        var steps = new StepRunner(scope);
        var result = new AtomicReference<RecordedResult<T>>();
        if (scope.debtsRide()) {
            // They change the job's own row, which a transaction of the user's only holds with others.
            scope.recordWhatRides();
        }
        if (journal.saysItsVersion()) {
            // It decides who takes the job, which a transaction of the user's does not change.
            journal.record(List.of());
        }
        var riding = scope.taken();
        var id = journal.nextId(riding.size() + 1);
        var number = history == null ? 1 : history.stepTries() + 1;
        context.log().begins(context.job(), place, number, null);
        try (var listeners = context.heard(scope.calls(), place, number, null, null)) {
            var outcome = journal.committing(
                    riding,
                    () -> scope.calls()
                            .call(
                                    place,
                                    number,
                                    timeout,
                                    () -> ask(() -> transactional.transact(
                                            journal.hold(),
                                            id,
                                            connection -> {
                                                var kept = RecordedResult.of(sql.run(request, connection), type);
                                                scope.refuseIfSpoiled();
                                                result.set(kept);
                                                var entries = new ArrayList<Entry>(riding);
                                                entries.add(new Entry.StepDone(place, kept.json()));
                                                return entries;
                                            },
                                            timeout))));
            scope.rideUsed(place, number);
            return switch (outcome) {
                case UserCode.CodeOutcome.Returned<Applied> returned -> {
                    if (!Objects.requireNonNull(returned.value()).done()) {
                        throw scope.lost("somebody else owns job " + context.identity() + " now");
                    }
                    var kept = Objects.requireNonNull(result.get());
                    journal.learn(List.of(new Entry.StepDone(place, kept.json())));
                    journal.tellProgress(riding);
                    listeners.done();
                    context.log()
                            .succeeded(
                                    context.job(), place, number, scope.calls().took());
                    yield kept.value();
                }
                case UserCode.CodeOutcome.Threw<Applied> threw -> {
                    if (threw.thrown() instanceof StoreFailure storeFailure) {
                        throw scope.lost("the store did not answer: " + storeFailure.getMessage());
                    }
                    riding.forEach(scope::ride);
                    scope.refuseIfSpoiled();
                    throw steps.judge(name, place, history, null, threw.thrown(), listeners);
                }
            };
        }
    }

    private interface Commit {
        Applied ask() throws Exception;
    }

    /** A commit without an answer is asked again with the same id: done or not, it is done once. */
    private Applied ask(Commit commit) throws Exception {
        for (var tries = 1; ; tries++) {
            try {
                return commit.ask();
            } catch (StoreFailure storeFailure) {
                if (storeFailure.move() == StoreFailure.Move.OPERATOR || tries == MOST_ASKS) {
                    throw storeFailure;
                }
                UninterruptedWait.pause(context.ports().time(), FIRST_PAUSE.multipliedBy(tries));
            }
        }
    }
}
