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
            if (transition == Transition.RESUBMIT && job.standing().owes() > 0) {
                return new Applied.Conflict(
                        "job " + job.identity()
                                + " has left something going on elsewhere that it began; retry goes on awaiting it, discard ends"
                                + " it there: then it can be resubmitted",
                        job);
            }
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

    /** How {@code job} goes that way: one that failed while something goes on elsewhere ends that before it is given up; what could not be ended is given up with it. */
    public static Transition way(StoredJob job, Transition transition) {
        return transition == Transition.DISCARD && job.standing().owes() > 0 && !couldNotEnd(job)
                ? Transition.DISCARD_OWING
                : transition;
    }

    private static boolean couldNotEnd(StoredJob job) {
        var failedAt = job.outcome().failure();
        return failedAt != null && failedAt.failure().isNotEnded();
    }

    /** How many things it owes still when it goes this way: what is given up is owed no more. */
    public static int owesAfter(StoredJob job, Transition way) {
        return way.to().finished() ? 0 : job.standing().owes();
    }

    /** Whether a job that goes this way is called off after it. */
    public static boolean callsOff(StoredJob job, Transition way) {
        return way == Transition.DISCARD_OWING
                || (way == Transition.RETRY
                        && job.standing().cancelling()
                        && job.standing().owes() > 0);
    }

    /** What is appended to its journal. */
    public static Entry entry(StoredJob job, Transition transition, Audit audit) {
        return switch (transition) {
            case RETRY -> {
                var failure = job.outcome().failure();
                yield new Entry.Retried(failure == null ? Place.WORKFLOW : failure.place(), audit);
            }
            case RESUBMIT -> new Entry.Resubmitted(audit, job.outcome().result());
            case DISCARD, DISCARD_OWING -> new Entry.Discarded(audit);
            default -> throw new IllegalArgumentException(transition + " is not a person's to make");
        };
    }
}
