/**
 * How time comes in: one port, so that everything above it runs unchanged under a clock that a test turns.
 *
 * <p>{@link dev.pawl.time.Time} tells wall time, tells monotonic time and parks a thread. Nothing else in Pawl reads a clock or sleeps.
 * {@link dev.pawl.time.Signal} is how one thread tells another that there is something to look at.
 */
@NullMarked
package dev.pawl.time;

import org.jspecify.annotations.NullMarked;
