package dev.pawl.failure;

/**
 * The workflow's code called its job in a way that cannot be recorded: from a thread that the job did not start, from inside a step or an
 * effect, or with a name that was used already. The run is spoiled: whoever catches this, it ends FAILED at once, or asks where something is
 * in doubt, and is not tried again before somebody has mended the code.
 */
public final class JobMisused extends Error {

    /** What was called, and how to call it. */
    public JobMisused(String message) {
        super(message);
    }
}
