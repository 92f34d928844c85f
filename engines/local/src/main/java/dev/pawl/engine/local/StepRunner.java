package dev.pawl.engine.local;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.RequestText;
import dev.pawl.failure.Failure;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.journal.AttemptNotes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import dev.pawl.retry.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Runs a step: replay → call → judge → record. */
final class StepRunner {

    private static final Duration USUAL_TIMEOUT = Duration.ofHours(1);

    private final Scope scope;
    private final RunContext context;
    private final RunJournal journal;

    StepRunner(Scope scope) {
        this.scope = scope;
        this.context = scope.context();
        this.journal = scope.context().journal();
    }

    <T> T run(Named name, TypeToken<T> type, Job.Attempted<T> work) {
        return run(name, type, work, (place, kept) -> new Entry.StepDone(place, kept.json()));
    }

    /** Runs a step that is recorded as {@code entry}. */
    <T> T run(Named name, TypeToken<T> type, Job.Attempted<T> work, BiFunction<Place, RecordedResult<T>, Entry> entry) {
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
        var timeout = name.timeout() == null ? USUAL_TIMEOUT : name.timeout();
        journal.ensureLease();
        var number = history == null ? 1 : history.stepTries() + 1;
        var attempt = context.attempt(place, number, timeout);
        context.log().begins(context.job(), place, number, null);
        try (var listeners = context.heard(scope.calls(), place, number, null, null)) {
            var outcome = scope.calls().call(place, number, timeout, () -> work.run(attempt));
            if (attempt.wasFoundEnded()) {
                scope.nothingIsLost();
            }
            scope.rideUsed(place, number);
            scope.refuseIfSpoiled();
            Throwable thrown;
            switch (outcome) {
                case UserCode.CodeOutcome.Returned<T> returned -> {
                    try {
                        var kept = RecordedResult.of(returned.value(), type);
                        scope.record(entry.apply(place, kept));
                        listeners.done();
                        context.log()
                                .succeeded(
                                        context.job(),
                                        place,
                                        number,
                                        scope.calls().took());
                        return kept.value();
                    } catch (PermanentFailure cannotBeKept) {
                        thrown = cannotBeKept;
                    }
                }
                case UserCode.CodeOutcome.Threw<T> threw -> thrown = threw.thrown();
            }
            throw judge(name, place, history, attempt, thrown, listeners);
        }
    }

    /** Records the failed attempt, then tries later, gives up or asks. */
    StepFailed judge(
            Named name,
            Place place,
            @Nullable PlaceHistory history,
            @Nullable Attempt attempt,
            Throwable thrown,
            HeardAttempt listeners) {
        if (scope.cutShort()) {
            throw scope.handedBack();
        }
        var failure = Failure.ofStep(thrown);
        listeners.failed(failure);
        var number = history == null ? 1 : history.stepTries() + 1;
        scope.threw(place, number, thrown);
        var spent = history == null ? 1 : history.spent() + 1;
        var tried = new Entry.StepTried(place, number, failure, notes(name, history, attempt));
        switch (context.retryFor(name).judge(failure, spent, context.ports().random())) {
            case Retry.Judgement.TryAgain again ->
                throw new GateRunner(scope).tryLater(name, place, number, failure, again.after(), List.of(tried));
            case Retry.Judgement.GiveUp gaveUp -> {
                scope.isLastAt(place);
                scope.record(tried, new Entry.GaveUp(place, failure));
                context.log().gaveUp(context.job(), place, number, scope.calls().took(), failure, thrown);
                return new StepFailed(place, failure, thrown);
            }
            case Retry.Judgement.WaitWithAll ask ->
                throw new GateRunner(scope).accountTrouble(name, failure, List.of(tried));
        }
    }

    /** What people are told of an attempt; what is the same as before is kept once. */
    private AttemptNotes notes(Named name, @Nullable PlaceHistory history, @Nullable Attempt attempt) {
        var shown = attempt == null || attempt.shown() == null ? null : RequestText.of(attempt.shown());
        var before = history == null ? null : history.stepRequest();
        return new AttemptNotes(
                context.worker(),
                Objects.equals(shown, before) ? null : shown,
                context.retryFor(name).attempts());
    }
}
