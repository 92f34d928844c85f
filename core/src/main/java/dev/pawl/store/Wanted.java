package dev.pawl.store;

import dev.pawl.lease.Taking;

/**
 * A wish for jobs.
 *
 * @param worker who wants them
 * @param claim the claim's number, higher than any before; asked again under it, the same jobs are given again and no others: a claim that
 *     arrives late, after its worker went on, must not give jobs to somebody who does not know
 * @param taking what it takes
 * @param most how many at the most
 * @param suspectToo whether one of them may be a suspect
 */
public record Wanted(long worker, long claim, Taking taking, int most, boolean suspectToo) {

    /** No job. */
    public static final Wanted NOTHING = new Wanted(0, 0, Taking.NOTHING, 0, false);

    /** Whether there is any wish at all. */
    public boolean any() {
        return most > 0 && !taking.workflows().isEmpty();
    }
}
