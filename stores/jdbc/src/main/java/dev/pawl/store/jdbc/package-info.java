/**
 * What stores in SQL databases share: rows as values, and the changes that are made row by row, inside a transaction in which nobody else can
 * change the jobs that it is about. How that is brought about is each store's own: SQLite has one writer, others lock rows.
 */
@NullMarked
package dev.pawl.store.jdbc;

import org.jspecify.annotations.NullMarked;
