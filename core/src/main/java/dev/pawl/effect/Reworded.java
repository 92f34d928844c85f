package dev.pawl.effect;

/**
 * A request that is written down in another form than it once was, and asks for the same: attempts and approvals that were made with the earlier
 * form are for this one.
 */
public interface Reworded {

    /** The request as it was written down before. */
    Object earlier();
}
