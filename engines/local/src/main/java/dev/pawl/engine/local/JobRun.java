package dev.pawl.engine.local;

import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Settling;
import dev.pawl.job.Job;
import dev.pawl.job.JobParked;
import dev.pawl.job.LeaseLost;
import dev.pawl.job.Named;
import dev.pawl.job.StepFailed;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.Line;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.FailureClass;
import dev.pawl.retry.NotSent;
import dev.pawl.retry.PermanentFailure;
import dev.pawl.retry.Rejected;
import dev.pawl.retry.Retry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Leaving;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One claimed job on one thread, from its claim to its ending. Replays what is recorded, runs what is not, and commits an ending; whatever
 * user code throws or swallows, a run that has to leave leaves. Confined to its thread, but for {@link #stop} and {@link #interrupt}.
 */
final class JobRun implements Job {

    /** The workflow's own scope; items of a fan-out have others. */
    private static final String TOP = "";

    private final Desk desk;
    private final StoredJob job;
    private final Lease lease;
    private final Workflow.Implementation<?, ?> implementation;
    private final Change.Hold hold;
    private final List<Entry> riding = new ArrayList<>();
    private final Set<Place> used = new HashSet<>();
    private final Set<Place> met = new HashSet<>();
    private final Thread thread = Thread.currentThread();
    private final Watchdog.Watched watched;
    private History history;
    private int written;
    private boolean inside;
    private @Nullable Ending parked;
    private volatile boolean stopping;
    private volatile boolean interrupted;

    /** What all runs of a worker share. */
    record Desk(Committer committer, Surroundings around, Watchdog watchdog, Store store, EventLog log) {}

    JobRun(Desk desk, Lease lease, Claimed claimed, Workflow.Implementation<?, ?> implementation) {
        this.desk = desk;
        this.job = claimed.job();
        this.lease = lease;
        this.implementation = implementation;
        this.hold = new Change.Hold(job.id(), job.standing().fence());
        this.history = History.of(claimed.journal(), job.standing().resubmission());
        this.watched = desk.watchdog().register();
    }

    // ---- from claim to ending

    /** Runs the job to an ending and commits it. Returns the job as it stands when it finished or paused, else null. */
    @Nullable
    StoredJob run() {
        try {
            return commitEnding(execute(implementation));
        } finally {
            watched.close();
        }
    }

    /** The run leaves at its next boundary; nothing counts against the job. */
    void stop() {
        stopping = true;
    }

    /** The run has been given time and is told to hurry. */
    void interrupt() {
        interrupted = true;
        thread.interrupt();
    }

    Identity jobIdentity() {
        return job.identity();
    }

    private <I, O> Ending execute(Workflow.Implementation<I, O> code) {
        var outcome = UserCode.call(() -> {
            var input = Json.read(job.input(), code.workflow().input());
            @SuppressWarnings("NullAway") // an input of null is the submitter's choice
            var result = code.body().run(this, input);
            return written(result);
        });
        var left = parked;
        if (left != null) {
            return left;
        }
        try {
            return switch (outcome) {
                case UserCode.Outcome.Returned<String> returned -> finish(Objects.requireNonNull(returned.value()));
                case UserCode.Outcome.Threw<String> threw -> judgeThrown(threw.thrown());
            };
        } catch (LeaseLost lost) {
            return new Ending.Lost(String.valueOf(lost.getMessage()));
        }
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
    private Ending finish(String result) {
        var unsettled = settleOpen("the code no longer comes to it");
        return unsettled == null ? new Ending.Done(result) : unsettled;
    }

    private Ending judgeThrown(Throwable thrown) {
        if (thrown instanceof LeaseLost lost) {
            return new Ending.Lost(String.valueOf(lost.getMessage()));
        }
        if (stopping && interrupted) {
            return handBack();
        }
        var failed = stepFailedIn(thrown);
        var unsettled = settleOpen("the job has failed: " + thrown.getMessage());
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
        var tried = history.at(Place.WORKFLOW);
        var number = tried == null ? 1 : tried.stepTries() + 1;
        var spent = tried == null ? 1 : tried.spent() + 1;
        var entry = new Entry.StepTried(Place.WORKFLOW, number, failure);
        return switch (implementation
                .retry()
                .judge(failure, spent, desk.around().random())) {
            case Retry.Judgement.TryAgain again ->
                new Ending.Later(Change.ReleaseJob.Until.TRY_LATER, List.of(entry), failure.message(), again.after());
            case Retry.Judgement.GiveUp ignored -> new Ending.Failed(new Change.FailedAt(Place.WORKFLOW, failure));
            case Retry.Judgement.AskAPerson ignored ->
                asks(QuestionKind.ACCOUNT, Place.WORKFLOW, failure.message(), List.of(entry));
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

    private @Nullable StoredJob commitEnding(Ending ending) {
        if (ending instanceof Ending.Lost) {
            handBackIfStillOurs();
            desk.log().ended(job, ending, new Applied.LeaseLost());
            return null;
        }
        Applied applied;
        var change = ending(ending);
        try {
            applied = commitOwned(change);
        } catch (LeaseLost lost) {
            applied = new Applied.LeaseLost();
        }
        if (applied instanceof Applied.Refused refused) {
            throw new IllegalStateException(refused.why());
        }
        desk.log().ended(job, ending, applied);
        var leaving = Leaving.of(change);
        return applied.done() && leaving != null && leaving.after() == null
                ? leaving.applied(job, desk.around().time().now())
                : null;
    }

    /** A run that could not be sure of its lease may have it still: then nobody else would ever take the job. */
    private void handBackIfStillOurs() {
        if (!lease.lost()) {
            var released = new Entry.Released(hold.fence(), "its worker was not sure of its lease", Duration.ZERO);
            try {
                commitOwned(
                        new Change.ReleaseJob(hold, nextId(0), List.of(released), Change.ReleaseJob.Until.HAND_BACK));
            } catch (LeaseLost lost) {
                desk.log().ended(job, new Ending.Lost(String.valueOf(lost.getMessage())), new Applied.LeaseLost());
            }
        }
    }

    private Change.Owned ending(Ending ending) {
        var entries = taken();
        return switch (ending) {
            case Ending.Done done ->
                new Change.FinishJob(hold, nextId(0), entries, new Change.FinishJob.Ending.Done(done.result()));
            case Ending.Failed failed ->
                new Change.FinishJob(hold, nextId(0), entries, new Change.FinishJob.Ending.Failed(failed.why()));
            case Ending.Later later -> {
                entries.addAll(later.entries());
                entries.add(new Entry.Released(hold.fence(), later.why(), later.after()));
                yield new Change.ReleaseJob(hold, nextId(0), entries, later.until());
            }
            case Ending.Asks asks -> {
                entries.addAll(asks.entries());
                entries.add(new Entry.Asked(asks.question()));
                yield new Change.Ask(hold, nextId(0), entries);
            }
            case Ending.Lost lost -> throw new IllegalStateException("a lost job is not ours to end: " + lost.why());
        };
    }

    // ---- what the runners use

    Surroundings around() {
        return desk.around();
    }

    EventLog log() {
        return desk.log();
    }

    StoredJob stored() {
        return job;
    }

    Change.Hold hold() {
        return hold;
    }

    Store store() {
        return desk.store();
    }

    Retry retryFor(Named name) {
        var attempts = name.attempts();
        return attempts == null
                ? implementation.retry()
                : implementation.retry().withAttempts(attempts);
    }

    /** Comes to a place: refuses a foreign thread, a step inside a step, and a name that was used already. */
    Place meet(Named name) {
        enter();
        var place = name.place(TOP);
        if (!used.add(place)) {
            throw new IllegalStateException(
                    "\"" + place + "\" is used twice in this workflow; give each use a name or an item key of its own");
        }
        return place;
    }

    /** What is known about a place, under its name of today or one that it had before; null when nothing is. */
    @Nullable
    PlaceHistory recall(Named name, Place place) {
        var known = history.at(place);
        for (var old : name.oldPlaces(TOP)) {
            if (known == null || known.bare()) {
                var before = history.at(old);
                known = before == null ? known : before;
            }
        }
        if (known != null) {
            met.add(known.place());
        }
        return known;
    }

    /** Effects that were recorded here earlier and that this replay has not come to. */
    List<PlaceHistory> unmetEffects() {
        return history.effectsIn(TOP).stream()
                .filter(effect -> !met.contains(effect.place()))
                .toList();
    }

    /** What keeps the job from ending: an effect in doubt that a person must be asked about, or whose time has not come. */
    private @Nullable Ending settleOpen(String why) {
        for (var effect : history.effectsIn(TOP)) {
            var unsettled = settleForPerson(effect, why);
            if (unsettled != null) {
                return unsettled;
            }
        }
        return null;
    }

    /** Settles an effect that nothing else will settle, by a person's word alone. Returns what it still waits for, or null. */
    private @Nullable Ending settleForPerson(PlaceHistory effect, String why) {
        if (!effect.inDoubt()) {
            return null;
        }
        var decision = effect.retry();
        if (decision == null) {
            return asks(
                    QuestionKind.NO_LONGER_CALLED,
                    effect.place(),
                    "an attempt may have happened, and " + why,
                    List.of());
        }
        var now = desk.around().time().now();
        var from = decision.evenNow() ? now : Settling.settledFrom(effect.open());
        if (now.isBefore(from)) {
            return new Ending.Later(
                    Change.ReleaseJob.Until.WAIT,
                    List.of(),
                    effect.place() + ": an earlier attempt may still land",
                    Duration.between(now, from));
        }
        var said = Failure.of(FailureClass.TRANSIENT, "decided", "a person said that it did not happen");
        for (var open : effect.open()) {
            answer(effect.place(), open.number(), new Answer.DidNotHappen(said), Answer.Source.PERSON);
        }
        return null;
    }

    /** Leaves unless nothing at {@code effect} is in doubt: the code no longer comes to it, so only a person can settle it. */
    void settleUncalled(PlaceHistory effect, String why) {
        var unsettled = settleForPerson(effect, why);
        if (unsettled != null) {
            throw park(unsettled);
        }
    }

    /** A step stands where an effect stood: what the effect left in doubt is settled first. */
    void settleIfItWasAnEffect(@Nullable PlaceHistory history) {
        if (history != null) {
            settleUncalled(history, "the code has made a step of it");
        }
    }

    /** Calls user code, watched, with the job out of its reach. */
    <T> UserCode.Outcome<T> call(Duration longest, Callable<T> code) {
        inside = true;
        watched.begin(longest);
        UserCode.Outcome<T> outcome;
        try {
            outcome = UserCode.call(code);
        } finally {
            inside = false;
        }
        if (watched.end()
                && outcome instanceof UserCode.Outcome.Threw<T> threw
                && !saysNothingHappened(threw.thrown())) {
            return new UserCode.Outcome.Threw<>(new TimedOut(longest, threw.thrown()));
        }
        return outcome;
    }

    /** The effect's own word stands, however late it comes. */
    private static boolean saysNothingHappened(Throwable thrown) {
        return thrown instanceof NotSent || thrown instanceof Rejected;
    }

    /** Whether an act was cut short because the worker stops, and not by its own fault. */
    boolean cutShort() {
        return stopping && interrupted;
    }

    /** Commits entries under the fence, with whatever rides along. */
    void record(Entry... entries) {
        var all = taken();
        all.addAll(List.of(entries));
        owned(new Change.RecordStepIfOwned(hold, nextId(all.size()), all));
        learn(all);
    }

    /** Commits the intent to act. Returns false when the effect was answered meanwhile, so that there is nothing to do. */
    boolean intend(Entry.Intended intent) {
        var all = taken();
        all.add(intent);
        var applied = owned(new Change.IntendEffectIfOwned(hold, nextId(all.size()), all));
        if (applied instanceof Applied.Conflict) {
            reread();
            all.removeLast();
            all.forEach(this::ride);
            return false;
        }
        learn(all);
        return true;
    }

    /** Commits an answer; a fact, so it needs no lease. What the store says then is what is known. */
    void answer(Place place, int number, Answer answer, Answer.Source source) {
        var ref = new Change.AttemptRef(job.standing().resubmission(), place, number);
        var applied = commit(new Change.AnswerAttempt(job.id(), newId(), ref, answer, source));
        if (applied instanceof Applied.Refused && answer instanceof Answer.Happened) {
            var without = new Answer.Happened(null, false);
            applied = commit(new Change.AnswerAttempt(job.id(), newId(), ref, without, source));
        }
        switch (applied) {
            case Applied.Now ignored -> {}
            case Applied.Duplicated ignored -> desk.log().duplicated(job, place, number);
            case Applied.Already ignored -> {}
            case Applied.TookOver ignored -> {}
            case Applied.LeaseLost ignored -> throw lost("somebody else owns job " + job.identity() + " now");
            case Applied.Conflict conflict -> throw lost(conflict.why());
            case Applied.Refused refused -> throw lost("an answer was refused: " + refused.why());
        }
        var stored = applied.stored();
        if (stored != null && stored.standing().fence() != hold.fence()) {
            throw lost("somebody else owns job " + job.identity() + " now");
        }
        if (applied instanceof Applied.Now) {
            learn(List.of(new Entry.Answered(place, number, answer, source)));
        } else {
            reread();
        }
    }

    private long newId() {
        return Changes.unfenced(desk.around().random());
    }

    /** An act of ours has ended: nothing more is sent under our fence unless we act again. The release that follows records it. */
    void actEnded() {
        history.noneSentAfter(hold.fence(), desk.around().time().now());
    }

    /** Makes sure that the lease is safely ours, right before an act. */
    void ensureLease() {
        try {
            lease.ensure(desk.committer());
        } catch (LeaseLost lost) {
            throw lost(String.valueOf(lost.getMessage()));
        }
    }

    /** Lets a value ride with the next commit. */
    void ride(Entry entry) {
        riding.add(entry);
        learn(List.of(entry));
    }

    /** Leaves the worker with this ending. */
    JobParked park(Ending ending) {
        parked = ending;
        throw new JobParked("job " + job.identity() + " leaves its worker for now; let this error through");
    }

    /** Leaves the worker with a question. */
    JobParked ask(QuestionKind kind, Place place, String because, Entry... entries) {
        return park(asks(kind, place, because, List.of(entries)));
    }

    private Ending asks(QuestionKind kind, Place place, String because, List<Entry> entries) {
        var id = Changes.owned(hold.fence(), written + riding.size() + entries.size());
        return new Ending.Asks(entries, new Question(id, kind, place, because));
    }

    private static Ending handBack() {
        return new Ending.Later(Change.ReleaseJob.Until.HAND_BACK, List.of(), "its worker stops", Duration.ZERO);
    }

    /** Hands the job back because the worker stops. */
    JobParked handedBack() {
        return park(handBack());
    }

    long nextId(int entries) {
        var id = Changes.owned(hold.fence(), written);
        written += entries;
        return id;
    }

    List<Entry> taken() {
        var entries = new ArrayList<>(riding);
        riding.clear();
        return entries;
    }

    /** Takes in what was just committed. Riding entries are known already; knowing them twice changes nothing. */
    void learn(List<Entry> entries) {
        for (var entry : entries) {
            history.add(new Line(
                    0,
                    Changes.firstOf(hold.fence()),
                    job.standing().resubmission(),
                    desk.around().time().now(),
                    entry));
        }
    }

    private void reread() {
        try {
            history = History.of(desk.store().journal(job.id()), job.standing().resubmission());
        } catch (StoreFailure failure) {
            throw lost("the store did not answer: " + failure.getMessage());
        }
    }

    private Applied owned(Change.Owned change) {
        var applied = commitOwned(change);
        return switch (applied) {
            case Applied.LeaseLost ignored -> throw lost("somebody else owns job " + job.identity() + " now");
            case Applied.Refused refused -> throw new IllegalStateException(refused.why());
            case Applied.Now ignored -> applied;
            case Applied.Already ignored -> applied;
            case Applied.Conflict ignored -> applied;
            case Applied.Duplicated ignored -> applied;
            case Applied.TookOver ignored -> applied;
        };
    }

    private Applied commitOwned(Change.Owned change) {
        if (lease.lost()) {
            throw lost("this worker's lease was lost");
        }
        return commit(change);
    }

    private Applied commit(Change change) {
        try {
            return desk.committer().commit(change);
        } catch (StoreFailure failure) {
            throw lost("the store did not answer: " + failure.getMessage());
        }
    }

    /** The job is somebody else's: every further call says so again. */
    LeaseLost lost(String why) {
        parked = new Ending.Lost(why);
        return new LeaseLost(why);
    }

    /** The door of every call on the job. */
    private void enter() {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("job " + job.identity()
                    + " was called from a thread that it did not start; call it only from the workflow's own code");
        }
        if (inside) {
            throw new IllegalStateException("job " + job.identity()
                    + " was called from inside a step or an effect; steps and effects stand beside each other");
        }
        var left = parked;
        if (left instanceof Ending.Lost gone) {
            throw new LeaseLost(gone.why());
        }
        if (left != null) {
            throw new JobParked("job " + job.identity() + " has left its worker; let this error through");
        }
        if (lease.lost()) {
            throw lost("this worker's lease was lost");
        }
        if (stopping) {
            throw handedBack();
        }
    }

    // ---- what the workflow's code calls

    @Override
    public Identity identity() {
        return job.identity();
    }

    @Override
    public int resubmission() {
        return job.standing().resubmission();
    }

    @Override
    public <T> T step(Named name, TypeToken<T> result, Step<T> work) {
        return new StepRunner(this).run(name, result, work);
    }

    @Override
    public <R, T> T effect(Named name, Contract<T> contract, R request, TypeToken<T> result, Effect<R, T> act) {
        return new EffectRunner<>(this, name, contract, result).run(request, act);
    }

    @Override
    public <R, T> T transaction(Named name, R request, TypeToken<T> result, Sql<R, T> work) {
        return new TransactionRunner(this).run(name, request, result, work);
    }

    @Override
    public Instant now(String name) {
        return noted(name, Instant.class, () -> desk.around().time().now());
    }

    @Override
    public long random(String name) {
        return noted(name, Long.class, () -> desk.around().random().nextLong());
    }

    @Override
    public UUID uuid(String name) {
        return noted(name, UUID.class, () -> {
            var random = desk.around().random();
            return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() >>> 2) | (1L << 63));
        });
    }

    private <T> T noted(String name, Class<T> type, Supplier<T> draw) {
        var named = Named.named(name);
        var place = meet(named);
        var history = recall(named, place);
        var known = history == null ? null : history.known();
        if (history != null && known != null) {
            return Replay.of(this, history, known, TypeToken.of(type));
        }
        var value = draw.get();
        ride(new Entry.Noted(place, Json.write(value)));
        return value;
    }
}
