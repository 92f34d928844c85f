/**
 * The real engine on virtual time, under a scheduler that a seed drives.
 *
 * <pre>
 * {@link dev.pawl.checks.simulation.Scheduler}   runs virtual threads one at a time, in an order that the seed decides; time passes when nobody can run
 * SimProcess        a process: crashes (its threads never resume), freezes, sleeps, has clocks that jump
 * SimStore          a process's way to the one store: slow, and with answers that get lost
 * World             the destinations; <em>send</em> and <em>land</em> are two events, and a request lands although its sender has died
 * Programs          random workflows
 * Judge             0 lost, 0 silently repeated, 0 stuck
 * {@link dev.pawl.checks.simulation.Simulation}  one seed: faults for a while, then quiet, then the verdict
 * </pre>
 *
 * <p>The same seed gives the same trace, down to its hash.
 */
@NullMarked
package dev.pawl.checks.simulation;

import org.jspecify.annotations.NullMarked;
