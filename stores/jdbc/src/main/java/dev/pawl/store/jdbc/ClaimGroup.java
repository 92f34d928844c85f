package dev.pawl.store.jdbc;

import dev.pawl.store.Change;

/**
 * What decides which workers may take a job. Each group has a number in the store, and each job the number of its group: so whoever claims asks for numbers.
 *
 * @param workflow the job's workflow
 * @param queue the job's queue
 * @param principal who it acts for
 */
public record ClaimGroup(String workflow, String queue, String principal) {
    /** The group of a job that is submitted. */
    public static ClaimGroup of(Change.SubmitJob submit) {
        var handling = submit.given().handling();
        return new ClaimGroup(submit.identity().workflow(), handling.queue(), handling.principal());
    }
}
