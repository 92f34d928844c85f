package dev.pawl.engine.local;

import dev.pawl.cost.Cost;
import dev.pawl.journal.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * What jobs of this process have used and a look at the store may not have told: each use counts here until a look that is sure to have seen it.
 * Thread-safe.
 */
final class Uses {
    private enum Stage {
        /** It waits for a commit. */
        RIDES,
        /** Its commit is under way, so a look may see it or not. */
        IS_SENT,
        /** Its commit is over, so whoever looks now sees it, if ever. */
        WAS_SENT
    }

    private static final class Use {
        private final String workflow;
        private final Cost cost;
        private Stage stage = Stage.RIDES;
        private boolean maybeSeen;

        private Use(String workflow, Cost cost) {
            this.workflow = workflow;
            this.cost = cost;
        }
    }

    private final IdentityHashMap<Entry, Use> uses = new IdentityHashMap<>();

    synchronized void add(String workflow, Entry.Used used) {
        uses.put(used, new Use(workflow, Cost.of(used.uses(), used.wall())));
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

    /** The look has ended, and told of {@code seen}. */
    synchronized void lookEnded(Collection<Entry> seen) {
        seen.forEach(uses::remove);
        uses.values().stream().filter(use -> use.stage != Stage.RIDES).forEach(use -> use.maybeSeen = true);
    }

    synchronized Cost of(String workflow) {
        var sum = Cost.NOTHING;
        for (var use : uses.values()) {
            if (use.workflow.equals(workflow)) {
                sum = sum.plus(use.cost);
            }
        }
        return sum;
    }

    /** Whether the last look may have told of something that counts here too. */
    synchronized boolean anyMaybeSeen(String workflow) {
        return uses.values().stream().anyMatch(use -> use.maybeSeen && use.workflow.equals(workflow));
    }
}
