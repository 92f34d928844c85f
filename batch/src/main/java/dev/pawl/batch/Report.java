package dev.pawl.batch;

import dev.pawl.cost.Cost;
import java.time.Duration;

/**
 * What a run of a batch came to.
 *
 * @param batch its name
 * @param rows what became of the rows
 * @param cost what was spent in this run
 * @param time how long it took
 */
public record Report(String batch, Rows rows, Cost cost, Duration time) {

    /**
     * How many rows.
     *
     * @param done became done in this run; here as elsewhere also those of earlier runs that these rows do not name
     * @param skipped were done before
     * @param changed of those, have other values now, with which they are not done again
     * @param failed were given up in this run
     * @param before of this batch were given up before, in these rows or not, and nobody has dealt with them since
     * @param calledOff were called off, before or meanwhile
     * @param paused ask a person
     * @param waiting are left for a later run
     * @param gated of those, wait at a gate that a person must open
     */
    public record Rows(
            long done,
            long skipped,
            long changed,
            long failed,
            long before,
            long calledOff,
            long paused,
            long waiting,
            long gated) {}

    /** Whether something failed, now or before, and nobody has dealt with it. */
    public boolean failed() {
        return rows.failed() > 0 || rows.before() > 0;
    }

    /** Whether a person must decide. */
    public boolean asks() {
        return rows.paused() > 0 || rows.gated() > 0;
    }

    /** Whether something is left to be done. */
    public boolean unfinished() {
        return rows.waiting() > 0;
    }
}
