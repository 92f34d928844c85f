package dev.pawl.look;

import dev.pawl.failure.FailureClass;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.journal.Progress;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job in the plain form that scripts and operators read: what it is, what it has done, and how often it may still be tried.
 *
 * @param jobId workflow and key
 * @param workflow the workflow's name
 * @param state {@code ready}, {@code running}, {@code waiting}, {@code paused}, {@code done}, {@code failed} or {@code cancelled}
 * @param attempt which attempt is going on, comes next, or was the last one, of what the job is at: as the code and its commands are told it
 * @param maxAttempts the last attempt that there can be without a person; null when nobody has told yet
 * @param failureClass {@code transient}, {@code permanent}, {@code ambiguous} or {@code account}: why it failed, asks, or is tried again; null when nothing went wrong
 * @param leaseOwner the worker that has it; null when none does
 * @param idempotencyKey the effect key of what the job is at, as the destination gets it ({@code PAWL_KEY}); null when it is at nothing that was recorded
 * @param checkpointVersion how many records the current run has
 * @param resumeFrom the last of {@code completedSteps}: a resume goes on after it; null when there is none
 * @param completedSteps steps, effects and called jobs that have a result or were skipped, in the order in which they came to it; of very many the last
 * @param createdAt when it was submitted
 * @param updatedAt when something was last recorded of it
 * @param visibilityTimeoutSeconds how long its owner's lease is good for; of a job without one, how long a lease usually is
 * @param byHand what people did to it, in order
 * @param progress how far it has come, as its code said last; null when it did not
 * @param progressAt when it said so
 */
public record Envelope(
        String jobId,
        String workflow,
        String state,
        int attempt,
        @Nullable Integer maxAttempts,
        @Nullable String failureClass,
        @Nullable String leaseOwner,
        @Nullable String idempotencyKey,
        int checkpointVersion,
        @Nullable String resumeFrom,
        List<String> completedSteps,
        Instant createdAt,
        Instant updatedAt,
        long visibilityTimeoutSeconds,
        List<ByHand> byHand,
        @Nullable Progress progress,
        @Nullable Instant progressAt) {
    private static final int MOST_STEPS = 1_000;

    public Envelope {
        completedSteps = List.copyOf(completedSteps);
        byHand = List.copyOf(byHand);
    }

    /** What {@code lines} say of {@code job}; its owner where it has one, and how often its steps are tried where that is known here. */
    public static Envelope of(
            StoredJob job, List<JournalLine> lines, @Nullable WorkerRecord owner, @Nullable Integer attemptsHere) {
        var run = lines.stream()
                .filter(line -> line.resubmission() == job.standing().resubmission())
                .toList();
        var whereabouts = Whereabouts.of(job, run);
        var known = whereabouts.known();
        var at = whereabouts.at();
        var completed = whereabouts.completed().stream()
                .skip(Math.max(0, whereabouts.completed().size() - MOST_STEPS))
                .map(Place::toString)
                .toList();
        return new Envelope(
                job.identity().toString(),
                job.identity().workflow(),
                job.state().word(),
                attempt(job, at),
                most(at, attemptsHere),
                failureClass(job, at),
                owner == null ? null : owner.name(),
                at == null || at.place().name().isEmpty()
                        ? null
                        : EffectKey.of(
                                job.identity(), at.place(), job.standing().resubmission()),
                run.size(),
                completed.isEmpty() ? null : completed.getLast(),
                completed,
                job.standing().times().created(),
                updated(job, run),
                (owner == null ? WorkerRecord.USUAL_TERM : owner.term()).toSeconds(),
                ByHand.of(lines),
                known.progress(),
                known.progressAt());
    }

    /** No step writes its job's own row: its record tells when it was. */
    private static Instant updated(StoredJob job, List<JournalLine> run) {
        var changed = job.standing().times().changed();
        return run.isEmpty() || run.getLast().at().isBefore(changed)
                ? changed
                : run.getLast().at();
    }

    private static int attempt(StoredJob job, @Nullable PlaceHistory at) {
        if (at == null) {
            return 1;
        }
        if (at.isEffect()) {
            var goesOn = at.known() == null && !at.inDoubt() && !job.state().finished();
            return at.attempts().size() + (goesOn ? 1 : 0);
        }
        // A step's failed attempts are recorded, and the one that succeeds is its result.
        var gaveUp = at.known() instanceof PlaceHistory.Known.Failed
                || (at.known() == null && job.state().finished());
        return Math.max(1, at.stepTries() + (gaveUp ? 0 : 1));
    }

    /** A budget that began anew comes on top of what was spent before. */
    private static @Nullable Integer most(@Nullable PlaceHistory at, @Nullable Integer attemptsHere) {
        if (at == null) {
            return attemptsHere;
        }
        var most = at.most() == null ? attemptsHere : at.most();
        var tried = at.isEffect() ? at.attempts().size() : at.stepTries();
        return most == null ? null : tried - Math.min(tried, at.spent()) + most;
    }

    private static @Nullable String failureClass(StoredJob job, @Nullable PlaceHistory at) {
        var kind = failed(job, at);
        return kind == null ? null : kind.word();
    }

    private static @Nullable FailureClass failed(StoredJob job, @Nullable PlaceHistory at) {
        var failure = job.outcome().failure();
        var question = job.outcome().question();
        if (failure != null) {
            return failure.failure().kind();
        }
        if (question != null && question.kind().closedByAnswer()) {
            return FailureClass.AMBIGUOUS;
        }
        if (at == null || at.known() != null || at.lastFailure() == null) {
            return at != null && at.inDoubt() ? FailureClass.AMBIGUOUS : null;
        }
        return at.inDoubt() ? FailureClass.AMBIGUOUS : at.lastFailure().kind();
    }
}
