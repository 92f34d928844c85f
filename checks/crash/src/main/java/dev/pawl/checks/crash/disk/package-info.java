/**
 * What is left after the power fails: one run is traced ({@code strace}), every image of the disk that a power failure could have left behind is
 * rebuilt from the trace, and each is opened. {@link dev.pawl.checks.crash.disk.Careless} is the control: it must lose rows here.
 */
@NullMarked
package dev.pawl.checks.crash.disk;

import org.jspecify.annotations.NullMarked;
