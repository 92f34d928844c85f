/** Pawl on PostgreSQL beside its bound and beside others who do the same work, on one server and in one run. */
@NullMarked
package dev.pawl.checks.bench.postgres;

import org.jspecify.annotations.NullMarked;
