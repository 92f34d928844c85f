package dev.pawl.journal;

import dev.pawl.cost.Cost;
import dev.pawl.key.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job's own journal says about its cost: all its resubmissions, failed attempts too.
 *
 * @param total all of it
 * @param attempts each attempt that used something, in order
 */
public record Costs(Cost total, List<OfAttempt> attempts) {
    /**
     * What one attempt cost.
     *
     * @param place of the step or effect
     * @param number of the attempt
     * @param cost how much
     */
    public record OfAttempt(Place place, int number, Cost cost) {}

    /** What {@code lines} say. An owner that was found gone took an attempt with it, of which nobody knows the cost before somebody has found out. */
    public static Costs of(List<JournalLine> lines) {
        var total = Cost.NOTHING;
        var attempts = new ArrayList<OfAttempt>();
        for (var line : lines) {
            if (line.entry() instanceof Entry.Used used) {
                var cost = Cost.of(used.uses(), used.wall());
                attempts.add(new OfAttempt(used.place(), used.number(), cost));
                total = total.plus(cost);
            } else if (line.entry() instanceof Entry.OwnerGone) {
                total = total.plus(Cost.ofALostAttempt());
            } else if (line.entry() instanceof Entry.Accounted) {
                total = total.plus(Cost.ofAFoundAttempt());
            }
        }
        return new Costs(total, attempts);
    }

    /** How long the attempts took that used something. */
    public Duration wall() {
        return total.wall();
    }
}
