package dev.pawl.store.memory;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.ChildEnd;
import dev.pawl.store.ClockAhead;
import dev.pawl.store.Delivering;
import dev.pawl.store.Gating;
import dev.pawl.store.KeptPrices;
import dev.pawl.store.Spending;
import dev.pawl.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the store holds, and how one thing in it moves another. Guarded by the store's lock. */
final class MemoryTables {
    /** Who waits for a job's end. */
    record WaitingCaller(long parent, int resubmission, String place, boolean detached) {}

    final TreeMap<Long, MemoryJob> jobs = new TreeMap<>();
    final Map<Identity, MemoryJob> byIdentity = new HashMap<>();
    final TreeMap<Long, WorkerRecord> workers = new TreeMap<>();
    final Map<Long, Long> lastClaim = new HashMap<>();
    final Map<Long, List<WaitingCaller>> callsOf = new HashMap<>();
    final Map<String, Gate> gates = new TreeMap<>();
    final Map<String, Gating.Passed> passed = new HashMap<>();

    @Nullable
    KeptPrices prices;

    private final Map<List<String>, Spent> spendings =
            new TreeMap<>(Comparator.comparing((List<String> key) -> String.join("\u0000", key)));
    private final Map<Long, Instant> gone = new HashMap<>();
    private long seq;
    private long endings;
    private boolean readied;

    /** A worker is gone for good; whether it was there. */
    boolean forget(long worker, Instant now) {
        lastClaim.remove(worker);
        gone.put(worker, now);
        return workers.remove(worker) != null;
    }

    /** Whether a worker of this number is known to be gone. */
    boolean isGone(long worker, Instant now) {
        gone.values().removeIf(since -> since.isBefore(now.minus(Change.Enlist.REMEMBERED)));
        return gone.containsKey(worker);
    }

    MemoryJob insert(Identity identity, StoredJob.Given given, Instant now) {
        var job = new MemoryJob(++seq, identity, given, now);
        jobs.put(job.id, job);
        byIdentity.put(job.identity, job);
        readied = true;
        return job;
    }

    /** Whether a job became claimable since this was asked last. */
    boolean readied() {
        var any = readied;
        readied = false;
        return any;
    }

    void append(MemoryJob job, long change, Instant now, Entry entry) {
        append(job, job.resubmission, change, now, entry);
    }

    void append(MemoryJob job, int run, long change, Instant now, Entry entry) {
        job.append(run, ++seq, change, now, entry);
        var day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        for (var spent : Spending.of(job.identity.workflow(), day, entry)) {
            spendings.merge(
                    List.of(spent.day().toString(), spent.workflow(), spent.model()),
                    spent,
                    (before, more) -> new Spent(
                            before.workflow(),
                            before.day(),
                            before.model(),
                            before.cost().plus(more.cost())));
        }
    }

    List<Spent> spent(LocalDate from) {
        return spendings.values().stream()
                .filter(spent -> !spent.day().isBefore(from))
                .toList();
    }

    List<StoredJob> children(long parent) {
        return callsOf.entrySet().stream()
                .filter(calls -> calls.getValue().stream().anyMatch(caller -> caller.parent() == parent))
                .map(calls -> jobs.get(calls.getKey()))
                .filter(Objects::nonNull)
                .map(MemoryJob::view)
                .sorted(Comparator.comparingLong(StoredJob::id))
                .toList();
    }

    List<StoredJob> waitedFor(long parent, int most) {
        var run = there(parent).resubmission;
        return callsOf.entrySet().stream()
                .filter(calls -> calls.getValue().stream()
                        .anyMatch(caller -> caller.parent() == parent && caller.resubmission() == run))
                .map(calls -> there(calls.getKey()).view())
                .filter(child -> !child.state().finished())
                .sorted(Comparator.comparing(StoredJob::state).thenComparingLong(StoredJob::id))
                .limit(most)
                .toList();
    }

    /** Appends entries under ids that follow {@code firstId}. */
    void append(MemoryJob job, long firstId, Instant now, List<Entry> entries) {
        var id = firstId;
        for (var entry : entries) {
            append(job, id++, now, entry);
        }
    }

    /** Goes from one state to the next with this outcome; whoever waits for its end is told. */
    void move(MemoryJob job, Transition transition, StoredJob.Outcome outcome, Instant now, @Nullable Instant due) {
        job.outcome = outcome;
        job.move(transition, now, due);
        readied |= due != null;
        if (job.state.finished()) {
            job.ended = ++endings;
            tellCallers(job, now);
        }
    }

    /** A job that somebody knows of: none is ever gone without a tombstone. */
    private MemoryJob there(long id) {
        return Objects.requireNonNull(jobs.get(id), () -> "job " + id + " is not there");
    }

    // ---- calls and messages

