package dev.pawl.engine.local;

import dev.pawl.cost.Use;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.RequestText;
import dev.pawl.effect.ResultNotKept;
import dev.pawl.effect.Settling;
import dev.pawl.gate.Budget;
import dev.pawl.job.Conversation;
import dev.pawl.job.Handling;
import dev.pawl.job.Job;
import dev.pawl.job.JobMisused;
import dev.pawl.job.JobParked;
import dev.pawl.job.LeaseLost;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Artifact;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Logs;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Names;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.FailureClass;
import dev.pawl.retry.NotSent;
import dev.pawl.retry.Rejected;
import dev.pawl.retry.Retry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.ClockAhead;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A job as one thread of its code sees it: the names that were used here, what was met on this replay, what rides with the next commit, and
 * whether this thread has to leave. Confined to its thread, but for {@link #interrupt}.
 */
final class Scope implements Job {
    /** The workflow's own scope; items of a fan-out have others. */
    static final String TOP = "";

    private final JobRun run;
    private final Pen pen;
    private final String name;
    private final List<Entry> riding = new ArrayList<>();
    private final Set<Place> used = new HashSet<>();
    private final Set<Place> met = new HashSet<>();
    private final Map<Place, ApprovalRunner.Wanted> approvals = new HashMap<>();
    private final Thread thread = Thread.currentThread();
    private final Watchdog.Watched watched;
    private final List<Use> uses = new ArrayList<>();
    private final StringBuilder written = new StringBuilder();
    private boolean saidByResult;
    private Duration took = Duration.ZERO;
    private volatile boolean inside;
    private Ending.@Nullable Parked parked;

    /** The scope called {@code name}, for the calling thread. */
    Scope(JobRun run, String name) {
        this.run = run;
        this.pen = run.pen();
        this.name = name;
        this.watched = run.desk().watchdog().register();
    }

    /** Nobody watches this thread any more. */
    void leave() {
        watched.close();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** How this thread has left; null while it has not, or has lost the job. */
    Ending.@Nullable Parked parked() {
        return parked;
    }

    String name() {
        return name;
    }

    /** A scope of the same run, for the calling thread. */
    Scope enter(String scope) {
        return run.enter(scope);
    }

    /** The calling thread is done with a scope of the same run. */
    void leave(Scope scope) {
        run.leave(scope);
    }

    /** What still rides in a scope that has ended rides on here. */
    void takeOn(Scope ended) {
        synchronized (riding) {
            riding.addAll(ended.taken());
        }
    }

    /** Whether the run has to end soon, whatever its code does. */
    boolean mustStop() {
        return run.stopping() || run.calledOff() || run.spoiled() != null || pen.lost() != null;
    }

    /** How a thread ends that did not even begin, because the run has to end. */
    Ending.Parked stopping() {
        return run.calledOff() ? new Ending.CalledOff() : Ending.handBack();
    }

    /** Leaves unless every effect that was recorded here is met, or at least not in doubt. */
    void settleUnmet() {
        if (parked == null) {
            unmetEffects().forEach(effect -> settleUncalled(effect, "the code no longer comes to it"));
        }
    }

    // ---- what the runners use

    Surroundings around() {
        return run.desk().around();
    }

    EventLog log() {
        return run.desk().log();
    }

    Store store() {
        return run.desk().store();
    }

    /** Who works here, as people know it. */
    String worker() {
        return run.desk().worker();
    }

    StoredJob stored() {
        return run.job();
    }

    Pen pen() {
        return pen;
    }

    Retry retryFor(Named named) {
        var attempts = named.attempts();
        return attempts == null ? run.retry() : run.retry().withAttempts(attempts);
    }

    /** Comes to a place: refuses a foreign thread, a step inside a step, and a name that was used already. */
    Place meet(Named named) {
        enter();
        var place = named.place(name);
        if (!used.add(place)) {
            throw run.spoil(
                    "\"" + place + "\" is used twice in this workflow; give each use a name or an item key of its own");
        }
        run.met(place);
        return place;
    }

    /** The code got what is recorded, and did nothing. */
    void replayed() {
        run.replayed();
    }

    /** The code has come to something that is not recorded and no step: whoever is gone, and was in no effect, has come no further and used nothing. */
    void comesTo(Place place) {
        run.comesTo(place);
        nothingIsLost();
    }

    /** The code has come to a step that is not recorded: whoever is gone may have been in it. */
    void comesToStep(Place place) {
        run.comesTo(place);
    }

    /** What owners used who are gone and were in no effect is known: nothing, or what was found. */
    void nothingIsLost() {
        if (name.equals(TOP)) {
            pen.goneBetweenEffects().forEach(this::ride);
        }
    }

    /** What owners used is known who are gone from this attempt. */
    void foundEnded(Place place, int number) {
        nothingIsLost();
        pen.goneFrom(place, number).forEach(this::ride);
    }

    /** What owners used is known who are gone, and whose attempts were told of by others. */
    void takesInWhatWasTold() {
        pen.toldOf().forEach(this::ride);
    }

    /** How long the attempt that has just ended took. */
    Duration took() {
        return took;
    }

    /** This run closes a gate, as far as this process knows. */
    void closed(String gate) {
        run.closed(gate);
    }

    List<Budget> budgets() {
        return run.budgets();
    }

    void lookAtGates() {
        run.desk().lookAtGates().run();
    }

    GateBoard board() {
        return run.desk().board();
    }

    /** Comes to the approval of an effect, which shares the effect's place. */
    Place meetApproval(Named effect) {
        enter();
        var place = effect.place(name);
        if (approvals.containsKey(place)) {
            throw run.spoil("the approval of \"" + place
                    + "\" is asked for twice in this workflow; give each effect a name or an item key of its own");
        }
        return place;
    }

    /** From here on the effect at {@code place} acts only with an approval. */
    void wantsApproval(Place place, ApprovalRunner.Wanted wanted) {
        approvals.put(place, wanted);
    }

    /** What must be approved before the effect at {@code place} acts; null when nothing must. */
    ApprovalRunner.@Nullable Wanted approvalFor(Place place) {
        return approvals.get(place);
    }

    /** What is known about a place, under its name of today or one that it had before; null when nothing is. */
    @Nullable
    PlaceHistory recall(Named named, Place place) {
        var known = pen.at(place);
        for (var old : named.oldPlaces(name)) {
            if (known == null || known.bare()) {
                var before = pen.at(old);
                known = before == null ? known : before;
            }
        }
        if (known != null) {
            met.add(known.place());
        }
        return known;
    }

    /** How a place has ended; null when it has not. */
    static PlaceHistory.@Nullable Known known(@Nullable PlaceHistory history) {
        return history == null ? null : history.known();
    }

    /** Where a place is recorded: under an old name, perhaps. */
    static Place recorded(@Nullable PlaceHistory history, Place today) {
        return history == null ? today : history.place();
    }

    /** Effects that were recorded here earlier and that this replay has not come to. */
    List<PlaceHistory> unmetEffects() {
        return pen.effectsIn(name).stream()
                .filter(effect -> !met.contains(effect.place()))
                .toList();
    }

    /** Leaves unless nothing at {@code effect} is in doubt: the code no longer comes to it, so only a person can settle it. */
    void settleUncalled(PlaceHistory effect, String why) {
        var unsettled = settleForPerson(effect, QuestionKind.NO_LONGER_CALLED, why);
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

    /** Settles an effect that nothing else will settle, by a person's word alone. Returns what it still waits for, or null. */
    Ending.@Nullable Parked settleForPerson(PlaceHistory effect, QuestionKind kind, String why) {
        if (!effect.inDoubt()) {
            return null;
        }
        var decision = effect.retry();
        if (decision == null) {
            return asks(kind, effect.place(), "an attempt may have happened, and " + why, null);
        }
        var now = pen.storeNow();
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
            pen.answer(effect.place(), open.number(), new Answer.DidNotHappen(said), Answer.Source.PERSON);
        }
        return null;
    }

    /** Attempt {@code number} of a step or an effect, under our own fence. */
    Attempt attempt(Place place, int number, Duration allowance) {
        return attempt(place, number, pen.hold().fence(), allowance);
    }

    /** An attempt that was made under {@code fence}. */
    Attempt attempt(Place place, int number, long fence, Duration allowance) {
        var key = EffectKey.of(identity(), place, resubmission());
        return new Attempt(key, fence, number, allowance, around().time(), pen::ensureLease);
    }

    /** Calls user code, watched, with the job out of its reach. */
    <T> UserCode.Outcome<T> call(Duration longest, Callable<T> code) {
        var start = around().time().nanos();
        inside = true;
        watched.begin(longest);
        UserCode.Outcome<T> outcome;
        try {
            outcome = UserCode.call(code);
        } finally {
            synchronized (uses) {
                inside = false;
            }
            took = Duration.ofNanos(around().time().nanos() - start);
        }
        var late = watched.end();
        if (outcome instanceof UserCode.Outcome.Threw<T>(LeaseLost gone) && pen.lost() != null) {
            // Nobody has failed: the job is somebody else's.
            throw gone;
        }
        if (late && outcome instanceof UserCode.Outcome.Threw<T> threw && !saysWhatBecameOfIt(threw.thrown())) {
            return new UserCode.Outcome.Threw<>(new TimedOut(longest, threw.thrown()));
        }
        if (outcome instanceof UserCode.Outcome.Returned<T> returned) {
            keepOnce(returned.value());
        }
        return outcome;
    }

    /** What an attempt wrote is not kept beside a result that says the same. */
    private void keepOnce(@Nullable Object result) {
        synchronized (uses) {
            try {
                saidByResult = !written.isEmpty() && Logs.isSaidBy(written.toString(), Json.write(result));
            } catch (JsonMismatch e) {
                // A result that cannot be kept says nothing.
            }
        }
    }

    /** What the attempt that has just ended used; null when it used nothing. What it wrote rides with the next commit. */
    Entry.@Nullable Used used(Place place, int number) {
        synchronized (uses) {
            if (!written.isEmpty()) {
                ride(new Entry.Logged(place, number, saidByResult ? "" : written.toString()));
                written.setLength(0);
                saidByResult = false;
            }
            if (uses.isEmpty()) {
                return null;
            }
            var used = new Entry.Used(place, number, uses, took);
            if (budgets().stream().anyMatch(budget -> budget.per() != Budget.Per.JOB)) {
                board().uses().add(identity().workflow(), used);
            }
            uses.clear();
            return used;
        }
    }

    /** Lets what the attempt that has just ended used ride with the next commit. */
    void rideUsed(Place place, int number) {
        var used = used(place, number);
        if (used != null) {
            ride(used);
        }
    }

    /** The effect's own word stands, however late it comes. */
    private static boolean saysWhatBecameOfIt(Throwable thrown) {
        return thrown instanceof NotSent || thrown instanceof Rejected || thrown instanceof ResultNotKept;
    }

    /** Whether an act was cut short because the worker stops, and not by its own fault. */
    boolean cutShort() {
        return run.cutShort();
    }

    /** Commits entries under the fence, with whatever rides along. */
    void record(Entry... entries) {
        var all = taken();
        all.addAll(List.of(entries));
        pen.record(all);
    }

    /** Commits the intent to act. It is not done when the effect was answered meanwhile, and refused when its approval has expired. */
    Applied intend(Entry.Intended intent, @Nullable Instant goodUntil) {
        var all = taken();
        all.add(intent);
        var applied = pen.intend(all, goodUntil);
        if (!applied.done()) {
            all.removeLast();
            all.forEach(this::ride);
        }
        if (applied instanceof Applied.CalledOff) {
            throw calledOff();
        }
        return applied;
    }

    /** Lets a value ride with the next commit. */
    void ride(Entry entry) {
        board().uses().ride(entry);
        synchronized (riding) {
            riding.add(entry);
        }
        pen.learn(List.of(entry));
    }

    List<Entry> taken() {
        synchronized (riding) {
            var entries = new ArrayList<>(riding);
            riding.clear();
            return entries;
        }
    }

    /** Leaves the worker with this ending; what is returned is to be thrown. */
    JobParked park(Ending.Parked ending) {
        parked = ending;
        return new JobParked("job " + identity() + " leaves its worker for now; let this error through");
    }

    /** Leaves the worker with a question. */
    JobParked ask(QuestionKind kind, Place place, String because) {
        return park(asks(kind, place, because, null));
    }

    /** Leaves the worker with a question about what the code asks for now. */
    JobParked ask(QuestionKind kind, Place place, String because, Object request) {
        return park(asks(kind, place, because, RequestText.of(request)));
    }

    private static Ending.Parked asks(QuestionKind kind, Place place, String because, @Nullable String request) {
        return new Ending.Asks(List.of(), new Ending.Asking(kind, place, because, request), null);
    }

    /** Leaves because the job was called off. */
    JobParked calledOff() {
        run.callOff();
        return park(new Ending.CalledOff());
    }

    /** Leaves to look at {@code place} again after a while; nothing is done there before. */
    JobParked later(Change.ReleaseJob.Until until, Place place, String why, Duration after, Entry... entries) {
        var all = new ArrayList<>(List.of(entries));
        all.add(new Entry.Waits(place, after));
        return park(new Ending.Later(until, all, place + ": " + why, after));
    }

    /** Leaves while the wait at a place lasts: something else has woken the job. */
    void waitOut(@Nullable PlaceHistory history) {
        var until = history == null ? null : history.waitsUntil();
        var now = pen.storeNow();
        var anew = history == null ? null : history.waitsSinceAfter(now.plus(ClockAhead.TOLERATED));
        if (history != null && anew != null) {
            throw later(
                    Change.ReleaseJob.Until.WAIT,
                    history.place(),
                    "it began to wait while the store's clock was ahead, and waits anew",
                    anew);
        }
        if (history != null && until != null && now.isBefore(until)) {
            throw park(new Ending.Later(
                    Change.ReleaseJob.Until.WAIT,
                    List.of(),
                    history.place() + ": its time has not come",
                    Duration.between(now, until)));
        }
    }

    /** Hands the job back because the worker stops. */
    JobParked handedBack() {
        return park(Ending.handBack());
    }

    LeaseLost lost(String why) {
        return pen.lose(why);
    }

    /** The code called the job as it must not; what is returned is to be thrown. */
    JobMisused spoil(String why) {
        return run.spoil(why);
    }

    /** Throws when the run is spoiled: nothing more is done in it, and no result of a step is kept. */
    void refuseIfSpoiled() {
        var why = run.spoiled();
        if (why != null) {
            throw new JobMisused(why);
        }
    }

    /** The door of every call on the job. */
    private void enter() {
        if (!Thread.currentThread().equals(thread)) {
            throw run.spoil("job " + identity()
                    + " was called from a thread that it did not start; call it only from the workflow's own code");
        }
        if (inside) {
            throw run.spoil("job " + identity()
                    + " was called from inside a step or an effect; steps and effects stand beside each other");
        }
        pen.check();
        refuseIfSpoiled();
        if (parked != null) {
            throw new JobParked("job " + identity() + " has left its worker; let this error through");
        }
        if (run.calledOff()) {
            throw calledOff();
        }
        if (run.stopping() || pen.isFull()) {
            throw handedBack();
        }
    }

    // ---- what the workflow's code calls

    @Override
    public String principal() {
        return run.job().given().handling().principal();
    }

    @Override
    public Identity identity() {
        return run.job().identity();
    }

    @Override
    public int resubmission() {
        return run.job().standing().resubmission();
    }

    @Override
    public <T> T step(Named named, TypeToken<T> result, Step<T> work) {
        return new StepRunner(this).run(named, result, attempt -> work.run());
    }

    @Override
    public <T> T step(Named named, TypeToken<T> result, Attempted<T> work) {
        return new StepRunner(this).run(named, result, work);
    }

    @Override
    public <R, T> T effect(Named named, Contract<T> contract, R request, TypeToken<T> result, Effect<R, T> act) {
        return new EffectRunner<>(this, named, contract, result).run(request, act);
    }

    @Override
    public <R, T> T transaction(Named named, R request, TypeToken<T> result, Sql<R, T> work) {
        return new TransactionRunner(this).run(named, request, result, work);
    }

    @Override
    public <I, T> List<T> map(
            Named named, Collection<? extends I> items, Function<? super I, String> itemKey, Each<I, T> each) {
        return new MapRunner<>(this, named, each).run(items, itemKey);
    }

    @Override
    public void sleep(Named named, Duration howLong) {
        new WaitRunner(this).sleep(named, howLong);
    }

    @Override
    public <T> Optional<T> awaitSignal(Named named, TypeToken<T> type, Duration longest) {
        return new WaitRunner(this).awaitSignal(named, type, longest);
    }

    @Override
    public <R> void approve(Named effect, R request, String question, Duration expires) {
        new ApprovalRunner(this).approve(effect, request, question, expires);
    }

    @Override
    public <I, O> O call(Named named, Workflow<I, O> workflow, Key key, I input, Handling handling) {
        return new CallRunner(this).call(named, workflow, new Identity(workflow.name(), key), input, handling);
    }

    @Override
    public void use(Use use) {
        synchronized (uses) {
            if (!inside) {
                throw new IllegalStateException("job " + identity()
                        + " told what it used outside a step or an effect; tell it inside the one that used it");
            }
            uses.add(run.prices().price(use));
        }
    }

    @Override
    public void log(String text) {
        synchronized (uses) {
            if (!inside) {
                throw new IllegalStateException(
                        "job " + identity() + " logs outside a step or an effect; do it inside the one that wrote it");
            }
            written.append(text);
            written.delete(0, Math.max(0, written.length() - Entry.Logged.MOST_CHARS));
        }
    }

    @Override
    public Conversation conversation(String named) {
        enter();
        return new ConversationRunner(this, Named.named(Names.check("conversation", named)));
    }

    @Override
    public Artifact artifact(Named named, String mediaType, byte[] bytes) {
        return new ArtifactRunner(this).keep(named, mediaType, bytes);
    }

    @Override
    public Artifact artifact(Named named, String mediaType, Path file) {
        return new ArtifactRunner(this).keep(named, mediaType, file);
    }

    @Override
    public Instant now(String noted) {
        return noted(noted, Instant.class, () -> around().time().now());
    }

    @Override
    public long random(String noted) {
        return noted(noted, Long.class, () -> around().random().nextLong());
    }

    @Override
    public UUID uuid(String noted) {
        return noted(noted, UUID.class, () -> {
            var random = around().random();
            return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() >>> 2) | (1L << 63));
        });
    }

    private <T> T noted(String noted, Class<T> type, Supplier<T> draw) {
        var named = Named.named(noted);
        var place = meet(named);
        var known = known(recall(named, place));
        if (known != null) {
            return Replay.of(this, place, known, TypeToken.of(type));
        }
        var value = draw.get();
        ride(new Entry.Noted(place, Json.write(value)));
        return value;
    }
}
