package dev.pawl.engine.local;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.StepFailed;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.FailureClass;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.ChildEnd;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls another job: replay → has it ended? → call it → leave until a message tells. */
final class CallRunner {
    /** How often a caller looks although nobody told it anything. */
    private static final Duration LOOK_AGAIN = Duration.ofHours(1);

    private final Scope run;

    CallRunner(Scope run) {
        this.run = run;
    }

    <I, O> O call(Named name, Workflow<I, O> workflow, Identity child, I input, Handling handling) {
        var today = run.meet(name);
        while (true) {
            var history = run.recall(name, today);
            var place = Scope.recorded(history, today);
            var known = Scope.known(history);
            if (known != null) {
                return Replay.of(run, place, known, workflow.output());
            }
            run.comesTo(place);
            run.settleIfItWasAnEffect(history);
            var recorded = history == null ? null : history.child();
            if (recorded != null && !recorded.equals(child)) {
                run.log().drifted(run.stored(), place);
            }
            var end = recorded == null ? begin(name, place, child, input, handling) : ended(place, recorded);
            if (end == null) {
                throw run.park(new Ending.Later(
                        Change.ReleaseJob.Until.WAIT,
                        List.of(),
                        place + ": it waits for job " + (recorded == null ? child : recorded),
                        LOOK_AGAIN));
            }
            record(place, recorded == null ? child : recorded, end);
        }
    }

    /** How a child that was called before has ended: as a message told, or as the store knows when none did; null while it has not. */
    private @Nullable ChildEnd ended(Place place, Identity child) {
        var told = run.pen().childEnded(place);
        if (told != null) {
            return ChildEnd.of(told);
        }
        try {
            return run.store().find(child).map(CallRunner::end).orElse(null);
        } catch (StoreFailure failure) {
            throw run.lost("the store did not answer: " + failure.getMessage());
        }
    }

    /** Calls the child; its end, if it has ended before. */
    private <I> @Nullable ChildEnd begin(Named name, Place place, Identity child, I input, Handling handling) {
        var given = new StoredJob.Given(Json.canonical(Json.write(input)), handling);
        var entries = run.taken();
        entries.add(new Entry.Called(place, child));
        var applied = run.pen().call(entries, new Change.Call(child, given, name.isDetached()));
        if (applied.done()) {
            return end(Objects.requireNonNull(applied.stored()));
        }
        entries.removeLast();
        entries.forEach(run::ride);
        if (applied instanceof Applied.CalledOff) {
            throw run.calledOff();
        }
        if (applied instanceof Applied.Conflict conflict) {
            throw giveUp(place, "conflict", conflict.why());
        }
        throw giveUp(place, "refused", ((Applied.Refused) applied).why());
    }

    private static @Nullable ChildEnd end(StoredJob stored) {
        var outcome = stored.outcome();
        return stored.state().finished() ? new ChildEnd(stored.state(), outcome.result(), outcome.failure()) : null;
    }

    private void record(Place place, Identity child, ChildEnd end) {
        var result = end.result();
        if (end.state() == JobState.DONE && result != null) {
            run.record(new Entry.StepDone(place, result));
        } else if (end.state() == JobState.DONE) {
            run.record(new Entry.GaveUp(
                    place,
                    Failure.of(
                            FailureClass.PERMANENT,
                            "pruned",
                            "job " + child + " was done, and its result was pruned")));
        } else {
            var failure = end.failure();
            var why = failure == null
                    ? "it was called off"
                    : failure.place() + ": " + failure.failure().message();
            // What nobody knows of the child nobody knows of the call either.
            var nobodyKnows = failure != null && failure.failure().kind() == FailureClass.AMBIGUOUS;
            run.record(new Entry.GaveUp(
                    place,
                    Failure.of(
                            nobodyKnows ? FailureClass.AMBIGUOUS : FailureClass.PERMANENT,
                            "child",
                            "job " + child + " did not succeed: " + why)));
        }
    }

    private StepFailed giveUp(Place place, String code, String why) {
        var failure = Failure.of(FailureClass.PERMANENT, code, why);
        run.record(new Entry.GaveUp(place, failure));
        return new StepFailed(place, failure, null);
    }
}