    List<WaitingCaller> callers(MemoryJob job) {
        return callsOf.getOrDefault(job.id, List.of());
    }

    private void tellCallers(MemoryJob child, Instant now) {
        for (var caller : List.copyOf(callers(child))) {
            tellCaller(child, caller, now);
        }
    }

    void tellCaller(MemoryJob child, WaitingCaller caller, Instant now) {
        var parent = there(caller.parent());
        var message = ChildEnd.message(child.view(), caller.place(), caller.resubmission());
        if (parent.resubmission == caller.resubmission()
                && Delivering.objection(parent.view(), message) == null
                && !parent.hasChange(message.change())) {
            append(parent, message.change(), now, new Entry.Delivered(message));
            wake(parent, message.kind(), now);
        }
    }

    /** Lets a job hear of a message that was just appended. */
    void wake(MemoryJob job, Message.Kind kind, Instant now) {
        job.news |= switch (Delivering.judge(job.view(), kind)) {
            case KEEP -> false;
            case TELL_LATER -> true;
            case WAKE -> {
                comesBack(job, now);
                yield false;
            }
        };
    }

    private void comesBack(MemoryJob job, Instant now) {
        if (job.state == JobState.WAITING) {
            move(job, Transition.MESSAGE, job.outcome, now, now);
        } else {
            job.due = now;
            readied = true;
        }
    }

    /** Whether {@code child} waits for {@code job}, directly or through others, or is it. */
    boolean waitsFor(MemoryJob child, MemoryJob job) {
        var ancestors = new ArrayList<Long>(List.of(job.id));
        for (var i = 0; i < ancestors.size(); i++) {
            if (ancestors.get(i) == child.id) {
                return true;
            }
            for (var caller : callers(there(ancestors.get(i)))) {
                if (!ancestors.contains(caller.parent())) {
                    ancestors.add(caller.parent());
                }
            }
        }
        return false;
    }

    /** The children that end with {@code parent}: not detached, and called by nobody else who is still there. */
    List<MemoryJob> boundChildren(MemoryJob parent) {
        var children = new ArrayList<MemoryJob>();
        callsOf.forEach((child, calls) -> {
            var bound = calls.stream().anyMatch(caller -> caller.parent() == parent.id && !caller.detached());
            var needed = calls.stream().anyMatch(caller -> caller.parent() != parent.id && unfinished(caller.parent()));
            var job = there(child);
            if (bound && !needed && !job.state.finished()) {
                children.add(job);
            }
        });
        return children;
    }

    private boolean unfinished(long id) {
        var job = there(id);
        return !job.state.finished() && !job.cancelling;
    }

    long waitingAt(String gate) {
        return jobs.values().stream()
                .filter(job -> job.state == JobState.WAITING && gate.equals(job.gate))
                .count();
    }

    /** Leaves the tombstones of jobs that are done or were called off and that nobody waits for; says of how many. */
    int prune(Instant endedBefore, int most) {
        var old = jobs.values().stream()
                .filter(job -> (job.state == JobState.DONE || job.state == JobState.CANCELLED)
                        && job.changed.isBefore(endedBefore)
                        && !job.view().pruned()
                        && !job.duplicated()
                        && callers(job).stream().noneMatch(caller -> waits(caller.parent())))
                .limit(most)
                .toList();
        for (var job : old) {
            job.prune();
            callsOf.values().forEach(calls -> calls.removeIf(caller -> caller.parent() == job.id));
        }
        return old.size();
    }

    Applied mendTimes(int most, Instant now) {
        gates.replaceAll((name, gate) -> Objects.requireNonNullElse(ClockAhead.mended(gate, now), gate));
        var mended = 0;
        var more = false;
        var farthest = Duration.ZERO;
        for (var job : jobs.values()) {
            var times = ClockAhead.mended(job.view(), now);
            more |= times != null && mended >= most;
            if (times != null && mended < most) {
                mended++;
                var by = Duration.between(now, job.changed);
                farthest = by.compareTo(farthest) > 0 ? by : farthest;
                job.created = times.created();
                job.changed = times.changed();
                job.due = times.due();
            }
        }
        return new Applied.Mended(mended, farthest, more);
    }

    /** Whether a job has not ended for good: one that failed may be retried, and hear of its child again. */
    private boolean waits(long id) {
        var job = there(id);
        return job.state != JobState.DONE && job.state != JobState.CANCELLED;
    }

    /** The jobs of a worker that were called off. */
    Set<Long> calledOff(long worker) {
        return ownedBy(worker).stream()
                .filter(job -> job.cancelling)
                .map(job -> job.id)
                .collect(Collectors.toSet());
    }

    List<MemoryJob> ownedBy(long worker) {
        return jobs.values().stream()
                .filter(job -> job.state == JobState.RUNNING && job.owner == worker)
                .toList();
    }
}
