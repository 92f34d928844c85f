package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A store without any care for threads: whoever lets two in at once loses something. It numbers the changes, and remembers the beats. */
final class PlainStore extends DelegatingStore {
    private int changes;
    private final Set<Long> beats = new HashSet<>();
    private boolean beatTwice;

    PlainStore(Time time) {
        super((Store) new MemoryStore(time));
    }

    @Override
    public Exchanged exchange(List<Change> all, Wanted wanted) {
        var applied = new ArrayList<Applied>();
        for (var change : all) {
            if (change instanceof Change.Beat beat) {
                beatTwice |= !beats.add(beat.beat());
                applied.add(Applied.now());
            } else {
                var before = changes;
                applied.add(new Applied.Refused(String.valueOf(before)));
                changes = before + 1;
            }
        }
        return new Exchanged(applied, List.of(), null, Instant.EPOCH);
    }

    /** Whether a beat came twice: then the second did not raise anything. */
    boolean beatTwice() {
        return beatTwice;
    }
}
