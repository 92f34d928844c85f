package dev.pawl.engine.local;

import dev.pawl.job.JobState;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Store;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells for whom a job waits, when that is a person. */
final class WhoAsks {
    /** Among so many, those come first that go on by themselves. */
    private static final int MOST = 100;

    private final Store store;

    WhoAsks(Store store) {
        this.store = store;
    }

    /**
     * The job that a person has to do with before {@code job} can go on: itself when it asks or waits at a gate that a person must open, or one that it waits for
     * the end of, when none of those goes on by itself.
     */
    Optional<StoredJob> behind(StoredJob job) {
        return behind(job, new HashMap<>());
    }

    private Optional<StoredJob> behind(StoredJob job, Map<Long, Optional<StoredJob>> known) {
        if (job.state() == JobState.PAUSED || waitsAtAGate(job)) {
            return Optional.of(job);
        }
        if (job.state() != JobState.WAITING) {
            return Optional.empty();
        }
        var before = known.get(job.id());
        if (before != null) {
            return before;
        }
        var asking = Optional.<StoredJob>empty();
        for (var child : store.waitedFor(job.id(), MOST)) {
            asking = behind(child, known);
            if (asking.isEmpty()) {
                break;
            }
        }
        known.put(job.id(), asking);
        return asking;
    }

    private boolean waitsAtAGate(StoredJob job) {
        var name = job.outcome().gate();
        return name != null
                && store.gates().stream()
                        .filter(gate -> gate.name().equals(name))
                        .flatMap(gate -> Stream.ofNullable(gate.closing()))
                        .anyMatch(closing -> closing.until() == null);
    }
}
