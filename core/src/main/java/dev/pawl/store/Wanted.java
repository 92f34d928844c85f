package dev.pawl.store;

import java.util.List;

/**
 * A wish for jobs.
 *
 * @param worker who wants them
 * @param claim the claim's id; asked again under it, the same jobs are given again
 * @param workflows which it can run
 * @param most how many at the most
 * @param suspectToo whether one of them may be a suspect
 */
public record Wanted(long worker, long claim, List<String> workflows, int most, boolean suspectToo) {

    /** No job. */
    public static final Wanted NOTHING = new Wanted(0, 0, List.of(), 0, false);

    /** Whether there is any wish at all. */
    public boolean any() {
        return most > 0 && !workflows.isEmpty();
    }
}
