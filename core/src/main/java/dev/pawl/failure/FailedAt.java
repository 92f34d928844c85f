package dev.pawl.failure;

import dev.pawl.key.Place;

/**
 * A failure with the place that it came from.
 *
 * @param place what failed; {@link Place#WORKFLOW} for the workflow's own code
 * @param failure why
 */
public record FailedAt(Place place, Failure failure) {}
