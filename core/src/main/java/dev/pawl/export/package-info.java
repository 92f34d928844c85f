/**
 * A store as lines: everything that is in it, whatever kind of store it is, so that it can be read without it, compared, and kept.
 *
 * <p>A {@link dev.pawl.export.StoreLine} is one thing of one {@link dev.pawl.export.StoreKind}; a store tells all of them as they are at one moment, kind after
 * kind. {@link dev.pawl.export.LineSums} counts them and adds up their hashes, which come to the same in whatever order they are told.
 * {@link dev.pawl.export.ExportFile} writes and reads them as JSON lines. Streamed: nobody holds more than one line.
 */
@NullMarked
package dev.pawl.export;

import org.jspecify.annotations.NullMarked;
