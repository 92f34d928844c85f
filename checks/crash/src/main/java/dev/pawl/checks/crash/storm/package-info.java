/** Many workers on one PostgreSQL, and everything that can happen to them and to it: kills, freezes, crashes, a wire that does not carry. */
@NullMarked
package dev.pawl.checks.crash.storm;

import org.jspecify.annotations.NullMarked;
