/**
 * The worker over a {@link dev.pawl.store.Store}.
 *
 * <pre>
 * {@link dev.pawl.engine.local.LocalEngine}   the door: submit, decide, work, close
 *   Committers    one for each commit that a store can make at once, each job bound to one
 *   Committer     gathers the changes of its jobs into one commit; a lone change commits on its caller's thread
 *   StoreClock    the store's time, as it told with its last answer
 *   WorkerLoop    the standing loop: beats for its own lease, watches the others', takes over what is dead
 *   ClaimDesk     how many jobs there is room for, and which were claimed
 *   JobRun        one claimed job, from its claim to its ending
 *     RunJournal  the job's journal, written under its fence, and what is known from it
 *     RunContext  what the run offers those who run a part of it: job, journal, rules, and what all runs of the worker share
 *     Scope       the state of one thread of the job's code: names used, what rides with the next commit, whether it has to leave
 *     JobInCode   the job as the code sees it; gives each call to a runner
 *     CodeCalls   calls the code of steps and effects, watched, and hears what it uses and writes
 *     StepRunner, EffectRunner, TransactionRunner   replay → call → judge → record
 *     DoubtRunner settles an effect in doubt; PersonsWord, by what a person said
 *     MapRunner   a fan-out: a scope and a thread for each item, and the heaviest ending
 *     WaitRunner, ApprovalRunner, CallRunner   replay → is it there? → leave
 *     GateRunner  lets an attempt pass, or leaves to wait with everybody; GateBoard is what the process knows of gates, BudgetBooks of what was spent
 *     ConversationRunner, ArtifactRunner   what is kept beside results
 *     LastCommit  the commit with which the run leaves its job
 *   Rehearsal     the same code over a recorded journal, doing nothing
 *   Watchdog      interrupts what takes longer than it may
 * </pre>
 *
 * <p>Threads: a job's code runs on a thread of its own (virtual); worker loops run on platform threads, so that no user code can starve a beat.
 * All waiting goes through {@link dev.pawl.time.Time}; threads are started through {@link dev.pawl.engine.local.Threads}: under a seeded
 * scheduler the same code runs unchanged.
 */
@NullMarked
package dev.pawl.engine.local;

import org.jspecify.annotations.NullMarked;
