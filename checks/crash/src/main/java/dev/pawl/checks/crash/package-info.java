/**
 * Real processes over one SQLite file, or one PostgreSQL ({@code storm}), killed with {@code kill -9}, stopped with SIGSTOP, starved of disk. {@link dev.pawl.checks.crash.Tally}
 * counts what reached the world, in a process that never dies; {@link dev.pawl.checks.crash.Worker} is what is killed.
 */
@NullMarked
package dev.pawl.checks.crash;

import org.jspecify.annotations.NullMarked;
