package dev.pawl.store;

import dev.pawl.journal.Entry;
import java.util.Collection;

/** What a job owes: the ends of things that go on elsewhere because it began them. Pure. */
public final class Debts {
    private Debts() {}

    /** Whether an entry changes what is owed. */
    public static boolean isIn(Entry entry) {
        return entry instanceof Entry.Owes || entry instanceof Entry.OwesNoMore;
    }

    /** How many more things are owed after these entries; fewer, where it is negative. */
    public static int more(Collection<Entry> entries) {
        var more = 0;
        for (var entry : entries) {
            more += entry instanceof Entry.Owes ? 1 : entry instanceof Entry.OwesNoMore ? -1 : 0;
        }
        return more;
    }

    /** Whether an end keeps the job from having it while {@code owed} things are owed after it: one that failed has left them, and says so. */
    public static boolean mustBePaidBefore(Change.Owned change, int owed) {
        return owed > 0
                && change instanceof Change.FinishJob finish
                && !(finish.ending() instanceof Change.FinishJob.FinalState.Failed);
    }
}
