package dev.pawl.failure;

import dev.pawl.key.Identity;

/** The job was done long ago and pruned: it is not done again, and its result is gone. */
public final class JobPruned extends RuntimeException {
    /** Only its tombstone is left. */
    public JobPruned(Identity identity) {
        super("job " + identity + " was done, and is not done again; its result was pruned");
    }
}
