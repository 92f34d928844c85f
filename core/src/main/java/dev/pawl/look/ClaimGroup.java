package dev.pawl.look;

import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import dev.pawl.lease.Taking;

/**
 * What decides which workers may take a job: jobs of one group are taken by the same workers.
 *
 * @param workflow the job's workflow
 * @param queue the job's queue; empty for the common one
 * @param principal who it acts for; empty for nobody in particular
 * @param version of the code that it goes on with; empty for any
 */
public record ClaimGroup(String workflow, String queue, String principal, String version) {
    /** The group of a job that is submitted. */
    public static ClaimGroup of(Identity identity, Handling handling) {
        return new ClaimGroup(identity.workflow(), handling.queue(), handling.principal(), handling.version());
    }

    /** Whether a worker that takes this takes its jobs. */
    public boolean isTakenBy(Taking taking) {
        return taking.takes(workflow, queue, principal, version);
    }

    /** The group of a job. */
    public static ClaimGroup of(JobSummary job) {
        return of(job.identity(), job.handling());
    }
}
