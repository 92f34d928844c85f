/**
 * The store port: small, in domain verbs, batch-native.
 *
 * <p>{@link dev.pawl.store.Store#exchange} takes a list of {@link dev.pawl.store.Change}s and a wish for jobs, makes one commit and says of
 * each change what became of it ({@link dev.pawl.store.Applied}). A commit without an answer is asked again with the same ids. A batch holds
 * at most one change per job. What stores must agree on is decided here, purely: {@link dev.pawl.store.Submitting},
 * {@link dev.pawl.store.Answering}, {@link dev.pawl.store.Deciding}, {@link dev.pawl.store.Rescuing}. {@code StoreConformance} in the testkit
 * is what every store passes.
 */
@NullMarked
package dev.pawl.store;

import org.jspecify.annotations.NullMarked;
