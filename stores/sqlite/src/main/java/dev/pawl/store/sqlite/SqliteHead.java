package dev.pawl.store.sqlite;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What a file's own first bytes say. A connection might believe what another store has left beside it.
 *
 * <p>To close any descriptor of a file lets go of every lock that this process has on it, SQLite's too: so it is not read while a store in it is open
 * here, and then says nothing.
 */
final class SqliteHead {
    /** How long SQLite's own head is, and where it keeps how it is to be read and the application's id. */
    private static final int LENGTH = 100;

    private static final int READING = 19;
    private static final int ID = 68;

    /** To be read together with a log. */
    private static final byte WITH_LOG = 2;

    private static final String BEGINNING = "SQLite format 3\0";

    private final byte[] bytes;

    private SqliteHead(byte[] bytes) {
        this.bytes = bytes;
    }

    static SqliteHead of(Path file) {
        if (Lifelines.areOpenHere(file)) {
            return new SqliteHead(new byte[0]);
        }
        try (var in = Files.newInputStream(file)) {
            return new SqliteHead(in.readNBytes(LENGTH));
        } catch (NoSuchFileException e) {
            return new SqliteHead(new byte[0]);
        } catch (IOException e) {
            throw new StoreFailure(Move.OPERATOR, file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether it may be, or become, an SQLite file: an empty one may. */
    boolean mayBeSqlite() {
        return bytes.length == 0
                || new String(bytes, 0, Math.min(bytes.length, BEGINNING.length()), StandardCharsets.US_ASCII)
                        .equals(BEGINNING);
    }

    boolean goesWithLog() {
        return bytes.length == LENGTH && bytes[READING] == WITH_LOG;
    }

    boolean has(int applicationId) {
        return bytes.length == LENGTH && ByteBuffer.wrap(bytes).getInt(ID) == applicationId;
    }
}
