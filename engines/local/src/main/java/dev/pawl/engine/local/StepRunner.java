package dev.pawl.engine.local;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.RequestText;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.StepFailed;
import dev.pawl.journal.AttemptNotes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.PermanentFailure;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Runs a step: replay → call → judge → record. */
final class StepRunner {

    private static final Duration USUAL_TIMEOUT = Duration.ofHours(1);

    private final Scope run;

    StepRunner(Scope run) {
        this.run = run;
    }

    <T> T run(Named name, TypeToken<T> type, Job.Attempted<T> work) {
        return run(name, type, work, (place, kept) -> new Entry.StepDone(place, kept.json()));
    }

    /** Runs a step that is recorded as {@code entry}. */
    <T> T run(Named name, TypeToken<T> type, Job.Attempted<T> work, BiFunction<Place, Kept<T>, Entry> entry) {
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
        var timeout = name.timeout() == null ? USUAL_TIMEOUT : name.timeout();
        run.pen().ensureLease();
        var number = history == null ? 1 : history.stepTries() + 1;
        var attempt = run.attempt(place, number, timeout);
        run.log().begins(run.stored(), place, number, null);
        var outcome = run.call(timeout, () -> work.run(attempt));
        if (attempt.wasFoundEnded()) {
            run.nothingIsLost();
        }
        run.rideUsed(place, number);
        run.refuseIfSpoiled();
        return switch (outcome) {
            case UserCode.Outcome.Returned<T> returned -> {
                Kept<T> kept;
                try {
                    kept = Kept.of(returned.value(), type);
                } catch (PermanentFailure cannotBeKept) {
                    throw judge(name, place, history, attempt, cannotBeKept);
                }
                run.record(entry.apply(place, kept));
                run.log().succeeded(run.stored(), place, number, run.took());
                yield kept.value();
            }
            case UserCode.Outcome.Threw<T> threw -> throw judge(name, place, history, attempt, threw.thrown());
        };
    }

    /** Records the failed attempt, then tries later, gives up or asks. */
    StepFailed judge(
            Named name, Place place, @Nullable PlaceHistory history, @Nullable Attempt attempt, Throwable thrown) {
        if (run.cutShort()) {
            throw run.handedBack();
        }
        var failure = Failure.ofStep(thrown);
        var number = history == null ? 1 : history.stepTries() + 1;
        var spent = history == null ? 1 : history.spent() + 1;
        var tried = new Entry.StepTried(place, number, failure, notes(name, history, attempt));
        switch (run.retryFor(name).judge(failure, spent, run.around().random())) {
            case Retry.Judgement.TryAgain again -> {
                run.log().tryAgain(run.stored(), place, number, failure, again.after());
                var gate = name.gate();
                if (gate != null && failure.retryAfter() != null) {
                    throw new GateRunner(run).leftAlone(gate, place, failure, again.after(), List.of(tried));
                }
                throw run.later(Change.ReleaseJob.Until.TRY_LATER, place, failure.message(), again.after(), tried);
            }
            case Retry.Judgement.GiveUp gaveUp -> {
                run.record(tried, new Entry.GaveUp(place, failure));
                run.log().gaveUp(run.stored(), place, number, failure);
                return new StepFailed(place, failure, thrown);
            }
            case Retry.Judgement.AskAPerson ask ->
                throw new GateRunner(run).accountTrouble(name, failure, List.of(tried));
        }
    }

    /** What people are told of an attempt; what is the same as before is kept once. */
    private AttemptNotes notes(Named name, @Nullable PlaceHistory history, @Nullable Attempt attempt) {
        var shown = attempt == null || attempt.shown() == null ? null : RequestText.of(attempt.shown());
        var before = history == null ? null : history.stepRequest();
        return new AttemptNotes(
                run.worker(),
                Objects.equals(shown, before) ? null : shown,
                run.retryFor(name).attempts());
    }
}
