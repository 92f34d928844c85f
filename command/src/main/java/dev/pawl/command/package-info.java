/**
 * Runs a command so that its end is known, although whoever started it may be killed.
 *
 * <p>Each attempt has a folder of its own. Whoever wants a command run lays an {@link dev.pawl.command.Order} into it and gives it to a minder: a
 * process of its own that outlives ours. The minder locks the folder, says there that it starts, runs the command, enforces its time-out, and
 * leaves an {@link dev.pawl.command.Exit}. Whoever comes later reads the folder: the command runs still, it has ended like this, it was never
 * started and never will be, or nobody knows.
 *
 * <p>The life of a folder: prepared → started (or abandoned: one of both, never both) → ended. Alive means that the minder's lock is held; a
 * process number means nothing.
 */
@NullMarked
package dev.pawl.command;

import org.jspecify.annotations.NullMarked;
