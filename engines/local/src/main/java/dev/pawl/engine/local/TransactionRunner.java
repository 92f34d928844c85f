package dev.pawl.engine.local;

import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.json.TypeToken;
import dev.pawl.store.Applied;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the user's SQL in the commit that records it: replay → call and record in one → judge. */
final class TransactionRunner {

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST_ASKS = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final Scope run;

    TransactionRunner(Scope run) {
        this.run = run;
    }

    <R, T> T run(Named name, R request, TypeToken<T> type, Job.Sql<R, T> work) {
        var today = run.meet(name);
        var history = run.recall(name, today);
        var place = Scope.recorded(history, today);
        var known = Scope.known(history);
        if (known != null) {
            return Replay.of(run, place, known, type);
        }
        run.comesToStep(place);
        run.settleIfItWasAnEffect(history);
        run.waitOut(history);
        new GateRunner(run).pass(name);
        run.pen().ensureLease();
        var transactional = run.store()
                .transactional()
                .orElseThrow(() -> new UnsupportedOperationException(run.store().describe()
                        + " has no SQL; use a step or an effect instead of transaction " + place));
        var timeout = name.timeout() == null ? USUAL_TIMEOUT : name.timeout();
        var steps = new StepRunner(run);
        var result = new AtomicReference<Kept<T>>();
        var riding = run.taken();
        var id = run.pen().nextId(riding.size() + 1);
        run.board().uses().sending(riding);
        var number = history == null ? 1 : history.stepTries() + 1;
        run.log().begins(run.stored(), place, number, null);
        var outcome = run.call(
                timeout,
                () -> ask(() -> transactional.transact(
                        run.pen().hold(),
                        id,
                        connection -> {
                            var kept = Kept.of(work.run(request, connection), type);
                            run.refuseIfSpoiled();
                            result.set(kept);
                            var entries = new java.util.ArrayList<Entry>(riding);
                            entries.add(new Entry.StepDone(place, kept.json()));
                            return entries;
                        },
                        timeout)));
        run.board().uses().sent(riding);
        run.rideUsed(place, number);
        return switch (outcome) {
            case UserCode.Outcome.Returned<Applied> returned -> {
                if (!Objects.requireNonNull(returned.value()).done()) {
                    throw run.lost("somebody else owns job " + run.identity() + " now");
                }
                var kept = Objects.requireNonNull(result.get());
                run.pen().learn(List.of(new Entry.StepDone(place, kept.json())));
                run.log().succeeded(run.stored(), place, number, run.took());
                yield kept.value();
            }
            case UserCode.Outcome.Threw<Applied> threw -> {
                if (threw.thrown() instanceof StoreFailure failure) {
                    throw run.lost("the store did not answer: " + failure.getMessage());
                }
                riding.forEach(run::ride);
                run.refuseIfSpoiled();
                throw steps.judge(name, place, history, null, threw.thrown());
            }
        };
    }

    private interface Asking {
        Applied ask() throws Exception;
    }

    /** A commit without an answer is asked again with the same id: done or not, it is done once. */
    private Applied ask(Asking asking) throws Exception {
        for (var tries = 1; ; tries++) {
            try {
                return asking.ask();
            } catch (StoreFailure failure) {
                if (failure.move() == StoreFailure.Move.OPERATOR || tries == MOST_ASKS) {
                    throw failure;
                }
                Quietly.pause(run.around().time(), FIRST_PAUSE.multipliedBy(tries));
            }
        }
    }
}
