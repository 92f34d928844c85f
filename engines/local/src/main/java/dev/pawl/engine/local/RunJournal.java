package dev.pawl.engine.local;

import dev.pawl.cost.Cost;
import dev.pawl.effect.Answer;
import dev.pawl.failure.Failure;
import dev.pawl.failure.LeaseLost;
import dev.pawl.gate.Rate;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Message;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.journal.Turn;
import dev.pawl.key.Place;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.StoreFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one hand that writes to a job's journal under its fence, and the memory of what stands there. Once the job is somebody else's, every
 * write says so again. Shared by all threads of a run; thread-safe.
 */
final class RunJournal {
    private final WorkerServices services;
    private final StoredJob job;
    private final Lease lease;
    private final Change.Hold hold;
    private final History jobHistory;
    private final Set<Long> taken = new HashSet<>();
    private final boolean budgeted;
    private final String codeVersion;
    private int written;
    private volatile @Nullable String lost;

    /**
     * @param budgeted whether what the job uses counts for a budget that it shares with others
     * @param codeVersion which version of its code runs it; empty for none
     */
    RunJournal(WorkerServices services, Lease lease, Claimed claimed, boolean budgeted, String codeVersion) {
        this.budgeted = budgeted;
        this.codeVersion = codeVersion;
        this.services = services;
        this.job = claimed.job();
        this.lease = lease;
        this.hold = new Change.Hold(job.id(), job.standing().fence());
        this.jobHistory = History.of(claimed.journal(), job.standing().resubmission());
    }

    Change.Hold hold() {
        return hold;
    }

    // ---- what is known

    synchronized @Nullable PlaceHistory at(Place place) {
        return jobHistory.at(place);
    }

    /** What is known about a place of which something is. */
    PlaceHistory known(Place place) {
        return Objects.requireNonNull(at(place));
    }

    /** Effects that are recorded in a scope, in the order in which they were first met. */
    synchronized List<PlaceHistory> effectsIn(String scope) {
        return jobHistory.effectsIn(scope);
    }

    /** Effects in doubt, whatever their scope. */
    synchronized List<PlaceHistory> inDoubt() {
        return jobHistory.inDoubt();
    }

    /** Effects that began something elsewhere whose end is owed, each with where that is awaited. */
    synchronized Map<Place, Place> owed() {
        return new LinkedHashMap<>(jobHistory.owed());
    }

    /** Which version of its code the job goes on with; while it has no record, the one that runs it. */
    String version() {
        var recorded = recordedVersion();
        return recorded.isEmpty() ? codeVersion : recorded;
    }

    private synchronized String recordedVersion() {
        var own = job.given().handling().version();
        return own.isEmpty() ? jobHistory.version() : own;
    }

    /** Whether the next record says which version of its code the job goes on with. */
    boolean saysItsVersion() {
        return !codeVersion.isEmpty() && recordedVersion().isEmpty();
    }

    /** A record; the first one says which version of its code the job goes on with. */
    private List<Entry> begun(List<Entry> entries) {
        if (!saysItsVersion()) {
            return entries;
        }
        var all = new ArrayList<Entry>();
        all.add(saying());
        all.addAll(entries);
        return all;
    }

    /** Which version of its code runs the job. */
    Entry.RunsAs saying() {
        return new Entry.RunsAs(codeVersion);
    }

    /** The time that it is at least, by the store's clock. */
    Instant storeNow() {
        return services.committers().clock().now();
    }

    /** The time that it is at most, by the store's clock: also when this machine has slept meanwhile, as far as its wall clock knows. */
    Instant storeNowAtTheLatest() {
        return services.committers().clock().atTheLatest();
    }

    /** Sets a signal of this name aside for the caller, to be received by it alone; null when there is none. */
    synchronized @Nullable Long takeSignal(String name) {
        var signal = jobHistory.signal(name, taken);
        if (signal != null) {
            taken.add(signal);
        }
        return signal;
    }

    synchronized Message message(long change) {
        return jobHistory.message(change);
    }

