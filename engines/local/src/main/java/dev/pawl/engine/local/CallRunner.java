package dev.pawl.engine.local;

import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.ChildEnd;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls another job: replay → has it ended? → call it → leave until a message tells. */
final class CallRunner {
    /** How often a caller looks although nobody told it anything. */
    private static final Duration LOOK_AGAIN = Duration.ofHours(1);

    private final Scope scope;
    private final RunContext context;
    private final RunJournal journal;

    CallRunner(Scope scope) {
        this.scope = scope;
        this.context = scope.context();
        this.journal = scope.context().journal();
    }

    <I, O> O call(Named name, Workflow<I, O> workflow, Identity child, I input, Handling handling) {
        var today = scope.meet(name);
        while (true) {
            var history = scope.recall(name, today);
            var place = Scope.recorded(history, today);
            var known = Scope.known(history);
            if (known != null) {
                return Replay.of(scope, place, known, workflow.output());
            }
            scope.comesTo(place);
            scope.settleIfItWasAnEffect(history);
            var recorded = history == null ? null : history.child();
            if (recorded != null && !recorded.equals(child)) {
                context.log().drifted(context.job(), place);
            }
            var childEnd = recorded == null
                    ? begin(name, place, child, written(input, workflow.input()), handling)
                    : ended(place, recorded);
            if (childEnd == null) {
                throw scope.park(new Ending.Later(
                        Change.ReleaseJob.Until.WAIT,
                        List.of(),
                        place + ": it waits for job " + (recorded == null ? child : recorded),
                        LOOK_AGAIN));
            }
            record(place, recorded == null ? child : recorded, childEnd);
        }
    }

    /** How a child that was called before has ended: as a message told, or as the store knows when none did; null while it has not. */
    private @Nullable ChildEnd ended(Place place, Identity child) {
        var told = journal.childEnded(place);
        if (told != null) {
            return ChildEnd.of(told);
        }
        try {
            return context.store().find(child).map(CallRunner::end).orElse(null);
        } catch (StoreFailure storeFailure) {
            throw scope.lost("the store did not answer: " + storeFailure.getMessage());
        }
    }

    private static <I> String written(I input, TypeToken<I> type) {
        return Json.canonical(Values.write(input, type));
    }

    /** Calls the child; its end, if it has ended before. */
    private @Nullable ChildEnd begin(Named name, Place place, Identity child, String input, Handling handling) {
        var given = new StoredJob.Given(input, handling);
        var entries = scope.taken();
        entries.add(new Entry.Called(place, child));
        var applied = journal.call(entries, new Change.CalledJob(child, given, name.isDetached()));
        if (applied.done()) {
            return end(Objects.requireNonNull(applied.stored()));
        }
        entries.removeLast();
        entries.forEach(scope::ride);
        if (applied instanceof Applied.CalledOff) {
            throw scope.calledOff();
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

    private void record(Place place, Identity child, ChildEnd childEnd) {
        var result = childEnd.result();
        if (childEnd.state() == JobState.DONE && result != null) {
            scope.record(new Entry.StepDone(place, result));
        } else if (childEnd.state() == JobState.DONE) {
            scope.record(new Entry.GaveUp(
                    place,
                    Failure.of(
                            FailureClass.PERMANENT,
                            "pruned",
                            "job " + child + " was done, and its result was pruned")));
        } else {
            var failedAt = childEnd.failure();
            var why = failedAt == null
                    ? "it was called off"
                    : failedAt.place() + ": " + failedAt.failure().message();
            // What nobody knows of the child nobody knows of the call either.
            var nobodyKnows = failedAt != null && failedAt.failure().kind().mayHaveHappened();
            scope.record(new Entry.GaveUp(
                    place,
                    Failure.of(
                            nobodyKnows ? FailureClass.AMBIGUOUS : FailureClass.PERMANENT,
                            "child",
                            "job " + child + " did not succeed: " + why)));
        }
    }

    private StepFailed giveUp(Place place, String code, String why) {
        var failure = Failure.of(FailureClass.PERMANENT, code, why);
        scope.record(new Entry.GaveUp(place, failure));
        return new StepFailed(place, failure, null);
    }
}
