/** Meters of what jobs do, in a Micrometer registry. */
@NullMarked
package dev.pawl.micrometer;

import org.jspecify.annotations.NullMarked;
