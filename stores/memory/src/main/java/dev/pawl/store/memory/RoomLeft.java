package dev.pawl.store.memory;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import java.util.HashMap;
import java.util.Map;

/** How much room the limits of queues and lanes leave. Guarded by the store's lock. */
final class RoomLeft {
    private final MemoryDocuments documents;
    private final Map<String, Integer> lanes = new HashMap<>();
    private final Map<String, Integer> queues = new HashMap<>();

    RoomLeft(MemoryDocuments documents) {
        this.documents = documents;
    }

    /** What is left beside the jobs that run now. */
    RoomLeft now() {
        var now = new RoomLeft(documents);
        for (var job : documents.all()) {
            var view = job.view();
            if (view.state() == JobState.RUNNING) {
                now.count(view.given().handling());
            }
        }
        return now;
    }

    /** Takes a place for a job that is handled like this, if there is one. */
    boolean take(Handling handling) {
        var lane = handling.lane();
        var most = documents.queueLimits().get(handling.queue());
        var laneFull = lane != null && lanes.getOrDefault(lane.key(), 0) >= lane.most();
        var queueFull = most != null && queues.getOrDefault(handling.queue(), 0) >= most;
        if (laneFull || queueFull) {
            return false;
        }
        count(handling);
        return true;
    }

    private void count(Handling handling) {
        var lane = handling.lane();
        if (lane != null) {
            lanes.merge(lane.key(), 1, Integer::sum);
        }
        queues.merge(handling.queue(), 1, Integer::sum);
    }
}
