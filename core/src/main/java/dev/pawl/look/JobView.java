package dev.pawl.look;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;

/** A job as somebody sees it, with or without what it was given and what came of it. */
public interface JobView {

    /** Its number in its store. */
    long id();

    /** Workflow and key. */
    Identity identity();

    /** How it is to be taken. */
    Handling handling();

    /** Where it is in its life. */
    StoredJob.Standing standing();

    /** Why it failed, what it asks, where it waits; its result only where that is kept with it. */
    StoredJob.Outcome outcome();

    /** Its state. */
    default JobState state() {
        return standing().state();
    }
}
