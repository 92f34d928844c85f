package dev.pawl.failure;

/**
 * The job leaves this worker for now: to wait, to ask, or because the worker stops. An {@link Error}, so that {@code catch (Exception)}
 * cannot swallow it; the code runs again from the top when the job is resumed.
 */
public final class JobParked extends Error {

    /** Why it leaves. */
    public JobParked(String message) {
        super(message, null, false, false);
    }
}
