package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import org.jetbrains.lincheck.datastructures.Operation;

/** Changes go to the store one commit at a time, and each gets its own answer. */
public class CommitterRaces {
    private final Here.Hasty time = new Here.Hasty();
    private final Committer committer = Here.committer(new PlainStore(time), time);

    /** Makes a change; returns which one it was. */
    @Operation
    public String commit() {
        return ((Applied.Refused) committer.commit(new Change.LimitQueue("q", 1))).why();
    }
}
