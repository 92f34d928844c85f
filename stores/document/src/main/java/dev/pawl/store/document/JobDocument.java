package dev.pawl.store.document;

import dev.pawl.effect.Answer;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import dev.pawl.look.StoredJob.Standing;
import dev.pawl.look.StoredJob.Suspicion;
import dev.pawl.look.StoredJob.Times;
import dev.pawl.look.Tombstone;
import dev.pawl.store.Answering;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Answering.Status;
import dev.pawl.store.Change;
import dev.pawl.store.Duplicates;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Rescuing;
import dev.pawl.store.StoreLines;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One job with its journal, its attempts and those who wait for its end. Whoever loads one has a copy of its own; what is done to it counts when its
 * {@link WriteSet} is applied. Not thread-safe.
 */
public final class JobDocument {

    /** An effect of one run of the job. */
    private record EffectRef(int resubmission, Place place) {}

    /**
     * Who waits for a job's end.
     *
     * @param parent the job that called it
     * @param resubmission in which run
     * @param place where in its code
     * @param detached whether the called job goes on when its caller is called off
     */
    public record WaitingCaller(long parent, int resubmission, String place, boolean detached) {
        /** The call alone. */
        FollowUp.Caller call() {
            return new FollowUp.Caller(parent, resubmission, place);
        }
    }

    final long id;
    final Identity identity;
    Instant created;
    private final List<JournalLine> journal = new ArrayList<>();
    private final Map<EffectRef, SortedMap<Integer, KnownAttempt>> attempts = new HashMap<>();
    private final Map<EffectRef, Bytes> artifacts = new HashMap<>();
    final List<WaitingCaller> callers = new ArrayList<>();

    /** How often it was applied: 0 for one that is new. */
    private long version;

    StoredJob.Given given;
    JobState state = JobState.READY;
    int resubmission;
    long fence;
    long owner;
    long claim;
    long lastChange;
    boolean news;
    long ended;
    boolean cancelling;
    int owes;

    @Nullable
    String gate;

    /** How often the gate at which it waits, or waited last, had been closed when it came there. */
    long gateClosings;

    Suspicion suspicion = Suspicion.NONE;
    Instant changed;

    @Nullable
    Instant due;

    Outcome outcome = Outcome.NONE;

    JobDocument(long id, Identity identity, StoredJob.Given given, Instant now) {
        this.id = id;
        this.identity = identity;
        this.given = new StoredJob.Given(given.input(), given.handling().kept());
        this.created = now;
        this.changed = now;
        this.due = given.handling().firstDue(now);
    }

    private JobDocument(JobDocument from) {
        this.id = from.id;
        this.identity = from.identity;
        this.given = from.given;
        this.created = from.created;
        this.changed = from.changed;
        this.due = from.due;
        this.state = from.state;
        this.resubmission = from.resubmission;
        this.fence = from.fence;
        this.owner = from.owner;
        this.claim = from.claim;
        this.lastChange = from.lastChange;
        this.news = from.news;
        this.ended = from.ended;
        this.cancelling = from.cancelling;
        this.owes = from.owes;
        this.gate = from.gate;
        this.gateClosings = from.gateClosings;
        this.suspicion = from.suspicion;
        this.outcome = from.outcome;
        this.version = from.version;
        journal.addAll(from.journal);
        from.attempts.forEach((effect, all) -> attempts.put(effect, new TreeMap<>(all)));
        artifacts.putAll(from.artifacts);
        callers.addAll(from.callers);
    }

    /** One to work with. */
    public JobDocument copy() {
        return new JobDocument(this);
    }

    /** The same as it is kept once it was applied. */
    public JobDocument applied() {
        var next = copy();
        next.version++;
        return next;
    }

    /** How often it was applied before it was loaded: 0 for one that is new. */
    public long version() {
        return version;
    }

    /** Under which number it is kept. */
    public long id() {
        return id;
    }

    /** What people and programs call it. */
    public Identity identity() {
        return identity;
    }

    /** Under which claim its owner has it. */
    public long claim() {
        return claim;
    }

    /** A number that is larger than that of all that ended before it; 0 while it has not ended. */
    public long ended() {
        return ended;
    }

    /** How often the gate at which it waits, or waited last, had been closed when it came there. */
    public long gateClosings() {
        return gateClosings;
    }

    /** Everything that was recorded, oldest first. */
    public List<JournalLine> journal() {
        return Collections.unmodifiableList(journal);
    }

    /** Who waits for its end. */
    public List<WaitingCaller> callers() {
        return Collections.unmodifiableList(callers);
    }

    /** The job as everybody sees it. */
    public StoredJob view() {
        return new StoredJob(
                id,
                identity,
                given,
                new Standing(
                        state,
                        resubmission,
                        fence,
                        owner,
                        suspicion,
                        new Times(created, changed, due),
                        cancelling,
                        owes),
                gate == null ? outcome : Outcome.at(gate));
    }

    /** The journal of the current run, oldest first. */
    public List<JournalLine> currentJournal() {
        return journal.stream()
                .filter(line -> line.resubmission() == resubmission && line.isReplayed())
                .toList();
    }

