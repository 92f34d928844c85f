/**
 * What a paused job asks a person, and the audited answer.
 *
 * <p>A {@link dev.pawl.decision.Question} says what happened, what each answer will do and the command that gives it; a
 * {@link dev.pawl.decision.Decision} says who decided what, and why. A decision names the question it answers: one on an older question is
 * a conflict.
 */
@NullMarked
package dev.pawl.decision;

import org.jspecify.annotations.NullMarked;
