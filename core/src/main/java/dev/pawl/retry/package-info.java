/**
 * What a failure means and whether to try again.
 *
 * <p>A {@link dev.pawl.retry.Failure} has a {@link dev.pawl.retry.FailureClass}. {@link dev.pawl.retry.Retry} judges it: no I/O, no clock.
 * The exceptions here are how user code says which class it means: {@link dev.pawl.retry.NotSent} and {@link dev.pawl.retry.Rejected} are an
 * effect's own word that <em>nothing happened</em>; {@link dev.pawl.retry.PermanentFailure} ends a step's retries.
 */
@NullMarked
package dev.pawl.retry;

import org.jspecify.annotations.NullMarked;