    boolean hasChange(long change) {
        for (var i = journal.size() - 1; i >= 0; i--) {
            if (journal.get(i).change() == change) {
                return true;
            }
        }
        return false;
    }

    /** Whether somebody owns it under this fence. */
    boolean heldUnder(long held) {
        return fence == held && state == JobState.RUNNING;
    }

    /** Gives it to a worker. */
    void take(long worker, long underClaim, Instant now) {
        move(Transition.CLAIM, now, null);
        fence++;
        news = false;
        owner = worker;
        claim = underClaim;
    }

    boolean progressUnder(long heldFence) {
        return journal.stream().anyMatch(line -> line.fence() == heldFence && Rescuing.showsProgress(line.entry()));
    }

    void append(long seq, long change, Instant at, Entry entry) {
        append(resubmission, seq, change, at, entry);
    }

    /** Appends to the journal of one run, which need not be the current one. */
    void append(int run, long seq, long change, Instant at, Entry entry) {
        journal.add(new JournalLine(seq, change, run, at, entry));
        if (entry instanceof Entry.Intended intended) {
            statuses(resubmission, intended.place()).put(intended.number(), KnownAttempt.of(intended, at));
        }
    }

    /** Goes from one state to the next; whoever owned it no longer does. */
    void move(Transition transition, Instant now, @Nullable Instant dueAt) {
        state = transition.next(identity, state);
        changed = now;
        due = dueAt;
        gate = null;
        if (transition != Transition.CLAIM) {
            owner = 0;
            fence++;
        }
    }

    SortedMap<Integer, KnownAttempt> statuses(int run, Place place) {
        return attempts.computeIfAbsent(new EffectRef(run, place), unused -> new TreeMap<>());
    }

    List<Integer> openAt(Place place) {
        return statuses(resubmission, place).entrySet().stream()
                .filter(e -> e.getValue().status() == Status.OPEN)
                .map(Map.Entry::getKey)
                .toList();
    }

    boolean happened(Place place) {
        return any(statuses(resubmission, place), Status.HAPPENED);
    }

    /** Whether an attempt of the effect at {@code place} is open that its destination does not remember. */
    boolean inDoubt(Place place, Instant now) {
        return statuses(resubmission, place).values().stream()
                .anyMatch(attempt -> attempt.status() == Status.OPEN
                        && !attempt.rememberedUntil().isAfter(now));
    }

    boolean inDoubt() {
        return attempts.values().stream().anyMatch(all -> any(all, Status.OPEN));
    }

    @Nullable
    Place placeInDoubt() {
        for (var effect : attempts.entrySet()) {
            if (any(effect.getValue(), Status.OPEN)) {
                return effect.getKey().place();
            }
        }
        return null;
    }

    /** Whether the attempt is known at all. */
    boolean knows(int run, Place place, int number) {
        return statuses(run, place).containsKey(number);
    }

    Answering answer(Change.AttemptRef attempt, Answer answer, Answer.Source source, Instant now) {
        var number = attempt.number();
        var all = statuses(attempt.resubmission(), attempt.place());
        var judged = answer instanceof Answer.Late
                ? Answering.judgeLate(all, number, Answering.isOutOfSight(view(), attempt, journal), now)
                : Answering.judge(all, number, answer, source);
        all.computeIfPresent(number, (unused, one) -> one.with(judged.status()));
        if (judged.status() == Status.HAPPENED) {
            all.replaceAll((unused, one) -> one.status() == Status.OPEN ? one.with(Status.SETTLED) : one);
        }
        return judged;
    }

    /** What only a person's word had put aside is in doubt again. */
    void unwaive(Place place) {
        statuses(resubmission, place)
                .replaceAll(
                        (unused, attempt) -> attempt.status() == Status.WAIVED ? attempt.with(Status.OPEN) : attempt);
    }

    /** Whether an effect happened twice and nobody has dealt with it. */
    public boolean duplicated() {
        return !Duplicates.left(journal).isEmpty();
    }

    /** Whether only its tombstone is left. */
    public boolean pruned() {
        return view().pruned();
    }

    /** Leaves the tombstone. */
    void prune() {
        given = new StoredJob.Given(Tombstone.hash(given.input()), given.handling());
        journal.clear();
        attempts.clear();
        artifacts.clear();
        outcome = Outcome.NONE;
    }

    void keep(Place place, Bytes bytes) {
        artifacts.put(new EffectRef(resubmission, place), bytes);
    }

    /** What was kept under this name in the current run; null when nothing was. */
    public @Nullable Bytes artifact(Place place) {
        return artifacts.get(new EffectRef(resubmission, place));
    }