    /** The last that was heard of the child that was called at {@code place}; null when nothing was. */
    synchronized @Nullable Message childEnded(Place place) {
        return jobHistory.childEnded(place);
    }

    /** Takes in what was just committed. Entries that rode along are known already; knowing them twice changes nothing. */
    synchronized void learn(List<Entry> entries) {
        for (var entry : entries) {
            jobHistory.add(new JournalLine(
                    0, Changes.firstOf(hold.fence()), job.standing().resubmission(), storeNow(), entry));
        }
    }

    /** The act at {@code place} has ended: nothing more is sent there under our fence unless we act again. */
    synchronized void actEnded(Place place) {
        Objects.requireNonNull(jobHistory.at(place))
                .noneSentAfter(hold.fence(), services.committers().clock().atTheLatest());
    }

    /** Reads anew what is known about one place; what other threads have just learned of others is not touched. */
    private void reread(Place place) {
        try {
            var fresh = History.of(
                    services.store().journal(job.id()), job.standing().resubmission());
            synchronized (this) {
                jobHistory.adopt(fresh, place);
            }
        } catch (StoreFailure storeFailure) {
            throw lose("the store did not answer: " + storeFailure.getMessage());
        }
    }

    // ---- writing

    /** The id of the next change, which has so many entries: no other change has it, also where it has none. */
    synchronized long nextId(int entries) {
        var id = Changes.owned(hold.fence(), written);
        written += Math.max(1, entries);
        return id;
    }

    /** Whether nothing was recorded under this fence, and the job was given up for the same reason before. */
    synchronized boolean goesOnWaiting(String why) {
        return written == 0 && why.equals(jobHistory.givenUpBecause());
    }

    /** Whether the ids under this fence are running out. */
    synchronized boolean isFull() {
        return written >= Changes.ENOUGH_PER_FENCE;
    }

    /** Commits entries under the fence. */
    void record(List<Entry> recorded) {
        var entries = begun(recorded);
        owned(new Change.RecordStepIfOwned(hold, nextId(entries.size()), entries));
        committed(entries);
    }

    /** Has entries committed on which nothing depends, and waits for nothing; null where that cannot be any more. */
    @Nullable
    Pending giveIfItCanBe(List<Entry> entries) {
        return lost != null || lease.lost()
                ? null
                : services.committers().give(new Change.RecordStepIfOwned(hold, nextId(entries.size()), entries));
    }

    /** What was given is committed, or is not: then nobody is told of it. */
    void wasGiven(Pending given) {
        if (given.isDone()) {
            tellProgress(((Change.Owned) given.change()).entries());
        }
    }

    /** Tells of what is committed how far the job has come. */
    void tellProgress(List<Entry> committedEntries) {
        for (var entry : committedEntries) {
            if (entry instanceof Entry.Progressed progressed) {
                services.log().progresses(job, progressed.soFar());
            }
        }
    }

    private void committed(List<Entry> entries) {
        learn(entries);
        tellProgress(entries);
    }

    /** Commits the intent to act, the last of {@code entries}; {@code paysDebt} where it ends what is owed, or finds out what to end. When it was not, what is known is read anew. */
    Applied intend(List<Entry> recorded, @Nullable Instant goodUntil, boolean paysDebt) {
        var entries = begun(recorded);
        var applied =
                commitOwned(new Change.IntendEffectIfOwned(hold, nextId(entries.size()), entries, goodUntil, paysDebt));
        if (applied instanceof Applied.LeaseLost) {
            throw lose(OTHERS);
        }
        if (applied instanceof Applied.Conflict) {
            reread(((Entry.Intended) entries.getLast()).place());
        } else if (applied.done()) {
            committed(entries);
        }
        return applied;
    }

    /** Keeps an artifact's bytes, of which the last of {@code entries} tells. */
    void keep(List<Entry> recorded, Bytes bytes) {
        var entries = begun(recorded);
        owned(new Change.KeepArtifactIfOwned(hold, nextId(entries.size()), entries, bytes));
        committed(entries);
    }

