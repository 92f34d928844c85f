package dev.pawl.store.memory;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Line;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Answering;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Deciding;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Leaving;
import dev.pawl.store.Reopening;
import dev.pawl.store.Rescuing;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob;
import dev.pawl.store.StoredJob.Outcome;
import dev.pawl.store.StoredJob.Suspicion;
import dev.pawl.store.Submitting;
import dev.pawl.store.Wanted;
import dev.pawl.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A store in memory. Several workers may share one, as processes share a file. Thread-safe. */
public final class MemoryStore implements Store {

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Long, MemoryJob> jobs = new TreeMap<>();
    private final Map<Identity, MemoryJob> byIdentity = new HashMap<>();
    private final TreeMap<Long, WorkerRecord> workers = new TreeMap<>();
    private final List<Runnable> hints = new CopyOnWriteArrayList<>();
    private long seq;
    private boolean readied;

    /** An empty store whose clock is {@code time}. */
    public MemoryStore(Time time) {
        this.time = time;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        Exchanged exchanged;
        boolean hinting;
        lock.lock();
        try {
            var applied = new ArrayList<Applied>(changes.size());
            var claimed = new ArrayList<Claimed>();
            for (var change : changes) {
                applied.add(apply(change, claimed));
            }
            exchanged = new Exchanged(applied, claimed, claim(wanted, claimed));
            hinting = readied;
            readied = false;
        } finally {
            lock.unlock();
        }
        if (hinting) {
            hints.forEach(Runnable::run);
        }
        return exchanged;
    }

    private Applied apply(Change change, List<Claimed> claimed) {
        return switch (change) {
            case Change.SubmitJob c -> submit(c, claimed);
            case Change.Owned c -> owned(c);
            case Change.AnswerAttempt c -> answer(c);
            case Change.Decide c -> decide(c);
            case Change.RetryJob c -> reopen(c.job(), c.id(), Transition.RETRY, c.audit());
            case Change.ResubmitJob c -> reopen(c.job(), c.id(), Transition.RESUBMIT, c.audit());
            case Change.DiscardJob c -> reopen(c.job(), c.id(), Transition.DISCARD, c.audit());
            case Change.Enlist c -> enlist(c);
            case Change.Beat c -> beat(c);
            case Change.TakeOver c -> takeOver(c);
            case Change.Retire c -> retire(c);
        };
    }

    private Applied submit(Change.SubmitJob change, List<Claimed> claimed) {
        var there = byIdentity.get(change.identity());
        if (there == null) {
            var job = new MemoryJob(++seq, change.identity(), change.input(), time.now());
            jobs.put(job.id, job);
            byIdentity.put(job.identity, job);
            readied = true;
            claimNow(job, change.claim(), claimed);
            return new Applied.Now(job.view());
        }
        var claim = change.claim();
        if (claim != null
                && there.state == JobState.RUNNING
                && there.owner == claim.worker()
                && there.claim == claim.id()) {
            claimed.add(new Claimed(there.view(), there.currentJournal()));
        }
        return switch (Submitting.judge(there.view(), change.input())) {
            case SAME, SKIPPED_CHANGED -> new Applied.Already(there.view());
            case CONFLICT -> new Applied.Conflict(Submitting.conflict(there.view()), there.view());
            case REPLACE -> {
                there.input = change.input();
                yield new Applied.Now(there.view());
            }
        };
    }

    private void claimNow(MemoryJob job, Change.SubmitJob.@Nullable Claim claim, List<Claimed> claimed) {
        if (claim != null && workers.containsKey(claim.worker())) {
            take(job, claim.worker(), claim.id());
            claimed.add(new Claimed(job.view(), List.of()));
        }
    }

