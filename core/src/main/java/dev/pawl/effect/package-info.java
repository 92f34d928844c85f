/**
 * Work that touches the outside world, and how a missing answer is settled.
 *
 * <p>The life of an effect:
 *
 * <pre>
 * no record    → an intent is committed (attempt 1) → act → the answer is committed
 * happened     → its result is returned, nothing runs
 * in doubt     → an attempt that may have happened and has no answer: {@link dev.pawl.effect.Settling} decides by the contract that was
 *                recorded with the attempt, never by the code of today:
 *                idempotent, and the destination still remembers the key → act again with the same key
 *                verifiable → ask the destination; "did not happen" counts only once no earlier attempt can still land
 *                neither    → a person is asked
 * </pre>
 *
 * <p>{@link dev.pawl.effect.Contract} is what user code declares, {@link dev.pawl.effect.Terms} what is kept of it. Deciding is pure; the
 * engine does the doing.
 */
@NullMarked
package dev.pawl.effect;

import org.jspecify.annotations.NullMarked;
