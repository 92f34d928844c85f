package dev.pawl.store.memory;

import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.store.Answering;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Answering.Status;
import dev.pawl.store.Duplicates;
import dev.pawl.store.Pruning;
import dev.pawl.store.StoredJob;
import dev.pawl.store.StoredJob.Outcome;
import dev.pawl.store.StoredJob.Standing;
import dev.pawl.store.StoredJob.Suspicion;
import dev.pawl.store.StoredJob.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One job's row, its journal and its attempts. Guarded by the store's lock. */
final class MemoryJob {

    /** An effect of one run of the job. */
    record EffectRef(int resubmission, Place place) {}

    final long id;
    final Identity identity;
    Instant created;
    final List<JournalLine> journal = new ArrayList<>();
    final Map<EffectRef, SortedMap<Integer, KnownAttempt>> attempts = new HashMap<>();
    private final Map<EffectRef, Bytes> artifacts = new HashMap<>();

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

    @Nullable
    String gate;

    Suspicion suspicion = Suspicion.NONE;
    Instant changed;

    @Nullable
    Instant due;

    Outcome outcome = Outcome.NONE;

    MemoryJob(long id, Identity identity, StoredJob.Given given, Instant now) {
        this.id = id;
        this.identity = identity;
        this.given = new StoredJob.Given(given.input(), given.handling().kept());
        this.created = now;
        this.changed = now;
        var notBefore = given.handling().notBefore();
        this.due = notBefore != null && notBefore.isAfter(now) ? notBefore : now;
    }

    StoredJob view() {
        return new StoredJob(
                id,
                identity,
                given,
                new Standing(
                        state, resubmission, fence, owner, suspicion, new Times(created, changed, due), cancelling),
                gate == null ? outcome : Outcome.at(gate));
    }

    /** The journal of the current run, oldest first. */
    List<JournalLine> currentJournal() {
        return journal.stream()
                .filter(line -> line.resubmission() == resubmission && !(line.entry() instanceof Entry.Logged))
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

    boolean progressUnder(long heldFence) {
        return journal.stream().anyMatch(line -> line.fence() == heldFence);
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

    Answering answer(int run, Place place, int number, Answer answer, Answer.Source source) {
        var all = statuses(run, place);
        var ended =
                answer instanceof Answer.Late && (run != resubmission || Answering.hasEnded(view(), place, journal));
        var judged = Answering.judge(all, number, answer, source, ended);
        all.computeIfPresent(number, (unused, attempt) -> attempt.with(judged.status()));
        if (judged.status() == Status.HAPPENED) {
            all.replaceAll(
                    (unused, attempt) -> attempt.status() == Status.OPEN ? attempt.with(Status.SETTLED) : attempt);
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
    boolean duplicated() {
        return !Duplicates.left(journal).isEmpty();
    }

    /** Leaves the tombstone. */
    void prune() {
        given = new StoredJob.Given(Pruning.hash(given.input()), given.handling());
        journal.clear();
        attempts.clear();
        artifacts.clear();
        outcome = Outcome.NONE;
    }

    void keep(Place place, Bytes bytes) {
        artifacts.put(new EffectRef(resubmission, place), bytes);
    }

    @Nullable
    Bytes artifact(Place place) {
        return artifacts.get(new EffectRef(resubmission, place));
    }

    private static boolean any(SortedMap<Integer, KnownAttempt> all, Status status) {
        return all.values().stream().anyMatch(attempt -> attempt.status() == status);
    }
}
