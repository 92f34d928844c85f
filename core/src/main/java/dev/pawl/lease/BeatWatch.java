package dev.pawl.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Watches other workers' beats on the watcher's own monotonic clock. A gap in its own watching, because the store could not be reached or
 * the machine slept, starts every watch anew: what nobody could renew counts against no one. Not thread-safe.
 */
public final class BeatWatch {

    /** A beat, since when it stands still, and whether it was seen to move before. */
    private record SeenBeat(long beat, long sinceNanos, boolean moved) {}

    private final Map<Long, SeenBeat> seen = new HashMap<>();
    private long lastLookNanos;
    private boolean looked;

    /**
     * Takes in what was just read from the store.
     *
     * @param before monotonic time from before the read
     * @param after monotonic time from after it: only what lies between two reads was watched
     * @param longestGap a longer gap between two looks starts all watches anew
     * @return the workers whose beat has stood still for a full term
     */
    public List<WorkerRecord> look(Collection<WorkerRecord> workers, long before, long after, Duration longestGap) {
        if (looked && after - lastLookNanos > longestGap.toNanos()) {
            seen.clear();
        }
        looked = true;
        lastLookNanos = before;
        seen.keySet().retainAll(workers.stream().map(WorkerRecord::id).toList());
        var still = new ArrayList<WorkerRecord>();
        for (var worker : workers) {
            var known = seen.get(worker.id());
            if (known == null || known.beat() != worker.beat()) {
                seen.put(worker.id(), new SeenBeat(worker.beat(), after, known != null));
            } else if (before - known.sinceNanos() >= worker.term().toNanos()) {
                still.add(worker);
            }
        }
        return still;
    }

    /** Those of {@code workers} who were not seen to beat, or whose next beat is overdue. */
    public List<Silence> silent(Collection<WorkerRecord> workers, long nanos) {
        var silent = new ArrayList<Silence>();
        for (var worker : workers) {
            var known = seen.get(worker.id());
            if (known != null) {
                var still = Duration.ofNanos(nanos - known.sinceNanos());
                // It beats every third of the term at the least.
                if (!known.moved()
                        || still.multipliedBy(3).compareTo(worker.term().multipliedBy(2)) > 0) {
                    silent.add(new Silence(worker, worker.term().minus(still)));
                }
            }
        }
        return silent;
    }
}
