/** A real PostgreSQL server for tests, from jars alone: started, stopped, killed, copied. */
@NullMarked
package dev.pawl.testkit.postgres;

import org.jspecify.annotations.NullMarked;
