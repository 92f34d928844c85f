/** What a person reads: one event for each change of state, one logfmt line for each event. */
@NullMarked
package dev.pawl.event;

import org.jspecify.annotations.NullMarked;
