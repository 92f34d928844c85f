package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.StepFailed;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.PermanentFailure;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a step: replay → call → judge → record. */
final class StepRunner {

    private static final Duration USUAL_TIMEOUT = Duration.ofHours(1);

    private final JobRun run;

    StepRunner(JobRun run) {
        this.run = run;
    }

    <T> T run(Named name, TypeToken<T> type, Job.Step<T> work) {
        var today = run.meet(name);
        var history = run.recall(name, today);
        var known = history == null ? null : history.known();
        if (history != null && known != null) {
            return Replay.of(run, history, known, type);
        }
        var place = history == null ? today : history.place();
        var timeout = name.timeout() == null ? USUAL_TIMEOUT : name.timeout();
        run.ensureLease();
        return switch (run.call(timeout, work::run)) {
            case UserCode.Outcome.Returned<T> returned -> {
                var kept = kept(name, place, history, returned.value(), type);
                run.record(new Entry.StepDone(place, kept.json()));
                yield kept.value();
            }
            case UserCode.Outcome.Threw<T> threw -> throw judge(name, place, history, threw.thrown());
        };
    }

    /** A result, as it is recorded and as a resume will see it. */
    record Kept<T>(String json, T value) {}

    /** The result as it reads back: the workflow sees the same now and on a resume, and what cannot be kept is found out at once. */
    @SuppressWarnings("NullAway") // a step may return null
    <T> Kept<T> kept(Named name, Place place, @Nullable PlaceHistory history, @Nullable T value, TypeToken<T> type) {
        try {
            var json = Json.write(value);
            if (json.length() > Replay.MOST_CHARS) {
                throw judge(
                        name,
                        place,
                        history,
                        new PermanentFailure("its result has " + json.length() + " characters; the most is "
                                + Replay.MOST_CHARS + ": keep it in a file and return its name"));
            }
            return new Kept<>(json, Json.read(json, type));
        } catch (JsonMismatch e) {
            throw judge(name, place, history, new PermanentFailure("its result cannot be kept: " + e.getMessage(), e));
        }
    }

    /** Records the failed attempt, then tries later, gives up or asks. */
    StepFailed judge(Named name, Place place, @Nullable PlaceHistory history, Throwable thrown) {
        if (run.cutShort()) {
            throw run.handedBack();
        }
        var failure = Failure.ofStep(thrown);
        var number = history == null ? 1 : history.stepTries() + 1;
        var spent = history == null ? 1 : history.spent() + 1;
        var tried = new Entry.StepTried(place, number, failure);
        switch (run.retryFor(name).judge(failure, spent, run.around().random())) {
            case Retry.Judgement.TryAgain again -> {
                run.log().tryAgain(run.stored(), place, number, failure, again.after());
                throw run.park(new Ending.Later(
                        Change.ReleaseJob.Until.TRY_LATER,
                        List.of(tried),
                        place + ": " + failure.message(),
                        again.after()));
            }
            case Retry.Judgement.GiveUp gaveUp -> {
                run.record(tried, new Entry.GaveUp(place, failure));
                return new StepFailed(place, failure, thrown);
            }
            case Retry.Judgement.AskAPerson ask -> throw run.ask(QuestionKind.ACCOUNT, place, failure.message(), tried);
        }
    }
}
