package dev.pawl.failure;

import dev.pawl.key.Place;
import org.jspecify.annotations.Nullable;

/**
 * A step or an effect failed for good. Recorded and replayed, so a workflow may catch it and make amends; uncaught it fails the job.
 */
public final class StepFailed extends RuntimeException {

    private final Place place;
    private final Failure failure;

    /** {@code place} failed for good; {@code cause} is there only on the run in which it happened. */
    public StepFailed(Place place, Failure failure, @Nullable Throwable cause) {
        super(place + " failed: " + failure.message(), cause);
        this.place = place;
        this.failure = failure;
    }

    /** What failed. */
    public Place place() {
        return place;
    }

    /** Why. */
    public Failure failure() {
        return failure;
    }
}