    /** Sends rows, of which the last of {@code entries} tells; says whether that may be. */
    Applied send(List<Entry> recorded, PartSending sending) {
        var entries = begun(recorded);
        return ofLedger(entries, new Change.SendRowsIfOwned(hold, nextId(entries.size()), entries, sending));
    }

    /** Seals a part, of which the last of {@code entries} tells; says whether that may be. */
    Applied seal(List<Entry> recorded, PartSealing sealing) {
        var entries = begun(recorded);
        return ofLedger(entries, new Change.SealPartIfOwned(hold, nextId(entries.size()), entries, sealing));
    }

    private Applied ofLedger(List<Entry> entries, Change.Owned change) {
        var applied = commitOwned(change);
        if (applied instanceof Applied.LeaseLost) {
            throw lose(OTHERS);
        }
        if (applied.done()) {
            committed(entries);
        }
        return applied;
    }

    /** See {@link History#toldOf}. */
    synchronized List<Entry.Accounted> toldOf() {
        return jobHistory.toldOf();
    }

    /** See {@link History#goneBetweenEffects}. */
    synchronized List<Entry.Accounted> goneBetweenEffects() {
        return jobHistory.goneBetweenEffects();
    }

    /** See {@link History#goneFrom}. */
    synchronized List<Entry.Accounted> goneFrom(Place place, int number) {
        return jobHistory.goneFrom(place, number);
    }

    /** What this run of the job has cost so far, without the jobs that it called. */
    synchronized Cost cost() {
        return jobHistory.cost();
    }

    synchronized boolean hasCalled() {
        return jobHistory.hasCalled();
    }

    /** Takes one of the attempts that a rate allows. */
    Applied pass(Rate rate) {
        return owned(new Change.PassGateIfOwned(hold, nextId(0), rate));
    }

    /** A turn with what was said, also where that is recorded elsewhere. */
    synchronized Turn said(Turn turn) {
        return jobHistory.said(turn);
    }

    /** Whether a result is recorded at {@code place}. */
    synchronized boolean hasResult(Place place) {
        var history = jobHistory.at(place);
        return history != null && history.known() instanceof PlaceHistory.Known.Result result && result.kept();
    }

    /** What the run before this one is called in traces; null when nobody said so. */
    synchronized @Nullable String tracedAs() {
        return jobHistory.tracedAs();
    }

    /** How often a scope has said how far the job has come. */
    synchronized int progressTold(String scope) {
        return jobHistory.progressTold(scope);
    }

    /** What was said in a conversation so far. */
    synchronized List<Turn> turns(Place conversation) {
        return jobHistory.turns(conversation);
    }

    /** Calls another job; says how that stands, or why it cannot be called. */
    Applied call(List<Entry> recorded, Change.CalledJob call) {
        var entries = begun(recorded);
        var applied = commitOwned(new Change.CallIfOwned(hold, nextId(entries.size()), entries, call));
        if (applied instanceof Applied.LeaseLost) {
            throw lose(OTHERS);
        }
        if (applied.done()) {
            committed(entries);
        }
        return applied;
    }

    /** Commits an answer; a fact, so it needs no lease. What the store says then is what is known. */
    void answer(Place place, int number, Answer answer, Answer.Source source) {
        answer(place, number, answer, source, null);
    }

    /** Commits an answer with what the attempt used. */
    void answer(Place place, int number, Answer answer, Answer.Source source, Entry.@Nullable Used used) {
        var ref = new Change.AttemptRef(job.standing().resubmission(), place, number);
        var toldAnswer = answer;
        var applied = tell(new Change.AnswerAttempt(job.id(), newId(), ref, toldAnswer, source, used));
        if (applied instanceof Applied.Refused && answer instanceof Answer.Happened) {
            toldAnswer = new Answer.Happened(null, false);
            applied = tell(new Change.AnswerAttempt(job.id(), newId(), ref, toldAnswer, source, used));
        }
        if (!applied.done()) {
            throw lose("an answer was not taken: " + applied);
        }
        if (applied instanceof Applied.Duplicated) {
            services.log().duplicated(job, place, number, toldAnswer);
        }
        if (Objects.requireNonNull(applied.stored()).standing().fence() != hold.fence()) {
            throw lose(OTHERS);
        }
        if (applied instanceof Applied.Now) {
            learn(List.of(new Entry.Answered(place, number, toldAnswer, source)));
        } else {
            reread(place);
        }
        if (used != null) {
            learn(List.of(used));
        }
    }

