/**
 * Fences at the edge: what a destination of our own does so that a worker which was frozen between its last check and its send changes nothing when it goes on. No store can stop such a worker; whoever receives its request
 * can, because the job has had another owner since, under a higher fence.
 */
@NullMarked
package dev.pawl.fence;

import org.jspecify.annotations.NullMarked;
