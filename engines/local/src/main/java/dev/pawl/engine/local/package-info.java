/**
 * The worker over a {@link dev.pawl.store.Store}.
 *
 * <pre>
 * {@link dev.pawl.engine.local.LocalEngine}   the door: submit, decide, work, close
 *   Committers    one for each commit that a store can make at once, each job bound to one
 *   Committer     gathers the changes of its jobs into one commit; a lone change commits on its caller's thread
 *   StoreClock    the store's time, as it told with its last answer
 *   Keeper        the standing loop: beats for its own lease, watches the others', takes over what is dead
 *   ClaimDesk     how many jobs there is room for, and which were claimed
 *   JobRun        one claimed job, from its claim to its ending
 *     Pen         writes to its journal under its fence, and knows what stands there
 *     Scope       the job as one thread of its code sees it
 *     StepRunner, EffectRunner, TransactionRunner   replay → call → judge → record
 *     MapRunner   a fan-out: a scope and a thread for each item, and the heaviest ending
 *     WaitRunner, ApprovalRunner, CallRunner   replay → is it there? → leave
 *     GateRunner  lets an attempt pass, or leaves to wait with everybody; GateBoard is what the process knows of gates
 *     ConversationRunner, ArtifactRunner   what is kept beside results
 *   Rehearsal     the same code over a recorded journal, doing nothing
 *   Watchdog      interrupts what takes longer than it may
 * </pre>
 *
 * <p>Threads: a job's code runs on a thread of its own (virtual); keepers run on platform threads, so that no user code can starve a beat.
 * All waiting goes through {@link dev.pawl.time.Time}; threads are started through {@link dev.pawl.engine.local.Threads}: under a seeded
 * scheduler the same code runs unchanged.
 */
@NullMarked
package dev.pawl.engine.local;

import org.jspecify.annotations.NullMarked;