    private Applied owned(Change.Owned change) {
        var job = jobs.get(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (job.lastChange == change.id() || (!change.entries().isEmpty() && job.hasChange(change.id()))) {
            return Applied.already();
        }
        if (job.fence != change.hold().fence() || job.state != JobState.RUNNING) {
            return new Applied.LeaseLost();
        }
        if (change instanceof Change.FinishJob && job.inDoubt()) {
            return new Applied.Refused("job " + job.identity + " is in doubt and cannot finish");
        }
        if (change instanceof Change.IntendEffectIfOwned intend
                && job.happened(intend.intent().place())) {
            return new Applied.Conflict("an earlier attempt has happened", job.view());
        }
        var now = time.now();
        var id = change.id();
        for (var entry : change.entries()) {
            job.append(++seq, id++, now, entry);
        }
        var leaving = Leaving.of(change);
        if (leaving != null) {
            if (leaving.clearsSuspicion()) {
                job.suspicion = Suspicion.NONE;
            }
            move(job, leaving.transition(), now, leaving.after() == null ? null : now.plus(leaving.after()));
            job.lastChange = change.id();
            job.outcome = leaving.outcome();
        }
        return Applied.now();
    }

    private Applied answer(Change.AnswerAttempt change) {
        var job = jobs.get(change.job());
        var attempt = change.attempt();
        if (job == null || !job.knows(attempt.resubmission(), attempt.place(), attempt.number())) {
            return new Applied.Refused(
                    "job " + change.job() + " has no attempt " + attempt.number() + " at " + attempt.place());
        }
        if (job.hasChange(change.id())) {
            return job.hasChange(change.id() + 1)
                    ? new Applied.Duplicated(job.view())
                    : new Applied.Already(job.view());
        }
        var before = job.statuses(attempt.resubmission(), attempt.place()).get(attempt.number());
        var judged =
                job.answer(attempt.resubmission(), attempt.place(), attempt.number(), change.answer(), change.source());
        if (before != null && judged.status() == before.status()) {
            return new Applied.Already(job.view());
        }
        var now = time.now();
        job.append(
                attempt.resubmission(),
                ++seq,
                change.id(),
                now,
                new Entry.Answered(attempt.place(), attempt.number(), change.answer(), change.source()));
        if (judged.duplicated() && change.answer() instanceof Answer.Happened happened) {
            job.append(
                    attempt.resubmission(),
                    ++seq,
                    change.id() + 1,
                    now,
                    new Entry.Duplicated(attempt.place(), attempt.number(), happened.result()));
        }
        if (judged.settled()
                && attempt.resubmission() == job.resubmission
                && Answering.wakes(job.view(), attempt.place())) {
            move(job, Transition.ANSWER, now, now);
            job.outcome = Outcome.NONE;
        }
        return judged.duplicated() ? new Applied.Duplicated(job.view()) : new Applied.Now(job.view());
    }

    private Applied decide(Change.Decide change) {
        var job = jobs.get(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        if (job.hasChange(change.id())) {
            return Applied.already();
        }
        var objection = Deciding.objection(job.view(), change);
        var question = job.outcome.question();
        if (objection != null || question == null) {
            return objection == null ? new Applied.Refused("it asks nothing") : objection;
        }
        var now = time.now();
        job.append(++seq, change.id(), now, new Entry.Decided(question, change.decision()));
        var id = change.id();
        for (var answer : Deciding.answers(question.kind(), job.openAt(question.place()), change)
                .entrySet()) {
            job.answer(job.resubmission, question.place(), answer.getKey(), answer.getValue(), Answer.Source.PERSON);
            job.append(
                    ++seq,
                    ++id,
                    now,
                    new Entry.Answered(question.place(), answer.getKey(), answer.getValue(), Answer.Source.PERSON));
        }
        move(job, Transition.DECIDE, now, now);
        job.outcome = Outcome.NONE;
        return Applied.now();
    }

    private Applied reopen(long id, long change, Transition transition, Audit audit) {
        var job = jobs.get(id);
        if (job == null) {
            return new Applied.Refused("there is no job " + id);
        }
        if (job.hasChange(change)) {
            return Applied.already();
        }
        var objection = Reopening.objection(job.view(), transition);
        if (objection != null) {
            return objection;
        }
        var now = time.now();
        var entry = Reopening.entry(job.view(), transition, audit);
        if (transition == Transition.RESUBMIT) {
            job.resubmission++;
        }
        job.append(++seq, change, now, entry);
        move(job, transition, now, transition.to() == JobState.READY ? now : null);
        job.suspicion = Suspicion.NONE;
        if (transition != Transition.DISCARD) {
            job.outcome = Outcome.NONE;
        }
        return new Applied.Now(job.view());
    }

    private Applied enlist(Change.Enlist change) {
        var before = workers.putIfAbsent(
                change.worker(), new WorkerRecord(change.worker(), change.name(), 0, change.term()));
        return before == null ? Applied.now() : Applied.already();
    }

    private Applied beat(Change.Beat change) {
        var worker = workers.get(change.worker());
        if (worker == null) {
            return new Applied.LeaseLost();
        }
        if (worker.beat() >= change.beat()) {
            return Applied.already();
        }
        workers.put(worker.id(), new WorkerRecord(worker.id(), worker.name(), change.beat(), worker.term()));
        return Applied.now();
    }

    private Applied takeOver(Change.TakeOver change) {
        var worker = workers.get(change.worker());
        if (worker == null) {
            return Applied.already();
        }
        if (worker.beat() != change.beat()) {
            return new Applied.Conflict("worker " + worker.name() + " has beaten since", null);
        }
        workers.remove(worker.id());
        var rescued = ownedBy(worker.id());
        rescued.forEach(job -> rescue(job, change.how()));
        return new Applied.TookOver(rescued.stream().map(MemoryJob::view).toList());
    }

    private void rescue(MemoryJob job, Change.TakeOver.How how) {
        var now = time.now();
        var judged = Rescuing.judge(job.view(), job.progressUnder(job.fence), job.placeInDoubt(), how);
        var id = Rescuing.firstId(job.fence);
        for (var entry : judged.entries()) {
            job.append(++seq, id++, now, entry);
        }
        job.suspicion = judged.suspicion();
        job.outcome = judged.outcome();
        move(job, judged.transition(), now, judged.due(job.view()));
    }

    private Applied retire(Change.Retire change) {
        if (!ownedBy(change.worker()).isEmpty()) {
            return new Applied.Conflict("the worker still owns jobs", null);
        }
        return workers.remove(change.worker()) == null ? Applied.already() : Applied.now();
    }

    private List<MemoryJob> ownedBy(long worker) {
        return jobs.values().stream()
                .filter(job -> job.state == JobState.RUNNING && job.owner == worker)
                .toList();
    }

    private @Nullable Instant claim(Wanted wanted, List<Claimed> claimed) {
        if (!wanted.any() || !workers.containsKey(wanted.worker())) {
            return null;
        }
        var again = ownedBy(wanted.worker()).stream()
                .filter(job -> job.claim == wanted.claim())
                .toList();
        if (!again.isEmpty()) {
            again.forEach(job -> claimed.add(new Claimed(job.view(), job.currentJournal())));
            return null;
        }
        var now = time.now();
        var candidates = jobs.values().stream()
                .filter(job -> job.state.claimable() && wanted.workflows().contains(job.identity.workflow()))
                .sorted(Comparator.comparing((MemoryJob job) -> job.due == null ? Instant.MAX : job.due)
                        .thenComparingLong(job -> job.id))
                .toList();
        var suspects = wanted.suspectToo() ? 1 : 0;
        var taken = 0;
        for (var job : candidates) {
            if (job.due == null || job.due.isAfter(now)) {
                return job.due;
            }
            if (taken == wanted.most()) {
                return null;
            }
            if (job.suspicion.suspect() && suspects-- <= 0) {
                continue;
            }
            take(job, wanted.worker(), wanted.claim());
            claimed.add(new Claimed(job.view(), job.currentJournal()));
            taken++;
        }
        return null;
    }

    private void move(MemoryJob job, Transition transition, Instant now, @Nullable Instant due) {
        job.move(transition, now, due);
        readied |= transition.to().claimable();
    }

    private void take(MemoryJob job, long worker, long claim) {
        move(job, Transition.CLAIM, time.now(), null);
        job.fence++;
        job.owner = worker;
        job.claim = claim;
    }

    @Override
    public Optional<StoredJob> find(Identity identity) {
        return reading(() -> Optional.ofNullable(byIdentity.get(identity)).map(MemoryJob::view));
    }

    @Override
    public Optional<StoredJob> job(long id) {
        return reading(() -> Optional.ofNullable(jobs.get(id)).map(MemoryJob::view));
    }

    @Override
    public List<StoredJob> jobs(Set<JobState> states, long after, int most) {
        return reading(() -> jobs.tailMap(after, false).values().stream()
                .filter(job -> states.contains(job.state))
                .limit(most)
                .map(MemoryJob::view)
                .toList());
    }

    @Override
    public List<Line> journal(long job) {
        return reading(() -> {
            var found = jobs.get(job);
            return found == null ? List.<Line>of() : List.copyOf(found.journal);
        });
    }

    @Override
    public List<WorkerRecord> workers() {
        return reading(() -> List.copyOf(workers.values()));
    }

    private interface Reading<T> {
        T read();
    }

    private <T> T reading(Reading<T> reading) {
        lock.lock();
        try {
            return reading.read();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReady(Runnable hint) {
        hints.add(hint);
    }

    @Override
    public String describe() {
        return "store in memory";
    }

    @Override
    public void close() {}
}
