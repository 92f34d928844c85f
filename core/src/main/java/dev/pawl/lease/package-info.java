/**
 * A worker's right to its jobs.
 *
 * <pre>
 * A worker enlists and gets a number. It raises its beat every third of the term, more often while it runs something.
 * It trusts its own lease for less than the term, counted from before it last asked ({@link dev.pawl.lease.Trust}).
 * Every job it claims gets a higher fence; every write it makes carries that fence.
 * Others watch its beat on their own monotonic clocks ({@link dev.pawl.lease.BeatWatch}). Nobody compares wall clocks.
 * Its beat stood still for a full term, or the kernel says that its process is gone:
 *   one guarded write declares that very beat dead and gives its jobs back, each with a higher fence.
 * That number is never enlisted again, although the enlisting may arrive once more, and late.
 * The old owner's writes now change nothing. If it still lives it finds out, drops everything and enlists anew.
 * Stopping politely, it lets acts finish, hands its jobs back and retires.
 * </pre>
 */
@NullMarked
package dev.pawl.lease;

import org.jspecify.annotations.NullMarked;
