/**
 * What a failure means and whether to try again.
 *
 * <p>A {@link dev.pawl.failure.Failure} has a {@link dev.pawl.failure.FailureClass}. {@link dev.pawl.retry.Retry} judges it: no I/O, no clock.
 * The exceptions here are how user code says which class it means: {@link dev.pawl.failure.NotSent} and {@link dev.pawl.failure.Rejected} are an
 * effect's own word that <em>nothing happened</em>; {@link dev.pawl.failure.PermanentFailure} ends a step's retries.
 */
@NullMarked
package dev.pawl.retry;

import org.jspecify.annotations.NullMarked;
