package dev.pawl.store.memory;

import dev.pawl.look.ClaimGroup;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Claimed;
import dev.pawl.store.Wanted;
import dev.pawl.store.document.DocumentRules;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives jobs to those who want them: the most urgent first, and of those what has been due longest. Guarded by the store's lock. */
final class MemoryClaims {
    private static final Comparator<StoredJob> FIRST = Comparator.comparingInt(
                    (StoredJob job) -> -job.given().handling().priority())
            .thenComparing(MemoryClaims::due)
            .thenComparingLong(StoredJob::id);

    private final MemoryDocuments documents;

    MemoryClaims(MemoryDocuments documents) {
        this.documents = documents;
    }

    /** Whether limits of queues or lanes may hold jobs back. */
    boolean limited() {
        return !documents.queueLimits().isEmpty()
                || documents.all().stream()
                        .map(job -> job.view())
                        .anyMatch(job -> job.standing().times().due() != null
                                && job.given().handling().lane() != null);
    }

    /** Claims what is wanted. Returns when the next job comes due; null when there is none, or more were due. */
    @Nullable
    Instant claim(Wanted wanted, Instant now, List<Claimed> claimed) {
        var worker = wanted.any() ? documents.worker(wanted.worker()) : null;
        if (worker == null || !worker.enlisted()) {
            return null;
        }
        if (!documents.claims(wanted.worker(), wanted.claim())) {
            documents.held(wanted.worker()).stream()
                    .filter(job -> job.claim() == wanted.claim())
                    .forEach(job -> claimed.add(new Claimed(job.view(), job.currentJournal())));
            return null;
        }
        var candidates = documents.all().stream()
                .map(job -> job.view())
                .filter(job -> job.standing().times().due() != null && takes(wanted, job))
                .sorted(FIRST)
                .toList();
        var room = new RoomLeft(documents).now();
        var suspects = wanted.suspectToo() ? 1 : 0;
        var taken = 0;
        Instant next = null;
        for (var job : candidates) {
            var due = due(job);
            if (due.isAfter(now)) {
                next = next == null || due.isBefore(next) ? due : next;
            } else if (taken == wanted.most()) {
                return null;
            } else if ((!job.standing().suspicion().suspect() || suspects-- > 0)
                    && room.take(job.given().handling())) {
                claimed.add(Objects.requireNonNull(
                        DocumentRules.claim(documents, job.id(), wanted.worker(), wanted.claim(), now)));
                taken++;
            }
        }
        return taken == wanted.most() ? null : next;
    }

    /** When a job that can be claimed may be. */
    private static Instant due(StoredJob job) {
        return Objects.requireNonNull(job.standing().times().due());
    }

    private static boolean takes(Wanted wanted, StoredJob job) {
        return ClaimGroup.of(job.identity(), job.given().handling()).isTakenBy(wanted.taking());
    }
}
