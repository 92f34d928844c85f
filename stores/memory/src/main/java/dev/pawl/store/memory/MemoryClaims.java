package dev.pawl.store.memory;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Wanted;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives jobs to those who want them: the most urgent first, and of those what has been due longest. Guarded by the store's lock. */
final class MemoryClaims {
    private static final Comparator<MemoryJob> FIRST = Comparator.comparingInt(
                    (MemoryJob job) -> -job.given.handling().priority())
            .thenComparing(MemoryClaims::due)
            .thenComparingLong(job -> job.id);

    private final MemoryTables tables;
    private final Map<String, Integer> queueMost = new HashMap<>();

    MemoryClaims(MemoryTables tables) {
        this.tables = tables;
    }

    void limitQueue(String queue, int most) {
        queueMost.put(queue, most);
    }

    /** Whether limits of queues or lanes may hold jobs back. */
    boolean limited() {
        return !queueMost.isEmpty()
                || tables.jobs.values().stream()
                        .anyMatch(job -> job.due != null && job.given.handling().lane() != null);
    }

    /** Claims a job that was just submitted, if it may run at once. */
    void claimNow(MemoryJob job, Change.SubmitJob.@Nullable Claim claim, Instant now, List<Claimed> claimed) {
        if (claim != null
                && tables.workers.containsKey(claim.worker())
                && !due(job).isAfter(now)
                && new Rooms().take(job)) {
            take(job, claim.worker(), claim.id(), now);
            claimed.add(new Claimed(job.view(), List.of()));
        }
    }

    /** Claims what is wanted. Returns when the next job comes due; null when there is none, or more were due. */
    @Nullable
    Instant claim(Wanted wanted, Instant now, List<Claimed> claimed) {
        if (!wanted.any() || !tables.workers.containsKey(wanted.worker())) {
            return null;
        }
        var again = tables.ownedBy(wanted.worker()).stream()
                .filter(job -> job.claim == wanted.claim())
                .toList();
        var last = tables.lastClaim.getOrDefault(wanted.worker(), 0L);
        if (wanted.claim() <= last) {
            again.forEach(job -> claimed.add(new Claimed(job.view(), job.currentJournal())));
            return null;
        }
        tables.lastClaim.put(wanted.worker(), wanted.claim());
        var candidates = tables.jobs.values().stream()
                .filter(job -> job.due != null && takes(wanted, job))
                .sorted(FIRST)
                .toList();
        var rooms = new Rooms();
        var suspects = wanted.suspectToo() ? 1 : 0;
        var taken = 0;
        Instant next = null;
        for (var job : candidates) {
            var due = due(job);
            if (due.isAfter(now)) {
                next = next == null || due.isBefore(next) ? due : next;
            } else if (taken == wanted.most()) {
                return null;
            } else if ((!job.suspicion.suspect() || suspects-- > 0) && rooms.take(job)) {
                take(job, wanted.worker(), wanted.claim(), now);
                claimed.add(new Claimed(job.view(), job.currentJournal()));
                taken++;
            }
        }
        return taken == wanted.most() ? null : next;
    }

    /** When a job that can be claimed may be. */
    private static Instant due(MemoryJob job) {
        return Objects.requireNonNull(job.due);
    }

    private static boolean takes(Wanted wanted, MemoryJob job) {
        var handling = job.given.handling();
        return wanted.taking().takes(job.identity.workflow(), handling.queue(), handling.principal());
    }

    private void take(MemoryJob job, long worker, long claim, Instant now) {
        tables.move(job, Transition.CLAIM, job.outcome, now, null);
        job.fence++;
        job.news = false;
        job.owner = worker;
        job.claim = claim;
    }

    /** How much room the limits leave. */
    private final class Rooms {
        private final Map<String, Integer> lanes = new HashMap<>();
        private final Map<String, Integer> queues = new HashMap<>();

        private Rooms() {
            for (var job : tables.jobs.values()) {
                if (job.state == JobState.RUNNING) {
                    count(job.given.handling());
                }
            }
        }

        /** Takes a place for {@code job}, if there is one. */
        private boolean take(MemoryJob job) {
            var handling = job.given.handling();
            var lane = handling.lane();
            var queue = queueMost.get(handling.queue());
            var laneFull = lane != null && lanes.getOrDefault(lane.key(), 0) >= lane.most();
            var queueFull = queue != null && queues.getOrDefault(handling.queue(), 0) >= queue;
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
}
