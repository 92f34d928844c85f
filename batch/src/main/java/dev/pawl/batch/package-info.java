/**
 * Rows, each of them a job: run this over those, safe to run again.
 *
 * <pre>
 * A {@link dev.pawl.batch.RowFile} is read row by row; {@link dev.pawl.batch.KeyFields} say what makes a row itself.
 * A {@link dev.pawl.batch.Survey} reads all of them before anything starts: what cannot be right is refused with the lines, and what is done
 * already is seen by a look and never written.
 * A {@link dev.pawl.batch.Batch} submits what is left and works until nothing more can be done tonight.
 * A {@link dev.pawl.batch.Brake} stops it when rows fail alike, one after the other: then something is wrong that is no row's fault.
 * </pre>
 */
@NullMarked
package dev.pawl.batch;

import org.jspecify.annotations.NullMarked;
