package dev.pawl.store;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.journal.Entry;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;

/** What an entry of a journal adds to what its workflow has spent. Pure. */
public final class Spending {
    private Spending() {}

    /** What {@code entry}, written on {@code day}, adds; usually nothing. */
    public static List<Spent> of(String workflow, LocalDate day, Entry entry) {
        if (entry instanceof Entry.Used used) {
            return used.uses().stream()
                    .map(use -> new Spent(workflow, day, use.model(), Cost.of(List.of(use), Duration.ZERO)))
                    .toList();
        }
        return entry instanceof Entry.OwnerGone
                ? List.of(new Spent(workflow, day, "", Cost.ofALostAttempt()))
                : List.of();
    }
}
