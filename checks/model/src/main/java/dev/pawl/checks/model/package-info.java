/**
 * The protocol as a TLA+ model, {@code Pawl.tla}, which the TLC model checker explores and in which nights of the simulation are replayed.
 * {@link dev.pawl.checks.model.Model} runs it; docs/model.md tells how to read it.
 */
@NullMarked
package dev.pawl.checks.model;

import org.jspecify.annotations.NullMarked;
