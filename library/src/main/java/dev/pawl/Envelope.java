package dev.pawl;

import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.Line;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job in the plain form that scripts and operators read: what it is, what it has done, and how often it may still be tried.
 *
 * @param jobId workflow and key
 * @param workflow the workflow's name
 * @param attempt which attempt is going on, or comes next, of what the job is at
 * @param maxAttempts how many there are at most
 * @param leaseOwner the worker that has it; null when none does
 * @param idempotencyKey the identity's hash: the same however often the work is submitted
 * @param checkpointVersion how many records the current run has
 * @param resumeFrom the last step or effect with a result: a resume goes on after it; null when there is none
 * @param createdAt when it was submitted
 * @param visibilityTimeoutSeconds how long its owner's lease is good for; of a job without one, how long a lease usually is
 * @param byHand what people did to it, in order
 */
public record Envelope(
        String jobId,
        String workflow,
        int attempt,
        int maxAttempts,
        @Nullable String leaseOwner,
        String idempotencyKey,
        int checkpointVersion,
        @Nullable String resumeFrom,
        Instant createdAt,
        long visibilityTimeoutSeconds,
        List<ByHand> byHand) {
    private static final Duration USUAL_TERM = Duration.ofSeconds(30);

    static Envelope of(StoredJob job, List<Line> lines, @Nullable WorkerRecord owner, int maxAttempts) {
        var run = lines.stream()
                .filter(line -> line.resubmission() == job.standing().resubmission())
                .toList();
        var history = History.of(run, job.standing().resubmission());
        String last = null;
        var attempt = 1;
        for (var line : run) {
            var place = history.at(line.entry().place());
            if (place != null && !line.entry().place().name().isEmpty()) {
                if (place.known() != null) {
                    last = place.place().toString();
                } else {
                    attempt = place.attempts().isEmpty()
                            ? place.stepTries() + 1
                            : place.attempts().size();
                }
            } else if (line.entry() instanceof Entry.StepTried tried) {
                attempt = tried.number() + 1;
            }
        }
        return new Envelope(
                job.identity().toString(),
                job.identity().workflow(),
                attempt,
                maxAttempts,
                owner == null ? null : owner.name(),
                job.identity().hash(),
                run.size(),
                last,
                job.standing().times().created(),
                (owner == null ? USUAL_TERM : owner.term()).toSeconds(),
                ByHand.of(lines));
    }
}
