package dev.pawl.store;

import dev.pawl.decision.Audit;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a person can do to a job that has ended: retry, resubmit, discard. Pure. */
public final class Reopening {

    private Reopening() {}

    /** Why {@code job} cannot go that way, as far as the job itself tells; null when it can. */
    public static @Nullable Applied objection(StoredJob job, Transition transition) {
        return objection(job, transition, false);
    }

    /**
     * Why {@code job} cannot go that way; null when it can.
     *
     * @param left whether something is left to do of how it ended, see {@link FollowUp}
     */
    public static @Nullable Applied objection(StoredJob job, Transition transition, boolean left) {
        if (job.pruned()) {
            return new Applied.Refused("job " + job.identity()
                    + " was pruned, and its input with it; submit the work under a key of its own");
        }
        if (transition.allowedFrom(job.state())) {
            return left ? FollowUp.objection(job) : null;
        }
        return new Applied.Conflict(
                "job " + job.identity() + " is " + job.state() + "; only a job that is "
                        + transition.from().stream().map(Enum::name).collect(Collectors.joining(" or ")) + " can be "
                        + switch (transition) {
                            case RETRY -> "retried";
                            case RESUBMIT -> "resubmitted";
                            case DISCARD -> "discarded";
                            default -> throw new IllegalArgumentException(transition + " is not a person's to make");
                        }
                        + (transition == Transition.RETRY
                                        && job.standing().times().due() != null
                                ? "; --now tries at once one that waits to be tried again"
                                : ""),
                job);
    }

    /** What is appended to its journal. */
    public static Entry entry(StoredJob job, Transition transition, Audit audit) {
        return switch (transition) {
            case RETRY -> {
                var failure = job.outcome().failure();
                yield new Entry.Retried(failure == null ? Place.WORKFLOW : failure.place(), audit);
            }
            case RESUBMIT -> new Entry.Resubmitted(audit, job.outcome().result());
            case DISCARD -> new Entry.Discarded(audit);
            default -> throw new IllegalArgumentException(transition + " is not a person's to make");
        };
    }
}
