package dev.pawl.store.document;

import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Rescuing;
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
        var there = set.worker(change.worker());
        if (there != null) {
            return there.enlisted() ? Applied.already() : new Applied.LeaseLost();
        }
        set.put(new WorkerRecord(change.worker(), change.name(), 0, now, change.term(), change.taking()));
        return Applied.now();
    }

    Applied beat(Change.Beat change) {
        var worker = set.worker(change.worker());
        if (worker == null || !worker.enlisted()) {
            return new Applied.LeaseLost();
        }
        if (worker.beat() < change.beat()) {
            set.put(worker.beaten(change.beat(), now));
        }
        return new Applied.Beaten(set.documents().calledOff(change.worker()));
    }

    Applied takeOver(Change.TakeOver change) {
        var worker = set.worker(change.worker());
        if (worker == null) {
            return Applied.already();
        }
        var objection = Rescuing.objection(worker, change);
        if (objection != null) {
            return objection;
        }
        var how = Rescuing.how(worker, change);
        var owned = set.documents().ownedBy(change.worker(), set.documents().mostOthers() + 1);
        var rescued = new ArrayList<StoredJob>();
        for (var id : owned) {
            if (set.othersLeft() <= 0) {
                break;
            }
            set.changesAnother();
            var job = set.there(id);
            rescue(job, how);
            rescued.add(job.view());
        }
        var more = rescued.size() < owned.size();
        if (more) {
            set.put(worker.declaredDead(how));
        } else {
            set.forget(change.worker());
        }
        return new Applied.TookOver(rescued, more);
    }

    private void rescue(JobDocument job, WorkerEnd how) {
        var judged = Rescuing.judge(job.view(), job.progressUnder(job.fence), job.placeInDoubt(), how);
        moves.append(job, Rescuing.firstId(job.fence), judged.entries());
        job.suspicion = judged.suspicion();
        moves.move(job, judged.transition(), judged.outcome(), judged.due(job.view()));
    }

    Applied retire(Change.Retire change) {
        if (!set.documents().ownedBy(change.worker(), 1).isEmpty()) {
            return new Applied.Conflict("the worker still owns jobs", null);
        }
        var there = set.worker(change.worker()) != null;
        set.forget(change.worker());
        return there ? Applied.now() : Applied.already();
    }
}
