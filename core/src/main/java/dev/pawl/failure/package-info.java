/**
 * What goes wrong, as a value and as what is thrown.
 *
 * <p>A {@link dev.pawl.failure.Failure} is what is kept of it: its {@link dev.pawl.failure.FailureClass} says what may be done about it. Everything that a user's code
 * throws to say what it means, or meets, is here:
 *
 * <pre>
 * an effect says      {@link dev.pawl.failure.NotSent}, {@link dev.pawl.failure.Rejected}, {@link dev.pawl.failure.AccountTrouble}: <em>nothing happened</em>
 *                     {@link dev.pawl.failure.ResultNotKept}: it happened, and its result is lost
 *                     {@link dev.pawl.failure.InDoubt}, or anything else: nobody knows
 * a step says         {@link dev.pawl.failure.PermanentFailure}: it will not succeed however often it is tried
 * what outlives says  {@link dev.pawl.failure.StillGoing}, {@link dev.pawl.failure.EndedInDoubt}, {@link dev.pawl.failure.OutOfReach}
 * the code catches    {@link dev.pawl.failure.StepFailed}, and lets {@link dev.pawl.failure.JobParked}, {@link dev.pawl.failure.LeaseLost} and
 *                     {@link dev.pawl.failure.JobMisused} through, which are errors
 * who waits meets     {@link dev.pawl.failure.JobPaused}, {@link dev.pawl.failure.JobFailed}, {@link dev.pawl.failure.GateClosed}, {@link dev.pawl.failure.JobPruned}
 * who speaks meets    {@link dev.pawl.failure.SubmitConflict}, {@link dev.pawl.failure.DecisionConflict}
 * </pre>
 */
@NullMarked
package dev.pawl.failure;

import org.jspecify.annotations.NullMarked;
