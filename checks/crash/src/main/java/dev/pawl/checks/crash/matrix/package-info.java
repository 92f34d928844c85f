/**
 * The crash matrix: every kind of step, at every kind of change that it makes, before and after, with every way to die or to be cheated, once and
 * again during recovery. {@link dev.pawl.checks.crash.matrix.Actor} is the process that suffers, {@link dev.pawl.checks.crash.matrix.Matrix}
 * the one that makes it and counts.
 */
@NullMarked
package dev.pawl.checks.crash.matrix;

import org.jspecify.annotations.NullMarked;
