package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.event.AttemptListener;
import dev.pawl.event.EventKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.JobMisused;
import dev.pawl.failure.LeaseLost;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.gate.Budget;
import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.journal.AttemptNotes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Progress;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One claimed job, from its claim to its ending. Its code runs in {@link Scope}s and is recorded in the {@link RunJournal}; whatever user code throws or
 * swallows, a run that has to leave leaves. {@link #stop} and {@link #interrupt} may be called from anywhere.
 */
final class JobRun {
    private final RunContext context;
    private final RunJournal journal;
    private final StoredJob job;
    private final Workflow.Implementation<?, ?> implementation;
    private final LastCommit lastCommit;
    private final Set<Scope> scopes = ConcurrentHashMap.newKeySet();
    private final Set<String> closed = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;
    private volatile boolean interrupted;
    private volatile boolean calledOff;
    private final AtomicReference<@Nullable String> spoiled = new AtomicReference<>();
    private volatile @Nullable Place lastMet;
    private final boolean begunBefore;
    private final AtomicInteger replayed = new AtomicInteger();
    private final AtomicBoolean goesOn = new AtomicBoolean();
    private final ProgressSlot progress;
    private final OwedEnds owedEnds;
    private volatile boolean onlyReplays;
    private volatile @Nullable Pending recording;

    JobRun(WorkerServices services, Lease lease, Claimed claimed, Workflow.Implementation<?, ?> implementation) {
        this.job = claimed.job();
        this.implementation = implementation;
        var budgeted = implementation.budgets().stream().anyMatch(budget -> budget.per() != Budget.Per.JOB);
        this.journal = new RunJournal(
                services, lease, claimed, budgeted, implementation.workflow().version());
        this.context = new RunContext(services, job, journal, implementation);
        this.lastCommit = new LastCommit(context);
        this.progress = new ProgressSlot(services.ports().time());
        this.owedEnds = new OwedEnds(journal);
        this.calledOff = job.standing().cancelling();
        this.begunBefore = !claimed.journal().isEmpty();
    }

    /** What it offers those who run a part of the job. */
    RunContext context() {
        return context;
    }

    /** The run leaves at its next boundary; nothing counts against the job. */
    void stop() {
        stopping = true;
    }

    boolean stopping() {
        return stopping;
    }

    /** The job was called off: the run ends at its next boundary, and begins nothing new. */
    void callOff() {
        calledOff = true;
    }

    boolean calledOff() {
        return calledOff;
    }

    /** The job was called off and owes: its code runs over what is recorded, and no further. */
    boolean onlyReplays() {
        return onlyReplays;
    }

    /** What it began elsewhere and may have to end. */
    OwedEnds owedEnds() {
        return owedEnds;
    }

    /** The code called the job as it must not: however that goes on, the run does not end as done. What is returned is to be thrown. */
    JobMisused spoil(String why) {
        spoiled.compareAndSet(null, why);
        return new JobMisused(why);
    }

    /** Why the run cannot end as done; null while it can. */
    @Nullable
    String spoiled() {
        return spoiled.get();
    }

    /** The run has been given time and is told to hurry. */
    void interrupt() {
        interrupted = true;
        scopes.forEach(Scope::interrupt);
    }

    /** Whether an act was cut short because the worker stops, and not by its own fault. */
    boolean cutShort() {
        return stopping && interrupted;
    }

    /** A scope for the calling thread. */
    Scope enter(String name) {
        var scope = new Scope(this, name);
        scopes.add(scope);
        if (interrupted) {
            scope.interrupt();
        }
        return scope;
    }

    /** The calling thread is done with its scope. */
    void leave(Scope scope) {
        scopes.remove(scope);
        scope.leave();
    }

    // ---- from claim to ending

    /** Runs the job to an ending and commits it. Returns the job as it stands when it finished or paused, else null. */
    @Nullable
    StoredJob run() {
        var top = enter(Scope.TOP);
        var ends = begun();
        rideTraceparent(ends, top);
        var leftBy = EventKind.BROKEN;
        try {
            top.takesInWhatWasTold();
            var ending = execute(implementation, top);
            if (ending instanceof Ending.Failed failed) {
                ending = failed.leaving(owedEnds.leave(top));
            }
            var left = lastCommit.of(ending, top);
            leftBy = lastCommit.leftBy();
            return left;
        } finally {
            var given = recording;
            if (given != null) {
                journal.wasGiven(given);
            }
            ended(ends, leftBy);
            leave(top);
            context.board().left(closed);
            journal.dropped(top.taken());
        }
    }

    /** Listeners hear that the run begins; what they want to hear of its end with. */
    private List<AttemptListener.RunEnd> begun() {
        var listeners = context.ports().listeners();
        if (listeners.isEmpty()) {
            return List.of();
        }
        var run = context.run();
        var ends = new ArrayList<AttemptListener.RunEnd>();
        listeners.forEach(listener -> UserCode.call(() -> ends.add(listener.begins(run))));
        return ends.reversed();
    }

    /** What this run is called in traces rides with what it records first: a run that is killed after that is known to the next one. */
    private static void rideTraceparent(List<AttemptListener.RunEnd> ends, Scope top) {
        for (var end : ends) {
            var traceparent = UserCode.call(end::traceparent);
            if (traceparent instanceof UserCode.CodeOutcome.Returned<String>(String said)
                    && said != null
                    && Handling.isTraceparent(said)) {
                top.ride(new Entry.TracedAs(said));
                return;
            }
        }
    }

    private static void ended(List<AttemptListener.RunEnd> ends, EventKind leftBy) {
        ends.forEach(end -> UserCode.call(() -> {
            end.ended(leftBy);
            return leftBy;
        }));
    }

    /** This run closes a gate, as far as this process knows. */
    void closed(String gate) {
        closed.add(gate);
    }

    /** Runs the code over what is recorded, and commits nothing. */
    Ending rehearse() {
        var top = enter(Scope.TOP);
        try {
            return execute(implementation, top);
        } finally {
            leave(top);
        }
    }

    /** The code got what is recorded, and did nothing. */
    void replayed() {
        replayed.incrementAndGet();
    }

    /** The code has come to something that is not recorded: of a job that was begun before, this is where it goes on. */
    void comesTo(Place place) {
        if (begunBefore && !goesOn.getAndSet(true)) {
            context.log().resumes(job, place, replayed.get());
        }
    }

    /** The code says how far the job has come. */
    void progresses(Place where, int number, Progress soFar) {
        progress.put(where, number, soFar);
    }

    /** How far the job has come, to be recorded with something else. */
    List<Entry.Progressed> progressToRecord() {
        return progress.take();
    }

    /** Has recorded how far the job has come, unless that is known, or was recorded a moment ago. Called by the keeper, which does not wait for it; nothing depends on it. */
    void recordProgress() {
        var before = recording;
        if (before != null && !before.isAnswered()) {
            return;
        }
        if (before != null) {
            journal.wasGiven(before);
            recording = null;
        }
        var soFar = progress.takeIfDue();
        if (!soFar.isEmpty()) {
            recording = journal.giveIfItCanBe(List.copyOf(soFar));
        }
    }

    /** The code has come to {@code place}. */
    void met(Place place) {
        lastMet = place;
    }

    /** What the code came to last. */
    @Nullable
    Place lastMet() {
        return lastMet;
    }

    private <I, O> Ending execute(Workflow.Implementation<I, O> code, Scope top) {
        if (calledOff && journal.owed().isEmpty()) {
            return settlesAndEnds(top);
        }
        onlyReplays = calledOff;
        var outcome = UserCode.call(() -> {
            var input = Values.read(job.input(), code.workflow().input());
            @SuppressWarnings("NullAway") // an input of null is the submitter's choice
            var result = code.body().run(new JobInCode(top), input);
            return written(result, code.workflow().output());
        });
        var gone = journal.lost();
        if (gone != null) {
            return new Ending.Lost(gone);
        }
        var left = top.parked();
        var misuse = spoiled();
        try {
            if (misuse != null && !(left instanceof Ending.CalledOff)) {
                return spoiledBy(misuse);
            }
            if (onlyReplays) {
                return paysAndEnds(left, outcome, top);
            }
            if (left instanceof Ending.CalledOff) {
                return callsOff(top);
            }
            if (left != null) {
                return left;
            }
            if (calledOff
                    && outcome instanceof UserCode.CodeOutcome.Threw
                    && !journal.owed().isEmpty()) {
                return callsOff(top);
            }
            return switch (outcome) {
                case UserCode.CodeOutcome.Returned<String> returned ->
                    finish(Objects.requireNonNull(returned.value()), top);
                case UserCode.CodeOutcome.Threw<String> threw -> judgeThrown(threw.thrown(), top);
            };
        } catch (LeaseLost lost) {
            return new Ending.Lost(String.valueOf(lost.getMessage()));
        }
    }

    /** The job was called off: it ends, or comes back at once where it has something to end first. */
    private Ending callsOff(Scope top) {
        return journal.owed().isEmpty()
                ? settlesAndEnds(top)
                : new Ending.Later(
                        Change.ReleaseJob.Until.HAND_BACK,
                        List.of(),
                        "it was called off, and ends first what it began elsewhere",
                        Duration.ZERO);
    }

    /** The job was called off and owes nothing: it ends, unless something may have happened. */
    private Ending settlesAndEnds(Scope top) {
        try {
            var unsettled = settleOpen("the job was called off");
            if (unsettled != null) {
                return unsettled;
            }
            owedEnds.leave(top);
            return new Ending.CalledOff();
        } catch (LeaseLost lost) {
            return new Ending.Lost(String.valueOf(lost.getMessage()));
        }
    }

    /** The code has run over what is recorded: what it began elsewhere is ended, as far as it came to that. */
    private Ending paysAndEnds(Ending.@Nullable Parked left, UserCode.CodeOutcome<String> outcome, Scope top) {
        var waits = new ArrayList<Ending.Parked>();
        if (left != null && !(left instanceof Ending.CalledOff)) {
            waits.add(left);
        }
        var thrown =
                left == null && outcome instanceof UserCode.CodeOutcome.Threw<String> threw ? threw.thrown() : null;
        var unpaid = owedEnds.pay(top, thrown);
        if (unpaid instanceof Ending.Lost) {
            return unpaid;
        }
        if (unpaid instanceof Ending.Failed
                && thrown != null
                && owedEnds.missesSome()
                && stepFailedIn(thrown) == null
                && judgeWorkflow(thrown, top) instanceof Ending.Parked again) {
            // Perhaps the code comes further then.
            waits.add(again);
        }
        if (unpaid instanceof Ending.Parked parked) {
            waits.add(parked);
        }
        if (!waits.isEmpty()) {
            return Ending.heaviest(waits);
        }
        var unsettled = settledFirst(unpaid, "the job was called off");
        return unsettled == null ? settlesAndEnds(top) : unsettled;
    }

    /** The code called the job as it must not: nothing that it did is believed, and what may have happened is asked about first. */
    private Ending spoiledBy(String why) {
        var unsettled = settleOpen(QuestionKind.IN_DOUBT, "the run was spoiled: " + why);
        return unsettled == null
                ? new Ending.Failed(new FailedAt(Place.WORKFLOW, Failure.of(FailureClass.PERMANENT, "misused", why)))
                : unsettled;
    }

    private static <O> String written(@Nullable O result, TypeToken<O> type) {
        var json = Values.write(result, type);
        if (json.length() > RecordedResult.MOST_CHARS) {
            throw new PermanentFailure("the workflow's result has " + json.length() + " characters; the most is "
                    + RecordedResult.MOST_CHARS + ": keep it in a file and return its name");
        }
        return json;
    }

    /** The workflow returned: it is done, unless something it no longer mentions may have happened. */
    private Ending finish(String result, Scope top) {
        var unpaid = owedEnds.pay(top, null);
        var unsettled = settledFirst(unpaid, "the code no longer comes to it");
        top.nothingIsLost();
        top.takesInWhatWasTold();
        if (unsettled != null) {
            return unsettled;
        }
        owedEnds.leave(top);
        return new Ending.Done(result);
    }

    private Ending judgeThrown(Throwable thrown, Scope top) {
        if (cutShort()) {
            return Ending.handBack();
        }
        var failed = stepFailedIn(thrown);
        var unsettled = settleOpen("the job has failed: " + thrown.getMessage());
        if (unsettled != null) {
            return unsettled;
        }
        if (failed != null) {
            return new Ending.Failed(new FailedAt(failed.place(), failed.failure()), thrown);
        }
        return judgeWorkflow(
                thrown instanceof JsonMismatch
                        ? new PermanentFailure(String.valueOf(thrown.getMessage()), thrown)
                        : thrown,
                top);
    }

    /** The workflow's own code threw, outside any step: an attempt of the workflow itself. */
    private Ending judgeWorkflow(Throwable thrown, Scope top) {
        var failure = Failure.ofStep(thrown);
        var tried = journal.at(Place.WORKFLOW);
        var number = tried == null ? 1 : tried.stepTries() + 1;
        var spent = tried == null ? 1 : tried.spent() + 1;
        top.threw(Place.WORKFLOW, number, thrown);
        var entry = new Entry.StepTried(
                Place.WORKFLOW,
                number,
                failure,
                new AttemptNotes(context.worker(), null, context.retry().attempts()));
        return switch (context.retry().judge(failure, spent, context.ports().random())) {
            case Retry.Judgement.TryAgain again -> {
                context.log().tryAgain(job, Place.WORKFLOW, number, null, failure, again.after(), thrown);
                yield new Ending.Later(
                        Change.ReleaseJob.Until.TRY_LATER, List.of(entry), failure.message(), again.after());
            }
            case Retry.Judgement.GiveUp ignored -> {
                top.isLastAt(Place.WORKFLOW);
                yield new Ending.Failed(new FailedAt(Place.WORKFLOW, failure), thrown);
            }
            case Retry.Judgement.WaitWithAll ignored ->
                new GateRunner(top).atAccountGate(null, failure, List.of(entry));
        };
    }

    /** What keeps the job from ending: what is not paid; but it does not fail for that while something may have happened. */
    private @Nullable Ending settledFirst(Ending.@Nullable Unpaid unpaid, String why) {
        var unsettled = unpaid == null || unpaid instanceof Ending.Failed ? settleOpen(why) : null;
        return unsettled == null ? unpaid : unsettled;
    }

    private static @Nullable StepFailed stepFailedIn(Throwable thrown) {
        var depth = 0;
        for (Throwable t = thrown; t != null && depth < 32; t = t.getCause(), depth++) {
            if (t instanceof StepFailed failed) {
                return failed;
            }
        }
        return null;
    }

    /** What keeps the job from ending: an effect in doubt that a person must be asked about, or whose time has not come. */
    private @Nullable Ending settleOpen(String why) {
        return settleOpen(QuestionKind.NO_LONGER_CALLED, why);
    }

    private @Nullable Ending settleOpen(QuestionKind kind, String why) {
        for (var effect : journal.inDoubt()) {
            var unsettled = new PersonsWord(journal).settle(effect, kind, why);
            if (unsettled != null) {
                return unsettled;
            }
        }
        return null;
    }

    /** Whether something may be to be claimed that was not before it ended: the job itself, or one that waited for its end. */
    boolean leavesWork() {
        return lastCommit.leavesWork();
    }
}
