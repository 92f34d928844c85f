package dev.pawl.job;

import static dev.pawl.job.JobState.CANCELLED;
import static dev.pawl.job.JobState.DONE;
import static dev.pawl.job.JobState.FAILED;
import static dev.pawl.job.JobState.PAUSED;
import static dev.pawl.job.JobState.READY;
import static dev.pawl.job.JobState.RUNNING;
import static dev.pawl.job.JobState.WAITING;

import dev.pawl.key.Identity;
import java.util.EnumSet;
import java.util.Set;

/** Every way in which a job changes its state. A store that is asked for another one refuses. */
public enum Transition {
    /** A worker takes the job. */
    CLAIM("claim", EnumSet.of(READY, WAITING, PAUSED), RUNNING),
    /** The workflow returned. */
    FINISH("the workflow returned", EnumSet.of(RUNNING), DONE),
    /** It is given up. */
    FAIL("attempts spent, or permanent", EnumSet.of(RUNNING), FAILED),
    /** An attempt failed; another follows. */
    TRY_LATER("transient, attempts left", EnumSet.of(RUNNING), READY),
    /** Its worker stops in time. */
    HAND_BACK("its worker stops in time", EnumSet.of(RUNNING), READY),
    /** It is too early to go on. */
    WAIT("sleep, signal, child, gate, not settled yet", EnumSet.of(RUNNING), WAITING),
    /** A person must say. */
    ASK("in doubt, not settled; approval", EnumSet.of(RUNNING), PAUSED),
    /** Its worker is gone. */
    OWNER_GONE("its owner's lease ended", EnumSet.of(RUNNING), READY),
    /** Its worker died three times alone with it. */
    STRIKE_OUT("three strikes", EnumSet.of(RUNNING), FAILED),
    /** What was in doubt is known now. */
    ANSWER("an answer arrives", EnumSet.of(PAUSED, WAITING), READY),
    /** What it leaves for has arrived while it ran. */
    COME_BACK("news arrived while it ran", EnumSet.of(RUNNING), READY),
    /** A person said. */
    DECIDE("decision", EnumSet.of(PAUSED), READY),
    /** What it waits for may have arrived. */
    MESSAGE("a message arrives", EnumSet.of(WAITING), READY),
    /** The gate where it waits opens. */
    GATE_OPENS("its gate opens", EnumSet.of(WAITING), READY),
    /** It is called off. */
    CANCEL("cancel", EnumSet.of(READY, RUNNING, WAITING, PAUSED), CANCELLED),
    /** It is called off, and something may have happened. */
    CANCEL_IN_DOUBT("cancel, in doubt", EnumSet.of(READY, WAITING, PAUSED), PAUSED),
    /** It is called off, and owes something that goes on elsewhere its end. */
    CANCEL_OWING("cancel, something goes on elsewhere", EnumSet.of(READY, WAITING, PAUSED), READY),
    /** A person wants a failed job tried again. */
    RETRY("a person retries", EnumSet.of(FAILED), READY),
    /** A person wants a finished job done again. */
    RESUBMIT("a person resubmits", EnumSet.of(DONE, FAILED, CANCELLED), READY),
    /** A person gives a failed job up. */
    DISCARD("a person discards", EnumSet.of(FAILED), CANCELLED),
    /** A person gives a failed job up, and something goes on elsewhere that it ends first. */
    DISCARD_OWING("a person discards, something goes on elsewhere", EnumSet.of(FAILED), READY);

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

    /**
     * The state it leads {@code job} to, which is in {@code state}.
     *
     * @throws IllegalStateException when it cannot go this way
     */
    public JobState next(Identity identity, JobState state) {
        if (!allowedFrom(state)) {
            throw new IllegalStateException("job " + identity + " is " + state + " and cannot " + name());
        }
        return to;
    }

    /** Whether a job in {@code state} can go this way. */
    public boolean allowedFrom(JobState state) {
        return from.contains(state);
    }
}
