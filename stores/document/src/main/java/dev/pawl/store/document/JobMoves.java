package dev.pawl.store.document;

import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.ChildEnd;
import dev.pawl.store.ClockAhead;
import dev.pawl.store.Delivering;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Spending;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one job in a write set moves another: ends are told to callers, messages wake, what is old leaves tombstones. Not thread-safe. */
final class JobMoves {
    private final WriteSet set;
    private final Instant now;

    JobMoves(WriteSet set) {
        this.set = set;
        this.now = set.now();
    }

    void append(JobDocument job, long change, Entry entry) {
        append(job, job.resubmission, change, entry);
    }

    void append(JobDocument job, int run, long change, Entry entry) {
        job.append(run, set.documents().nextNumber(), change, now, entry);
        Spending.of(job.identity.workflow(), LocalDate.ofInstant(now, ZoneOffset.UTC), entry)
                .forEach(set::spend);
    }

    /** Appends entries under ids that follow {@code firstId}. */
    void append(JobDocument job, long firstId, List<Entry> entries) {
        var id = firstId;
        for (var entry : entries) {
            append(job, id++, entry);
        }
    }

    /** Goes from one state to the next with this outcome; whoever waits for its end is told. */
    void move(JobDocument job, Transition transition, StoredJob.Outcome outcome, @Nullable Instant due) {
        job.outcome = outcome;
        job.move(transition, now, due);
        if (due != null) {
            set.readies();
        }
        if (job.state.finished()) {
            job.ended = set.documents().nextNumber();
            tellCallers(job, FollowUp.TellCallers.all(job.id));
        }
    }

    // ---- calls and messages

    /** Tells those who wait for the end of a job, as many as may be changed yet; the others are left. */
    void tellCallers(JobDocument job, FollowUp.TellCallers told) {
        var callers = job.callers.stream()
                .sorted(Comparator.comparing(JobDocument.WaitingCaller::call))
                .filter(caller -> caller.call().compareTo(told.lastTold()) > 0)
                .toList();
        var done = told;
        for (var caller : callers) {
            if (set.othersLeft() <= 0) {
                set.leave(done);
                return;
            }
            tellCaller(job, caller);
            done = told.behind(caller.call());
        }
    }

    void tellCaller(JobDocument child, JobDocument.WaitingCaller caller) {
        set.changesAnother();
        var parent = set.there(caller.parent());
        var message = ChildEnd.message(child.view(), caller.place(), caller.resubmission());
        if (parent.resubmission == caller.resubmission()
                && Delivering.objection(parent.view(), message) == null
                && !parent.hasChange(message.change())) {
            append(parent, message.change(), new Entry.Delivered(message));
            wake(parent, message.kind());
        }
    }

    /** Lets a job hear of a message that was just appended. */
    void wake(JobDocument job, Message.Kind kind) {
        job.news |= switch (Delivering.judge(job.view(), kind)) {
            case KEEP -> false;
            case TELL_LATER -> true;
            case WAKE -> {
                comesBack(job);
                yield false;
            }
        };
    }

    private void comesBack(JobDocument job) {
        if (job.state == JobState.WAITING) {
            move(job, Transition.MESSAGE, job.outcome, now);
        } else {
            job.due = now;
            set.readies();
        }
    }

    /** Whether {@code child} waits for {@code job}, directly or through others, or is it. */
    boolean waitsFor(JobDocument child, JobDocument job) {
        var ancestors = new ArrayList<Long>(List.of(job.id));
        for (var i = 0; i < ancestors.size(); i++) {
            if (ancestors.get(i) == child.id) {
                return true;
            }
            for (var caller : set.there(ancestors.get(i)).callers) {
                if (!ancestors.contains(caller.parent())) {
                    ancestors.add(caller.parent());
                }
            }
        }
        return false;
    }

    /** Whether {@code child} ends with the job that called it: it is not detached, and called by nobody else who is still there. */
    boolean isBound(JobDocument child, FollowUp.CallOff by) {
        var bound = child.callers.stream()
                .anyMatch(caller -> caller.parent() == by.job()
                        && caller.resubmission() <= by.resubmission()
                        && !caller.detached());
        var needed =
                child.callers.stream().anyMatch(caller -> caller.parent() != by.job() && isUnfinished(caller.parent()));
        return bound && !needed && !child.state.finished();
    }

    private boolean isUnfinished(long id) {
        var job = set.there(id);
        return !job.state.finished() && !job.cancelling;
    }

    // ---- what is old, and what a clock that was ahead has left

    /** Leaves the tombstones of jobs that are done or were called off and that nobody waits for; says of how many. */
    int prune(Instant endedBefore, int most) {
        var pruned = 0;
        for (var id : set.documents().endedBefore(endedBefore)) {
            var job = set.there(id);
            if (pruned < most
                    && !set.documents().isLeftOf(id)
                    && job.callers.stream().noneMatch(caller -> waits(caller.parent()))) {
                job.prune();
                pruned++;
            }
        }
        return pruned;
    }

    /** Whether a job has not ended for good: one that failed may be retried, and hear of its child again. */
    private boolean waits(long id) {
        var job = set.there(id);
        return job.state != JobState.DONE && job.state != JobState.CANCELLED;
    }

    Applied mendTimes(int most) {
        for (var name : set.documents().closedAfter(now)) {
            var gate = set.gate(name);
            var mended = gate == null ? null : ClockAhead.mended(gate, now);
            if (mended != null) {
                set.put(mended);
            }
        }
        var mended = 0;
        var more = false;
        var farthest = Duration.ZERO;
        for (var id : set.documents().changedAfter(now)) {
            var job = set.there(id);
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
}
