package dev.pawl.failure;

/**
 * This worker no longer owns the job: somebody else goes on with it. An {@link Error}, so that {@code catch (Exception)} cannot swallow it.
 * Nothing counts against the job.
 */
public final class LeaseLost extends Error {

    /** Why it was lost. */
    public LeaseLost(String message) {
        super(message, null, false, false);
    }
}
