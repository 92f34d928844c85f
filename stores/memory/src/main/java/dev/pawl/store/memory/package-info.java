/** Jobs kept in memory: for tests and for the simulation. Nothing survives the process; every promise but durability is kept. */
@NullMarked
package dev.pawl.store.memory;

import org.jspecify.annotations.NullMarked;
