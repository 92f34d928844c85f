/**
 * Where many jobs wait together.
 *
 * <pre>
 * Something is wrong that is no job's fault: no credit, a budget that is spent, a provider that wants to be left alone.
 * The first job that meets it closes a {@link dev.pawl.gate.Gate} and waits there; whoever comes later waits too. No attempt is spent.
 * What runs already finishes: a gate is met only before an attempt, never in it.
 * A gate with a time opens by itself; one without is one question for all who wait, and a person opens it.
 * When it opens, all who wait go on.
 * </pre>
 *
 * <p>{@link dev.pawl.gate.Budget} says how much may be spent, {@link dev.pawl.gate.Rate} how often something may be begun.
 */
@NullMarked
package dev.pawl.gate;

import org.jspecify.annotations.NullMarked;
