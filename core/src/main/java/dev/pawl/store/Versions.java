package dev.pawl.store;

import dev.pawl.journal.Entry;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Which version of its code a job goes on with: its first record says so, and a resubmission takes it back. Pure. */
public final class Versions {
    private Versions() {}

    /** Whether an entry says so. */
    public static boolean isIn(Entry entry) {
        return entry instanceof Entry.RunsAs;
    }

    /** What entries say; null when nothing. */
    public static @Nullable String of(Collection<Entry> entries) {
        for (var entry : entries) {
            if (entry instanceof Entry.RunsAs runs) {
                return runs.version();
            }
        }
        return null;
    }
}
