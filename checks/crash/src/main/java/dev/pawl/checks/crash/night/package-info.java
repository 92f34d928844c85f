/**
 * Bad nights from the command line: the real {@code ./pawl}, real commands, real kills, and a tally that the commands keep themselves.
 */
@NullMarked
package dev.pawl.checks.crash.night;

import org.jspecify.annotations.NullMarked;
