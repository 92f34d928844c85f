/**
 * The ledger: rows that are not jobs. A collection has rows by key, each with a payload, a state, and a line for every attempt; millions of them, because none has
 * an owner, a lease or a code of its own. Some job, the run, sends many of them together as a <em>part</em> (one file for a provider, say) and hears later, row by
 * row, what became of them.
 *
 * <p>{@link dev.pawl.ledger.RowState} is a row's life. Enrolling is unfenced and happens once for a key; only another <em>generation</em> gives it another payload.
 * Sending opens an attempt, under the fence of the job that sends and in the commit of its journal; a row has one open attempt at the most. An answer needs no
 * fence: it is bound to row, generation and attempt, and is a fact whatever has become of the job. What one comes to is decided by {@link dev.pawl.ledger.RowRules},
 * which every store calls.
 */
@NullMarked
package dev.pawl.ledger;

import org.jspecify.annotations.NullMarked;
