package dev.pawl.engine.local;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.gate.Budget;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobMisused;
import dev.pawl.job.JobState;
import dev.pawl.job.LeaseLost;
import dev.pawl.job.StepFailed;
import dev.pawl.job.Workflow;
import dev.pawl.journal.AttemptNotes;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.FailureClass;
import dev.pawl.retry.PermanentFailure;
import dev.pawl.retry.Retry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Leaving;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One claimed job, from its claim to its ending. Its code runs in {@link Scope}s and writes with the {@link Pen}; whatever user code throws or
 * swallows, a run that has to leave leaves. {@link #stop} and {@link #interrupt} may be called from anywhere.
 */
final class JobRun {
    private volatile boolean leavesWork = true;
    private final Desk desk;
    private final StoredJob job;
    private final Workflow.Implementation<?, ?> implementation;
    private final Pen pen;
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

    /** What all runs of a worker share. */
    record Desk(
            Committers committer,
            Surroundings around,
            Watchdog watchdog,
            Store store,
            EventLog log,
            CurrentPrices prices,
            GateBoard board,
            Evidence evidence,
            Runnable lookAtGates,
            String worker) {}

    JobRun(Desk desk, Lease lease, Claimed claimed, Workflow.Implementation<?, ?> implementation) {
        this.desk = desk;
        this.job = claimed.job();
        this.implementation = implementation;
        this.pen = new Pen(desk, lease, claimed);
        this.calledOff = job.standing().cancelling();
        this.begunBefore = !claimed.journal().isEmpty();
    }

    Desk desk() {
        return desk;
    }

    StoredJob job() {
        return job;
    }

    Pen pen() {
        return pen;
    }

    List<Budget> budgets() {
        return implementation.budgets();
    }

    Prices prices() {
        return desk.prices().now();
    }

    Retry retry() {
        return implementation.retry();
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
        try {
            top.takesInWhatWasTold();
            return commitEnding(execute(implementation, top), top);
        } finally {
            leave(top);
            desk.board().left(closed);
            desk.board().uses().sent(top.taken());
        }
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
            desk.log().resumes(job, place, replayed.get());
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
        if (calledOff) {
            return callsOff(top);
        }
        var outcome = UserCode.call(() -> {
            var input = Json.readStored(job.input(), code.workflow().input());
            @SuppressWarnings("NullAway") // an input of null is the submitter's choice
            var result = code.body().run(top, input);
            return written(result);
        });
        var gone = pen.lost();
        if (gone != null) {
            return new Ending.Lost(gone);
        }
        var left = top.parked();
        if (left instanceof Ending.CalledOff) {
            return callsOff(top);
        }
        var misuse = spoiled();
        if (left != null && misuse == null) {
            return left;
        }
        try {
            if (misuse != null) {
                return spoiled(misuse, top);
            }
            return switch (outcome) {
                case UserCode.Outcome.Returned<String> returned ->
                    finish(Objects.requireNonNull(returned.value()), top);
                case UserCode.Outcome.Threw<String> threw -> judgeThrown(threw.thrown(), top);
            };
        } catch (LeaseLost lost) {
            return new Ending.Lost(String.valueOf(lost.getMessage()));
        }
    }

    /** The job was called off: it ends, unless something may have happened. */
    private Ending callsOff(Scope top) {
        try {
            var unsettled = settleOpen(top, "the job was called off");
            return unsettled == null ? new Ending.CalledOff() : unsettled;
        } catch (LeaseLost lost) {
            return new Ending.Lost(String.valueOf(lost.getMessage()));
        }
    }

    /** The code called the job as it must not: nothing that it did is believed, and what may have happened is asked about first. */
    private Ending spoiled(String why, Scope top) {
        var unsettled = settleOpen(top, QuestionKind.IN_DOUBT, "the run was spoiled: " + why);
        return unsettled == null
                ? new Ending.Failed(
                        new Change.FailedAt(Place.WORKFLOW, Failure.of(FailureClass.PERMANENT, "misused", why)))
                : unsettled;
    }

    private static String written(@Nullable Object result) {
        var json = Json.write(result);
        if (json.length() > Kept.MOST_CHARS) {
            throw new PermanentFailure("the workflow's result has " + json.length() + " characters; the most is "
                    + Kept.MOST_CHARS + ": keep it in a file and return its name");
        }
        return json;
    }

    /** The workflow returned: it is done, unless something it no longer mentions may have happened. */
    private Ending finish(String result, Scope top) {
        var unsettled = settleOpen(top, "the code no longer comes to it");
        top.nothingIsLost();
        top.takesInWhatWasTold();
        return unsettled == null ? new Ending.Done(result) : unsettled;
    }

    private Ending judgeThrown(Throwable thrown, Scope top) {
        if (cutShort()) {
            return Ending.handBack();
        }
        var failed = stepFailedIn(thrown);
        var unsettled = settleOpen(top, "the job has failed: " + thrown.getMessage());
        if (unsettled != null) {
            return unsettled;
        }
        if (failed != null) {
            return new Ending.Failed(new Change.FailedAt(failed.place(), failed.failure()));
        }
        return judgeWorkflow(
                thrown instanceof JsonMismatch
                        ? new PermanentFailure(String.valueOf(thrown.getMessage()), thrown)
                        : thrown);
    }

    /** The workflow's own code threw, outside any step: an attempt of the workflow itself. */
    private Ending judgeWorkflow(Throwable thrown) {
        var failure = Failure.ofStep(thrown);
        var tried = pen.at(Place.WORKFLOW);
        var number = tried == null ? 1 : tried.stepTries() + 1;
        var spent = tried == null ? 1 : tried.spent() + 1;
        var entry = new Entry.StepTried(
                Place.WORKFLOW, number, failure, new AttemptNotes(desk.worker(), null, retry().attempts()));
        return switch (retry().judge(failure, spent, desk.around().random())) {
            case Retry.Judgement.TryAgain again -> {
                desk.log().tryAgain(job, Place.WORKFLOW, number, failure, again.after());
                yield new Ending.Later(
                        Change.ReleaseJob.Until.TRY_LATER, List.of(entry), failure.message(), again.after());
            }
            case Retry.Judgement.GiveUp ignored -> new Ending.Failed(new Change.FailedAt(Place.WORKFLOW, failure));
            case Retry.Judgement.AskAPerson ignored -> {
                var gate = GateBoard.account(job.identity().workflow());
                var lookAgain = failure.retryAfter();
                var until = lookAgain == null ? null : pen.storeNow().plus(lookAgain);
                if (desk.board()
                        .closes(gate, Gate.Kind.ACCOUNT, new Gate.Closing(failure.message(), pen.storeNow(), until))) {
                    closed(gate);
                    desk.log().gateClosed(job, gate, Gate.Kind.ACCOUNT, failure.message(), until);
                }
                yield new Ending.AtGate(
                        List.of(entry), new Gate.Wish(gate, Gate.Kind.ACCOUNT, failure.message(), until, null), null);
            }
        };
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
    private @Nullable Ending settleOpen(Scope top, String why) {
        return settleOpen(top, QuestionKind.NO_LONGER_CALLED, why);
    }

    private @Nullable Ending settleOpen(Scope top, QuestionKind kind, String why) {
        for (var effect : pen.inDoubt()) {
            var unsettled = top.settleForPerson(effect, kind, why);
            if (unsettled != null) {
                return unsettled;
            }
        }
        return null;
    }

    // ---- the last commit

    private @Nullable StoredJob commitEnding(Ending ending, Scope top) {
        if (!(ending instanceof Ending.Ours ours)) {
            handBackIfStillOurs();
            desk.log().ended(job, ending, new Applied.LeaseLost());
            return null;
        }
        Applied applied;
        var change = leaving(ours, top.taken());
        try {
            applied = pen.commitOwned(change);
        } catch (LeaseLost lost) {
            applied = new Applied.LeaseLost();
        }
        desk.log().ended(job, ending, Pen.notRefused(applied));
        leavesWork = !(change instanceof Change.FinishJob && applied instanceof Applied.Now now && now.job() == null);
        if (ending instanceof Ending.AtGate
                && applied.stored() != null
                && applied.stored().state() == JobState.READY) {
            desk.lookAtGates().run();
        }
        return endedAs(change, applied);
    }

    /** Whether something may be to be claimed that was not before it ended: the job itself, or one that waited for its end. */
    boolean leavesWork() {
        return leavesWork;
    }

    /** The job as it stands, when it finished or paused; else null. */
    private @Nullable StoredJob endedAs(Change.Owned change, Applied applied) {
        if (!applied.done()) {
            return null;
        }
        if (change instanceof Change.FinishJob) {
            return Objects.requireNonNull(Leaving.of(change)).applied(job, pen.storeNow());
        }
        var stored = applied.stored();
        return stored != null && stored.state() == JobState.PAUSED ? stored : null;
    }

    /** A run that could not be sure of its lease may have it still: then nobody else would ever take the job. */
    private void handBackIfStillOurs() {
        if (!pen.leaseLost()) {
            var released =
                    new Entry.Released(pen.hold().fence(), "its worker was not sure of its lease", Duration.ZERO);
            try {
                pen.commitOwned(new Change.ReleaseJob(
                        pen.hold(), pen.nextId(0), List.of(released), Change.ReleaseJob.Until.HAND_BACK));
            } catch (LeaseLost lost) {
                desk.log().ended(job, new Ending.Lost(String.valueOf(lost.getMessage())), new Applied.LeaseLost());
            }
        }
    }

    /** The question that the job asked before this run, when it asks the same again and nothing has happened there since. */
    private @Nullable Question stillStanding(Ending.Asks asks) {
        var before = job.outcome().question();
        var there = pen.at(asks.asking().place());
        return before != null
                        && before.kind() == asks.asking().kind()
                        && there != null
                        && before.equals(there.standing())
                        && (there.wanted() == null
                                || there.wanted().equals(asks.asking().request()))
                        && asks.entries().stream()
                                .noneMatch(entry -> entry.place().equals(before.place()))
                ? before
                : null;
    }

    private Change.Owned leaving(Ending.Ours ending, List<Entry> entries) {
        var hold = pen.hold();
        return switch (ending) {
            case Ending.Done done ->
                new Change.FinishJob(hold, pen.nextId(0), entries, new Change.FinishJob.Ending.Done(done.result()));
            case Ending.Failed failed ->
                new Change.FinishJob(hold, pen.nextId(0), entries, new Change.FinishJob.Ending.Failed(failed.why()));
            case Ending.CalledOff ignored ->
                new Change.FinishJob(hold, pen.nextId(0), entries, new Change.FinishJob.Ending.CalledOff());
            case Ending.Later later -> {
                entries.addAll(later.entries());
                entries.add(new Entry.Released(hold.fence(), later.why(), later.after()));
                yield new Change.ReleaseJob(hold, pen.nextId(0), entries, later.until());
            }
            case Ending.AtGate waits -> {
                entries.addAll(waits.entries());
                entries.add(new Entry.Released(
                        hold.fence(), "it waits at gate " + waits.wish().name(), Duration.ZERO));
                yield new Change.WaitAtGateIfOwned(hold, pen.nextId(0), entries, waits.wish(), waits.after());
            }
            case Ending.Asks asks -> {
                entries.addAll(asks.entries());
                var id = pen.nextId(0);
                var question = stillStanding(asks);
                if (question == null) {
                    var asking = asks.asking();
                    question = new Question(id + entries.size(), asking.kind(), asking.place(), asking.because());
                    entries.add(new Entry.Asked(question, asking.request()));
                }
                yield new Change.Ask(hold, id, entries, question, asks.after());
            }
        };
    }
}
