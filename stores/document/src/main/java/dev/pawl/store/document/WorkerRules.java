package dev.pawl.store.document;

import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Rescuing;
import dev.pawl.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;

/** Workers come, beat, go, and are declared dead. Not thread-safe. */
final class WorkerRules {
    private final WriteSet set;
    private final Instant now;
    private final JobMoves moves;

    WorkerRules(WriteSet set) {
        this.set = set;
        this.now = set.now();
        this.moves = new JobMoves(set);
    }

    Applied enlist(Change.Enlist change) {
        if (set.documents().isGone(change.worker(), now)) {
            return new Applied.LeaseLost();
        }
        if (set.worker(change.worker()) != null) {
            return Applied.already();
        }
        set.put(new WorkerRecord(change.worker(), change.name(), 0, now, change.term(), change.taking()));
        return Applied.now();
    }

    Applied beat(Change.Beat change) {
        var worker = set.worker(change.worker());
        if (worker == null) {
            return new Applied.LeaseLost();
        }
        if (worker.beat() >= change.beat()) {
            return Applied.already();
        }
        set.put(new WorkerRecord(worker.id(), worker.name(), change.beat(), now, worker.term(), worker.taking()));
        return Applied.now();
    }

    Applied takeOver(Change.TakeOver change) {
        var worker = set.worker(change.worker());
        if (worker == null) {
            return Applied.already();
        }
        if (worker.beat() != change.beat()) {
            return new Applied.Conflict("worker " + change.worker() + " has beaten since", null);
        }
        set.forget(change.worker());
        var rescued = new ArrayList<StoredJob>();
        for (var id : set.documents().ownedBy(change.worker())) {
            var job = set.there(id);
            rescue(job, change.how());
            rescued.add(job.view());
        }
        return new Applied.TookOver(rescued);
    }

    private void rescue(JobDocument job, Change.TakeOver.WorkerEnd how) {
        var judged = Rescuing.judge(job.view(), job.progressUnder(job.fence), job.placeInDoubt(), how);
        moves.append(job, Rescuing.firstId(job.fence), judged.entries());
        job.suspicion = judged.suspicion();
        moves.move(job, judged.transition(), judged.outcome(), judged.due(job.view()));
    }

    Applied retire(Change.Retire change) {
        if (!set.documents().ownedBy(change.worker()).isEmpty()) {
            return new Applied.Conflict("the worker still owns jobs", null);
        }
        var there = set.worker(change.worker()) != null;
        set.forget(change.worker());
        return there ? Applied.now() : Applied.already();
    }
}