    /** The job that a line tells; what belongs to it is {@link #take(StoreLine) taken} after it. */
    public static JobDocument of(StoreLine line) {
        var there = StoreLines.job(line);
        var job = new JobDocument(
                there.id(),
                there.identity(),
                there.given(),
                there.standing().times().created());
        job.state = there.state();
        job.resubmission = there.standing().resubmission();
        job.fence = there.standing().fence();
        job.owner = there.standing().owner();
        job.suspicion = there.standing().suspicion();
        job.cancelling = there.standing().cancelling();
        job.owes = there.standing().owes();
        job.changed = there.standing().times().changed();
        job.due = there.standing().times().due();
        job.gate = there.outcome().gate();
        job.outcome = there.outcome().gate() == null ? there.outcome() : Outcome.NONE;
        job.claim = line.number("claim");
        job.lastChange = line.number("lastChange");
        job.news = line.number("news") != 0;
        job.gateClosings = line.number("gateClosings");
        job.ended = line.value("ended") == null ? 0 : line.number("ended");
        return job;
    }

    /** Takes what a line tells of it. */
    public void take(StoreLine line) {
        switch (line.kind()) {
            case ENTRY -> journal.add(StoreLines.entry(line));
            case ATTEMPT ->
                statuses(run(line), place(line)).put(Math.toIntExact(line.number("number")), StoreLines.attempt(line));
            case CALL ->
                callers.add(new WaitingCaller(
                        line.number("parent"), run(line), line.text("place"), line.number("detached") != 0));
            case ARTIFACT -> artifacts.put(new EffectRef(run(line), place(line)), StoreLines.bytes(line));
            case JOB,
                    FOLLOW_UP,
                    WORKER,
                    GONE,
                    QUEUE,
                    GATE,
                    PASSED,
                    SPENT,
                    PRICES,
                    COLLECTION,
                    PART,
                    ROW,
                    PAYLOAD,
                    ROW_ATTEMPT,
                    ROW_WORD,
                    TABLE,
                    TABLE_ROW ->
                throw new IllegalArgumentException(
                        "a line of kind " + line.kind().word() + " belongs to no job");
        }
    }

    private static int run(StoreLine line) {
        return Math.toIntExact(line.number("resubmission"));
    }

    private static Place place(StoreLine line) {
        return Place.parse(line.text("place"));
    }

    /** All of it as lines, those of one kind together. */
    public Stream<StoreLine> lines(StoreKind lineKind) {
        return switch (lineKind) {
            case JOB -> Stream.of(line());
            case ENTRY -> journal.stream().map(recorded -> StoreLines.line(id, recorded));
            case ATTEMPT ->
                attempts.entrySet().stream()
                        .flatMap(effect -> effect.getValue().entrySet().stream()
                                .map(attempt -> StoreLine.of(
                                        StoreKind.ATTEMPT,
                                        id,
                                        effect.getKey().resubmission(),
                                        effect.getKey().place().toString(),
                                        attempt.getKey(),
                                        attempt.getValue().status().name(),
                                        attempt.getValue().intended().toEpochMilli(),
                                        attempt.getValue().rememberedUntil().toEpochMilli())));
            case CALL ->
                callers.stream()
                        .map(caller -> StoreLine.of(
                                StoreKind.CALL,
                                id,
                                caller.parent(),
                                caller.resubmission(),
                                caller.place(),
                                caller.detached()));
            case ARTIFACT ->
                artifacts.entrySet().stream()
                        .map(artifact -> StoreLine.of(
                                StoreKind.ARTIFACT,
                                id,
                                artifact.getKey().resubmission(),
                                artifact.getKey().place().toString(),
                                Base64.getEncoder()
                                        .encodeToString(artifact.getValue().toArray())));
            case FOLLOW_UP,
                    WORKER,
                    GONE,
                    QUEUE,
                    GATE,
                    PASSED,
                    SPENT,
                    PRICES,
                    COLLECTION,
                    PART,
                    ROW,
                    PAYLOAD,
                    ROW_ATTEMPT,
                    ROW_WORD,
                    TABLE,
                    TABLE_ROW -> Stream.empty();
        };
    }

    private StoreLine line() {
        var handling = given.handling();
        var lane = handling.lane();
        var failure = outcome.failure();
        var question = outcome.question();
        return StoreLine.of(
                StoreKind.JOB,
                id,
                identity.workflow(),
                identity.key().encoded(),
                handling.queue(),
                handling.principal(),
                given.input(),
                state.name(),
                resubmission,
                fence,
                owner,
                claim,
                lastChange,
                suspicion.suspect(),
                suspicion.strikes(),
                created.toEpochMilli(),
                changed.toEpochMilli(),
                due == null ? null : due.toEpochMilli(),
                outcome.result(),
                failure == null ? null : Json.write(failure),
                question == null ? null : Json.write(question),
                handling.priority(),
                lane == null ? "" : lane.key(),
                lane == null ? 0 : lane.most(),
                news,
                cancelling,
                gate,
                gateClosings,
                ended == 0 ? null : ended,
                handling.traceparent(),
                owes,
                handling.version());
    }

    /** It goes on with this version of its code; null when nobody says so. */
    void runsAs(@Nullable String version) {
        if (version != null) {
            given = new StoredJob.Given(given.input(), given.handling().version(version));
        }
    }

    private static boolean any(SortedMap<Integer, KnownAttempt> all, Status status) {
        return all.values().stream().anyMatch(attempt -> attempt.status() == status);
    }
}
