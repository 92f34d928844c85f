package dev.pawl.store;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.journal.Costs;
import dev.pawl.journal.Entry;
import dev.pawl.look.StoredJob;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;

/** What was spent: by a job with those it called, and what an entry of a journal adds. */
public final class Spending {
    private Spending() {}

    /** What a job has cost, with the jobs that it called and those that they called. Of one that was pruned it is unknown. */
    public static Cost ofJob(Store store, long job) {
        var total = Cost.NOTHING;
        var counted = new HashSet<Long>();
        var left = new ArrayDeque<>(List.of(job));
        while (!left.isEmpty()) {
            var next = left.remove();
            if (counted.add(next)) {
                var pruned = store.job(next).map(StoredJob::pruned).orElse(false);
                total = total.plus(
                        pruned
                                ? Cost.ofALostAttempt()
                                : Costs.of(store.journal(next)).total());
                store.children(next).forEach(child -> left.add(child.id()));
            }
        }
        return total;
    }

    /** Whether {@code entry} says something of money or use. */
    public static boolean isIn(Entry entry) {
        return entry instanceof Entry.Used || entry instanceof Entry.Accounted || entry instanceof Entry.OwnerGone;
    }

    /** What {@code entry}, written on {@code day}, adds; usually nothing. What was found out counts for the day on which it was unknown. */
    public static List<Spent> of(String workflow, LocalDate day, Entry entry) {
        if (entry instanceof Entry.Used used) {
            return used.uses().stream()
                    .map(use -> new Spent(workflow, day, use.model(), Cost.of(List.of(use), Duration.ZERO)))
                    .toList();
        }
        if (entry instanceof Entry.Accounted found) {
            var gone = LocalDate.ofInstant(found.gone(), ZoneOffset.UTC);
            return List.of(new Spent(workflow, gone, "", Cost.ofAFoundAttempt()));
        }
        return entry instanceof Entry.OwnerGone
                ? List.of(new Spent(workflow, day, "", Cost.ofALostAttempt()))
                : List.of();
    }
}
