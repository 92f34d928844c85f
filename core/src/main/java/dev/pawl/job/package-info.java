/**
 * Jobs: what one is, the states it goes through, and what user code may call on it.
 *
 * <p>{@link dev.pawl.job.Workflow} is a name with an input and an output type; {@link dev.pawl.job.Job} is what its code works with;
 * {@link dev.pawl.job.Transition} is the one table of a job's life, from which {@code docs/life-of-a-job.md} is drawn.
 */
@NullMarked
package dev.pawl.job;

import org.jspecify.annotations.NullMarked;
