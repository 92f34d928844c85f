/**
 * Jobs kept in one SQLite file.
 *
 * <p>WAL, {@code synchronous=FULL}, one writer per process, readers beside it, several processes on one file. A process that works holds a
 * lock on a byte of {@code FILE-lock} for its life, so a dead one is known at once. After an I/O error the handle is thrown away and the log
 * is folded into the file before anything else is promised. {@link dev.pawl.store.sqlite.SqliteFile} knows how to open a file, or to say why
 * not; {@link dev.pawl.store.sqlite.SqliteWriter} makes changes; {@link dev.pawl.store.sqlite.SqliteReader} looks.
 */
@NullMarked
package dev.pawl.store.sqlite;

import org.jspecify.annotations.NullMarked;
