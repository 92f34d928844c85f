package dev.pawl.store.sqlite;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's errors mean, and the sentence that says what to do. */
final class SqliteErrors {

    private SqliteErrors() {}

    /** Whether the change itself is at fault, and not the file or the machine. */
    static boolean blamesTheChange(SQLException e) {
        if (wasMoved(e)) {
            return false;
        }
        return switch (primary(e)) {
            case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE -> true;
            default -> false;
        };
    }

    /** Whether it is the disk's or the file's fault, whoever's SQL met it. */
    static boolean blamesTheDisk(SQLException e) {
        return switch (primary(e)) {
            case SQLITE_IOERR, SQLITE_FULL, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_NOMEM, SQLITE_CANTOPEN -> true;
            default -> false;
        };
    }

    /** Whether the handle may be in a state that nobody knows, so that it must not be used again. */
    static boolean spoilsTheHandle(SQLException e) {
        return primary(e) != SQLiteErrorCode.SQLITE_BUSY;
    }

    /** Whether the store was moved elsewhere while we had it open. */
    private static boolean wasMoved(SQLException e) {
        return primary(e) == SQLiteErrorCode.SQLITE_CONSTRAINT
                && String.valueOf(e.getMessage()).contains(SqliteDeparture.SEALED);
    }

    static StoreFailure explain(SQLException e, Path file) {
        if (wasMoved(e)) {
            return new StoreFailure(Move.OPERATOR, file + " was moved; open it anew to hear where to", e);
        }
        return switch (primary(e)) {
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
                new StoreFailure(
                        Move.ASK_AGAIN,
                        "another process has held " + file + " for too long: "
                                + LockHolder.of(file).sentence(),
                        e);
            case SQLITE_FULL ->
                new StoreFailure(
                        Move.ASK_AGAIN,
                        "the disk of " + file
                                + " is full, and nothing was acknowledged; free some space, and it goes on",
                        e);
            case SQLITE_IOERR ->
                new StoreFailure(
                        Move.ASK_AGAIN,
                        "the disk of " + file + " failed (" + e.getMessage()
                                + "), and nothing was acknowledged; look at the machine's log, and copy the file away if it goes on",
                        e);
            case SQLITE_CORRUPT, SQLITE_NOTADB ->
                new StoreFailure(
                        Move.OPERATOR,
                        file + " is damaged, or is no SQLite file (" + e.getMessage()
                                + "); put a backup in its place, or name another file with --store",
                        e);
            case SQLITE_READONLY, SQLITE_PERM ->
                new StoreFailure(
                        Move.OPERATOR,
                        file + " cannot be written; give this user the right to write to it and to its folder",
                        e);
            case SQLITE_CANTOPEN ->
                new StoreFailure(
                        Move.OPERATOR,
                        file + " cannot be opened; is its folder there, and may this user write to it?",
                        e);
            default -> new StoreFailure(Move.ASK_AGAIN, "SQLite file " + file + ": " + e.getMessage(), e);
        };
    }

    /** The primary code: extended ones carry it in their lowest byte. */
    static SQLiteErrorCode primary(SQLException e) {
        var code = e instanceof SQLiteException sqlite ? sqlite.getResultCode().code : e.getErrorCode();
        return SQLiteErrorCode.getErrorCode(code & 0xff);
    }
}
