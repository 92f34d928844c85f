/**
 * What every store must do, and the fakes that tests stand on.
 *
 * <p>{@link dev.pawl.testkit.StoreConformance} and the other classes of that ending are the one door for a store: extend each, open your store, and every promise
 * of the port is tested. {@link dev.pawl.testkit.FakeTime} is a clock that a test turns; {@link dev.pawl.testkit.FaultyStore} fails where it is told to.
 */
@NullMarked
package dev.pawl.testkit;

import org.jspecify.annotations.NullMarked;
