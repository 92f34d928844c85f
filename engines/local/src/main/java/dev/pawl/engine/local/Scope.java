package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.OwedEnd;
import dev.pawl.effect.RequestText;
import dev.pawl.failure.JobMisused;
import dev.pawl.failure.JobParked;
import dev.pawl.failure.LeaseLost;
import dev.pawl.failure.Thrown;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.journal.Progress;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.ClockAhead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one thread of a job's code: the names that were used here, what was met on this replay, what rides with the next commit, and
 * whether this thread has to leave. Confined to its thread, but for {@link #interrupt}.
 */
final class Scope {
    /** The workflow's own scope; items of a fan-out have others. */
    static final String TOP = "";

    private final JobRun run;
    private final RunContext context;
    private final RunJournal journal;
    private final String name;
    private final @Nullable Scope outer;
    private final CodeThread here;
    private final Set<Place> used = new HashSet<>();
    private final Set<Place> met = new HashSet<>();
    private final Map<Place, ApprovalRunner.ApprovalRequest> approvals = new HashMap<>();
    private int progressSaid;
    private boolean endsWhatIsOwed;
    private volatile boolean ended;

    /** The scope called {@code name}, for the calling thread. */
    Scope(JobRun run, String name) {
        this(run, name, null, new CodeThread(run.context()));
    }

    private Scope(JobRun run, String name, @Nullable Scope outer, CodeThread here) {
        this.outer = outer;
        this.run = run;
        this.context = run.context();
        this.journal = context.journal();
        this.name = name;
        this.here = here;
    }

    /** What the run offers. */
    RunContext context() {
        return context;
    }

    /** How this thread calls the code of steps and effects. */
    CodeCalls calls() {
        return here.calls();
    }

    /** Nobody watches this thread any more. */
    void leave() {
        here.calls().close();
    }

    void interrupt() {
        here.interrupt();
    }

    /** How this thread has left; null while it has not, or has lost the job. */
    Ending.@Nullable Parked parked() {
        return here.parked();
    }

    String name() {
        return name;
    }

    /** A scope of the same run, for the calling thread. */
    Scope enter(String scope) {
        return run.enter(scope);
    }

    /** Whether what rides says that more is owed, or less. */
    boolean debtsRide() {
        return here.debtsRide();
    }

    /** A scope on the same thread that leaves by itself. */
    Scope beside(String scope) {
        return new Scope(run, scope, null, here.beside());
    }

    /** A scope inside this one, on the same thread. */
    Scope inner(String scope) {
        return new Scope(run, scope, this, here);
    }

    /** The calling thread is done with a scope of the same run. */
    void leave(Scope scope) {
        run.leave(scope);
    }

    /** The code is done with a scope inside another one: nothing more is called on it. */
    void ends() {
        ended = true;
    }

    /** What still rides in a scope of another thread, which has ended, rides on here. */
    void takeOn(Scope endedScope) {
        here.takeOn(endedScope.here);
    }

    /** Whether the run has to end soon, whatever its code does. */
    boolean mustStop() {
        return run.stopping() || doesNoMore() || run.spoiled() != null || journal.lost() != null;
    }

    /** From here on what is done in this scope ends what is owed: so also in a job that was called off. */
    void endWhatIsOwed() {
        endsWhatIsOwed = true;
    }

    /** Whether what is done in this scope ends what is owed. */
    boolean endsWhatIsOwed() {
        return endsWhatIsOwed;
    }

    /** Whether the code only runs over what is recorded, in a job that was called off and owes. */
    boolean onlyReplays() {
        return run.onlyReplays();
    }

    /** An effect that is recorded at {@code place}, or will be, begins something elsewhere. */
    <T> void begins(Place place, OwedEnd<T> owedEnd, TypeToken<T> type) {
        run.owedEnds().met(place, owedEnd, type);
    }

    /** The job was called off, and its code does not even run over what is recorded. */
    private boolean doesNoMore() {
        return run.calledOff() && !run.onlyReplays() && !endsWhatIsOwed;
    }

    /** Leaves where the code comes to what is not recorded, in a job that was called off. */
    void beginsNew() {
        if (run.onlyReplays() && !endsWhatIsOwed) {
            throw calledOff();
        }
    }

    /** How a thread ends that did not even begin, because the run has to end. */
    Ending.Parked stopping() {
        return run.calledOff() ? new Ending.CalledOff() : Ending.handBack();
    }

    /** Leaves unless every effect that was recorded here is met, or at least not in doubt. */
    void settleUnmet() {
        if (parked() == null) {
            unmetHere().forEach(effect -> settleUncalled(effect, "the code no longer comes to it"));
        }
    }

    // ---- coming to places

    /** Comes to a place of something that says what it is asked for by itself, or is asked for nothing. */
    Place meet(Named named) {
        if (named.request() != null) {
            throw new IllegalArgumentException("\"" + named.name()
                    + "\" is no step, transaction or reply: only of these a request is kept that its name says");
        }
        return meetStep(named);
    }

    /** Comes to a place: refuses a foreign thread, a step inside a step, and a name that was used already. */
    Place meetStep(Named named) {
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
        beginsNew();
        run.comesTo(place);
        nothingIsLost();
    }

    /** The code has come to a look: whoever is gone may have been in it. */
    void comesToLook(Place place) {
        beginsNew();
        run.comesTo(place);
    }

    /** The code has come to a step that is not recorded: whoever is gone may have been in it. Returns when it may begin. */
    void comeToStep(Named named, Place place, @Nullable PlaceHistory history) {
        beginsNew();
        run.comesTo(place);
        settleIfItWasAnEffect(history);
        waitOut(history);
        new GateRunner(this).pass(named);
    }

    /** What owners used who are gone and were in no effect is known: nothing, or what was found. */
    void nothingIsLost() {
        if (name.equals(TOP)) {
            journal.goneBetweenEffects().forEach(this::ride);
        }
    }

    /** What owners used is known who are gone from this attempt. */
    void foundEnded(Place place, int number) {
        nothingIsLost();
        journal.goneFrom(place, number).forEach(this::ride);
    }

    /** What owners used is known who are gone, and whose attempts were told of by others. */
    void takesInWhatWasTold() {
        journal.toldOf().forEach(this::ride);
    }

    /** This run closes a gate, as far as this process knows. */
    void closed(String gate) {
        run.closed(gate);
    }

    /** Comes to the approval of an effect, which shares the effect's place. */
    Place meetApproval(Named named) {
        enter();
        var place = named.place(name);
        if (approvals.containsKey(place)) {
            throw run.spoil("the approval of \"" + place
                    + "\" is asked for twice in this workflow; give each effect a name or an item key of its own");
        }
        return place;
    }

    /** From here on the effect at {@code place} acts only with an approval. */
    void wantsApproval(Place place, ApprovalRunner.ApprovalRequest asked) {
        approvals.put(place, asked);
    }

    /** What must be approved before the effect at {@code place} acts; null when nothing must. */
    ApprovalRunner.@Nullable ApprovalRequest approvalFor(Place place) {
        return approvals.get(place);
    }

    /** Where the record of a name is, or will be: under an old name, perhaps. */
    Place placeOf(Named named) {
        var today = named.place(name);
        var known = journal.at(today);
        if (known == null || known.bare()) {
            for (var old : named.oldPlaces(name)) {
                var before = journal.at(old);
                if (before != null && !before.bare()) {
                    return old;
                }
            }
        }
        return today;
    }

    /** What is known about a place, under its name of today or one that it had before; null when nothing is. */
    @Nullable
    PlaceHistory recall(Named named, Place place) {
        var known = journal.at(place);
        for (var old : named.oldPlaces(name)) {
            if (known == null || known.bare()) {
                var before = journal.at(old);
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

    /** Effects that were recorded here earlier, or in a scope around this one, and that this replay has not come to. */
    List<PlaceHistory> unmetEffects() {
        var unmet = outer == null ? new ArrayList<PlaceHistory>() : new ArrayList<>(outer.unmetEffects());
        unmet.addAll(unmetHere());
        return unmet;
    }

    private List<PlaceHistory> unmetHere() {
        return journal.effectsIn(name).stream()
                .filter(effect -> !met.contains(effect.place()))
                .toList();
    }

    /** Leaves unless nothing at {@code effect} is in doubt: the code no longer comes to it, so only a person can settle it. */
    void settleUncalled(PlaceHistory effect, String why) {
        var unsettled = new PersonsWord(journal).settle(effect, QuestionKind.NO_LONGER_CALLED, why);
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

    // ---- writing

    /** What the attempt that has just ended used; null when it used nothing. What it wrote rides with the next commit. */
    Entry.@Nullable Used used(Place place, int number) {
        var logged = calls().logged(place, number);
        if (logged != null) {
            ride(logged);
        }
        var used = calls().used(place, number);
        if (used != null) {
            journal.enters(used);
        }
        return used;
    }

    /** Lets what the attempt that has just ended used ride with the next commit. */
    void rideUsed(Place place, int number) {
        var used = used(place, number);
        if (used != null) {
            ride(used);
        }
    }

    /** Whether an act was cut short because the worker stops, and not by its own fault. */
    boolean cutShort() {
        return run.cutShort();
    }

    /** Commits entries under the fence, with whatever rides along. */
    void record(Entry... entries) {
        var all = taken();
        all.addAll(List.of(entries));
        journal.record(all);
    }

    /** Commits the intent to act, with what it owes from then on. It is not done when the effect was answered meanwhile, and refused when its approval has expired. */
    Applied intend(Entry.@Nullable Owes owes, Entry.Intended intent, @Nullable Instant goodUntil, boolean paysDebt) {
        var riding = taken();
        var all = new ArrayList<>(riding);
        if (owes != null) {
            all.add(owes);
        }
        all.add(intent);
        var applied = journal.intend(all, goodUntil, paysDebt);
        if (!applied.done()) {
            riding.forEach(this::ride);
        }
        if (applied instanceof Applied.CalledOff) {
            throw calledOff();
        }
        return applied;
    }

    /** Lets a value ride with the next commit. */
    void ride(Entry entry) {
        here.ride(entry);
        journal.rides(entry);
    }

    /** Commits what rides, if anything does: what the code has drawn so far others are about to show. */
    void recordWhatRides() {
        if (here.anythingRides()) {
            journal.record(taken());
        }
    }

    /** An attempt has failed with what its code has thrown. */
    void threw(Place place, int number, Throwable thrown) {
        here.threw(place, number, thrown);
    }

    /** A look at what goes on, or went on, elsewhere has failed: what it has thrown is kept. */
    void lookThrew(Place place, Throwable thrown) {
        if (Thrown.isOfUserCode(thrown)) {
            ride(new Entry.Threw(place, Entry.Used.LOOK_UP, Thrown.of(thrown)));
        }
    }

    /** What the code of the last attempt has thrown, if that was made at {@code place}; else null. */
    @Nullable
    Throwable thrownAt(Place place) {
        return here.thrownAt(place);
    }

    /** No other attempt follows at {@code place} for now: what the last one has thrown is kept. */
    void isLastAt(Place place) {
        here.isLastAt(place);
    }

    /** What rides, to be committed now. */
    List<Entry> taken() {
        var entries = here.taken();
        entries.addAll(run.progressToRecord());
        return entries;
    }

    /** Keeps what is asked for here, where the code says, beside what comes of it. */
    void rideRequest(Named named, Place place, @Nullable PlaceHistory history) {
        if (named.request() != null
                && (history == null || !named.request().today().equals(history.requested()))) {
            ride(new Entry.Requested(place, named.request().today()));
        }
    }

    /** Tells when the code asks for something else now than what the record at {@code place} was made of. */
    void tellDrift(Named named, Place place) {
        var today = named.request();
        var requested = journal.known(place).requested();
        if (today != null && requested != null && !today.is(requested)) {
            context.log().drifted(context.job(), place);
        }
    }

    /** The code says how far the job has come: once for each time that it has not said so before, and on any other thread, or inside a step or an effect, whenever it likes. */
    void progress(Progress soFar) {
        var place = name.equals(TOP) ? Place.WORKFLOW : Place.parse(name);
        if (!here.isCalling() || calls().inside() || ended) {
            run.progresses(place, Entry.Progressed.INSIDE, soFar);
            return;
        }
        enter();
        progressSaid++;
        if (progressSaid > journal.progressTold(name)) {
            run.progresses(place, progressSaid, soFar);
        }
    }

    // ---- leaving

    /** Leaves the worker with this ending; what is returned is to be thrown. */
    JobParked park(Ending.Parked ending) {
        here.park(ending);
        return new JobParked("job " + context.identity() + " leaves its worker for now; let this error through");
    }

    /** What is thrown by every call on a thread that has left. */
    JobParked hasLeft() {
        return new JobParked("job " + context.identity() + " has left its worker; let this error through");
    }

    /** Leaves the worker with a question. */
    JobParked ask(QuestionKind kind, Place place, String because) {
        isLastAt(place);
        return park(Ending.asks(kind, place, because, null));
    }

    /** Leaves the worker with a question about what the code asks for now. */
    JobParked ask(QuestionKind kind, Place place, String because, Object request) {
        isLastAt(place);
        return park(Ending.asks(kind, place, because, RequestText.of(request)));
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
        var now = journal.storeNow();
        var anew = history == null ? null : history.waitsSinceAfter(now.plus(ClockAhead.TOLERATED));
        if (history != null && anew != null) {
            throw later(
                    Change.ReleaseJob.Until.WAIT,
                    history.place(),
                    "it began to wait while the store's clock was ahead, and waits anew",
                    anew);
        }
        if (history != null && until != null && now.isBefore(until)) {
            throw park(Ending.waits(history.place(), "its time has not come", Duration.between(now, until)));
        }
    }

    /** Hands the job back because the worker stops. */
    JobParked handedBack() {
        return park(Ending.handBack());
    }

    LeaseLost lost(String why) {
        return journal.lose(why);
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
    void enter() {
        if (!here.isCalling()) {
            throw run.spoil("job " + context.identity()
                    + " was called from a thread that it did not start; call it only from the workflow's own code");
        }
        if (calls().inside()) {
            throw run.spoil("job " + context.identity()
                    + " was called from inside a step or an effect; steps and effects stand beside each other");
        }
        if (ended) {
            throw run.spoil("job " + context.identity() + " was called in scope " + name
                    + ", which has ended; call the handle that the code has now");
        }
        journal.check();
        refuseIfSpoiled();
        if (parked() != null) {
            throw hasLeft();
        }
        if (doesNoMore()) {
            throw calledOff();
        }
        if (run.stopping() || journal.isFull()) {
            throw handedBack();
        }
    }
}
