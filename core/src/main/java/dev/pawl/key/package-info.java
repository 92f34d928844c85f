/**
 * Natural keys: what a piece of work is called, made only of <em>what</em> is processed.
 *
 * <p>A {@link dev.pawl.key.Key} is a list of text parts. {@link dev.pawl.key.Encoding} writes parts so that two different lists never read
 * alike, whatever colons or slashes they hold; {@code docs/keys.md} publishes it with test vectors. {@link dev.pawl.key.Identity} is a job's
 * name, {@link dev.pawl.key.EffectKey} the name that an outside system gets to see: the same on every retry.
 */
@NullMarked
package dev.pawl.key;

import org.jspecify.annotations.NullMarked;
