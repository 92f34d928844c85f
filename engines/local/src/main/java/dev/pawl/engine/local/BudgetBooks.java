package dev.pawl.engine.local;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.gate.Budget;
import dev.pawl.journal.Entry;
import dev.pawl.store.Store;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The books of budgets that many jobs share: what all of them have spent, as the last look at the store told, and what jobs of this process have used that it may
 * not have told. Such a use counts here until a look that is sure to have seen it. Thread-safe.
 */
final class BudgetBooks {
    private enum Stage {
        /** It waits for a commit. */
        RIDES,
        /** Its commit is under way, so a look may see it or not. */
        IS_SENT,
        /** Its commit is over, so whoever looks now sees it, if ever. */
        WAS_SENT
    }

    private static final class PendingUse {
        private final String workflow;
        private final Cost cost;
        private Stage stage = Stage.RIDES;
        private boolean maybeSeen;

        private PendingUse(String workflow, Cost cost) {
            this.workflow = workflow;
            this.cost = cost;
        }
    }

    private final IdentityHashMap<Entry, PendingUse> uses = new IdentityHashMap<>();
    private Map<String, Cost> everSpent = Map.of();
    private Map<String, Cost> spentToday = Map.of();
    private LocalDate lookedOn = LocalDate.EPOCH;

    // ---- what jobs of this process use

    /** Something was used, and waits for a commit. */
    synchronized void add(String workflow, Entry.Used used) {
        uses.put(used, new PendingUse(workflow, Cost.of(used.uses(), used.wall())));
    }

    /** These entries go to the store now. */
    void sending(List<Entry> entries) {
        move(entries, Stage.IS_SENT);
    }

    /** These entries are in the store, or never will be. */
    void sent(List<Entry> entries) {
        move(entries, Stage.WAS_SENT);
    }

    /** This entry waits for a commit, perhaps again. */
    void ride(Entry entry) {
        move(List.of(entry), Stage.RIDES);
    }

    private void move(List<Entry> entries, Stage stage) {
        for (var entry : entries) {
            if (entry instanceof Entry.Used) {
                move(entry, stage);
            }
        }
    }

    private synchronized void move(Entry entry, Stage stage) {
        var use = uses.get(entry);
        if (use != null) {
            use.stage = stage;
        }
    }

    // ---- what all have spent

    /** Looks at the store; only one look at a time. */
    void look(Store store, Instant now) {
        var seen = lookBegins();
        adopt(store.spentByWorkflow(), store.spent(day(now)), day(now), seen);
    }

    /** A look begins. Returns the entries that it is sure to see. */
    synchronized Collection<Entry> lookBegins() {
        var sure = new ArrayList<Entry>();
        uses.forEach((entry, use) -> {
            if (use.stage == Stage.WAS_SENT) {
                sure.add(entry);
            }
        });
        return sure;
    }

    private synchronized void adopt(
            Map<String, Cost> ever, List<Spent> lately, LocalDate today, Collection<Entry> seen) {
        lookedOn = today;
        everSpent = Map.copyOf(ever);
        spentToday =
                sum(lately.stream().filter(spent -> spent.day().equals(today)).toList());
        lookEnded(seen);
    }

    /** The look has ended, and told of {@code seen}. */
    synchronized void lookEnded(Collection<Entry> seen) {
        seen.forEach(uses::remove);
        uses.values().stream().filter(use -> use.stage != Stage.RIDES).forEach(use -> use.maybeSeen = true);
    }

    /** Whether nobody has looked yet on the day of {@code now}. */
    synchronized boolean areOfYesterday(Instant now) {
        return !day(now).equals(lookedOn);
    }

    /** What all jobs of a workflow have spent, for ever or on the store's day of now. */
    synchronized Cost spent(String workflow, Budget.Per per, Instant now) {
        if (per == Budget.Per.DAY && areOfYesterday(now)) {
            // What was spent yesterday does not count.
            return of(workflow);
        }
        var known = per == Budget.Per.DAY ? spentToday : everSpent;
        return known.getOrDefault(workflow, Cost.NOTHING).plus(of(workflow));
    }

    /** What jobs of this process have used and the last look may not have told. */
    synchronized Cost of(String workflow) {
        var sum = Cost.NOTHING;
        for (var use : uses.values()) {
            if (use.workflow.equals(workflow)) {
                sum = sum.plus(use.cost);
            }
        }
        return sum;
    }

    private static LocalDate day(Instant when) {
        return LocalDate.ofInstant(when, ZoneOffset.UTC);
    }

    private static Map<String, Cost> sum(List<Spent> all) {
        var sums = new HashMap<String, Cost>();
        all.forEach(spent -> sums.merge(spent.workflow(), spent.cost(), Cost::plus));
        return Map.copyOf(sums);
    }

    /** Whether the last look may have told of something that counts here too. */
    synchronized boolean anyMaybeSeen(String workflow) {
        return uses.values().stream().anyMatch(use -> use.maybeSeen && use.workflow.equals(workflow));
    }
}
