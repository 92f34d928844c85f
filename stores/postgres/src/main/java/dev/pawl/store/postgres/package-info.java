/**
 * A store in a schema of a PostgreSQL database, shared by workers on many machines.
 *
 * <p>What is common is done many at a time, one statement for each kind of change, all in one exchange with the server ({@code Bulk}); what is
 * not is done row by row under locks ({@code Locks}), by the code that all SQL stores share.
 */
@NullMarked
package dev.pawl.store.postgres;

import org.jspecify.annotations.NullMarked;
