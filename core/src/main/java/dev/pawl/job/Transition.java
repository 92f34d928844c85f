package dev.pawl.job;

import static dev.pawl.job.JobState.CANCELLED;
import static dev.pawl.job.JobState.DONE;
import static dev.pawl.job.JobState.FAILED;
import static dev.pawl.job.JobState.PAUSED;
import static dev.pawl.job.JobState.READY;
import static dev.pawl.job.JobState.RUNNING;
import static dev.pawl.job.JobState.WAITING;

import java.util.EnumSet;
import java.util.Set;

/** Every way in which a job changes its state. A store that is asked for another one refuses. */
public enum Transition {
    CLAIM("claim", EnumSet.of(READY, WAITING), RUNNING),
    FINISH("the workflow returned", EnumSet.of(RUNNING), DONE),
    FAIL("attempts spent, or permanent", EnumSet.of(RUNNING), FAILED),
    TRY_LATER("transient, attempts left", EnumSet.of(RUNNING), READY),
    HAND_BACK("its worker stops in time", EnumSet.of(RUNNING), READY),
    WAIT("not settled yet", EnumSet.of(RUNNING), WAITING),
    ASK("in doubt, not settled", EnumSet.of(RUNNING), PAUSED),
    OWNER_GONE("its owner's lease ended", EnumSet.of(RUNNING), READY),
    STRIKE_OUT("three strikes", EnumSet.of(RUNNING), FAILED),
    ANSWER("an answer arrives", EnumSet.of(PAUSED, WAITING), READY),
    DECIDE("decision", EnumSet.of(PAUSED), READY),
    RETRY("a person retries", EnumSet.of(FAILED), READY),
    RESUBMIT("a person resubmits", EnumSet.of(DONE, FAILED, CANCELLED), READY),
    DISCARD("a person discards", EnumSet.of(FAILED), CANCELLED);

    private final String why;
    private final Set<JobState> from;
    private final JobState to;

    Transition(String why, Set<JobState> from, JobState to) {
        this.why = why;
        this.from = from;
        this.to = to;
    }

    /** What brings it about, in a few words. */
    public String why() {
        return why;
    }

    /** The states it can start from. */
    public Set<JobState> from() {
        return EnumSet.copyOf(from);
    }

    /** The state it leads to. */
    public JobState to() {
        return to;
    }

    /** Whether a job in {@code state} can go this way. */
    public boolean allowedFrom(JobState state) {
        return from.contains(state);
    }
}