    /** Commits that all open attempts of an effect did not happen. */
    void didNotHappen(PlaceHistory effect, Failure failure, Answer.Source source) {
        for (var open : effect.open()) {
            answer(effect.place(), open.number(), new Answer.DidNotHappen(failure), source);
        }
    }

    /** An answer that the store does not take now is told later, by whoever keeps evidence. */
    private Applied tell(Change.AnswerAttempt answering) {
        services.books().sending(Evidence.used(answering));
        try {
            var applied = services.committers().commit(answering);
            services.books().sent(Evidence.used(answering));
            return applied;
        } catch (StoreFailure storeFailure) {
            services.evidence().keep(answering);
            throw lose("the store did not answer: " + storeFailure.getMessage());
        }
    }

    private long newId() {
        return Changes.unfenced(services.ports().random());
    }

    private Applied owned(Change.Owned change) {
        var applied = commitOwned(change);
        if (applied instanceof Applied.LeaseLost) {
            throw lose(OTHERS);
        }
        return notRefused(applied);
    }

    /**
     * What became of a change that nothing but the store itself can have refused.
     *
     * @throws IllegalStateException when it has
     */
    static Applied notRefused(Applied applied) {
        if (applied instanceof Applied.Refused refused) {
            throw new IllegalStateException(refused.why());
        }
        return applied;
    }

    /** Commits a change that only the owner may make, and says what became of it. */
    Applied commitOwned(Change.Owned change) {
        if (lease.lost()) {
            throw lose("this worker's lease was lost");
        }
        try {
            return committing(change.entries(), () -> services.committers().commit(change));
        } catch (StoreFailure storeFailure) {
            throw lose("the store did not answer: " + storeFailure.getMessage());
        }
    }

    // ---- the books of budgets

    /** What an attempt has used counts from now on. */
    void enters(Entry.Used used) {
        if (budgeted) {
            services.books().add(job.identity().workflow(), used);
        }
    }

    /** An entry waits for the next commit, and is known already. */
    void rides(Entry entry) {
        services.books().ride(entry);
        learn(List.of(entry));
    }

    /** Runs whatever commits these entries. */
    <T> T committing(List<Entry> entries, Supplier<T> commit) {
        services.books().sending(entries);
        try {
            return commit.get();
        } finally {
            services.books().sent(entries);
        }
    }

    /** These entries wait for no commit any more. */
    void dropped(List<Entry> entries) {
        services.books().sent(entries);
    }

    // ---- the right to write

    private static final String OTHERS = "somebody else owns the job now";

    /** Makes sure that the lease is safely ours, right before an act. */
    void ensureLease() {
        try {
            lease.ensure(services.committers());
        } catch (LeaseLost gone) {
            throw lose(String.valueOf(gone.getMessage()));
        }
    }

    /** The job is somebody else's: from now on every call says so. */
    LeaseLost lose(String why) {
        lost = why;
        return new LeaseLost("job " + job.identity() + ": " + why);
    }

    /** Whether the lease was lost, and not only the belief in it. */
    boolean leaseLost() {
        return lease.lost();
    }

    /** Throws when the job is no longer ours. */
    void check() {
        var why = lost;
        if (why != null) {
            throw new LeaseLost("job " + job.identity() + ": " + why);
        }
        if (lease.lost()) {
            throw lose("this worker's lease was lost");
        }
    }

    /** Why the job is no longer ours; null while it is. */
    @Nullable
    String lost() {
        return lost;
    }
}
