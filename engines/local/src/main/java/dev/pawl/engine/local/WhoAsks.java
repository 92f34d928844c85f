package dev.pawl.engine.local;

import dev.pawl.job.JobState;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Tells for whom a job waits, when that is a person. */
final class WhoAsks {
    private final Store store;

    WhoAsks(Store store) {
        this.store = store;
    }

    /**
     * The job that a person has to do with before {@code job} can go on: itself when it asks or waits at a gate that a person must open, or one that it called,
     * when none of those it called goes on by itself.
     */
    Optional<StoredJob> behind(StoredJob job) {
        return behind(job, new HashSet<>());
    }

    private Optional<StoredJob> behind(StoredJob job, Set<Long> met) {
        if (job.state() == JobState.PAUSED || waitsAtAGate(job)) {
            return Optional.of(job);
        }
        if (job.state() != JobState.WAITING || !met.add(job.id())) {
            return Optional.empty();
        }
        var asking = Optional.<StoredJob>empty();
        for (var child : store.children(job.id())) {
            if (!child.state().finished()) {
                asking = behind(child, met);
                if (asking.isEmpty()) {
                    return asking;
                }
            }
        }
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
