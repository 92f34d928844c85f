package dev.pawl.store.sqlite;

import dev.pawl.gate.GateNames;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;

/**
 * Copies of a store that know that they are copies. What was done after one was made is not in it: whoever went on with it as if it were the store would do
 * that again. So a copy is no store until somebody says so, and then asks before anything goes on.
 */
final class SqliteBackup {
    private static final String FROM_BACKUP =
            "this store was put in place from a backup: what was done after the backup was made is not in it";
    private static final String WITHOUT_LOG =
            "this store goes on without its log, which was lost: what was done last is not in it";
    private static final String THEN =
            ", and would be done again. Look at what happened since then, at its destination; then let it go on";

    private SqliteBackup() {}

    /** Copies a store as it is now to {@code to}, which is there as a whole or not at all; others may work with the store meanwhile. */
    static void make(SqliteFile store, Path to) {
        var target = to.toAbsolutePath();
        if (Files.exists(target)) {
            throw isThere(target);
        }
        var beside = Objects.requireNonNull(target.getParent());
        if (!Files.isDirectory(beside)) {
            throw new StoreFailure(Move.OPERATOR, "the folder " + beside + " is not there; make it first", null);
        }
        try {
            var half = Files.createTempFile(beside, "." + target.getFileName(), ".part");
            try {
                copy(store, half);
                appear(half, target);
            } finally {
                Files.deleteIfExists(half);
            }
            try (var folder = FileChannel.open(beside, StandardOpenOption.READ)) {
                folder.force(true);
            }
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, target);
        } catch (IOException e) {
            throw new StoreFailure(Move.OPERATOR, "the backup " + target + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Under its name as a whole, and never in place of a file that somebody else has put there meanwhile. */
    static void appear(Path half, Path target) throws IOException {
        try {
            Files.createLink(target, half);
        } catch (FileAlreadyExistsException e) {
            throw isThere(target);
        } catch (UnsupportedOperationException | FileSystemException noLinksHere) {
            try {
                Files.createFile(target);
            } catch (FileAlreadyExistsException e) {
                throw isThere(target);
            }
            Files.move(half, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static StoreFailure isThere(Path target) {
        return new StoreFailure(Move.OPERATOR, target + " is there already; name another file for the backup", null);
    }

    private static void copy(SqliteFile store, Path half) throws SQLException, IOException {
        try (var connection = store.connect(false);
                var copying = connection.prepareStatement("vacuum into ?")) {
            copying.setString(1, half.toString());
            copying.execute();
        }
        try (var copy = new SqliteFile(half, store.busy()).connectWithoutLog()) {
            mark(copy, SqliteFile.BACKUP_ID);
        }
        try (var channel = FileChannel.open(half, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /**
     * Makes a backup, or a file whose log was lost, the store: all fences jump, also those of jobs that began only after the backup was made, and one gate closes for everybody. What is neither is
     * not touched.
     *
     * @throws StoreFailure when what is left of another store lies beside it, which SQLite would take for its own
     */
    static void restore(SqliteFile backup, Instant now) {
        var lost = backup.lacksLog();
        if (!lost && !backup.isBackup()) {
            return;
        }
        backup.refuseOtherLeftovers();
        try (var connection = backup.connectWithoutLog();
                var statement = connection.createStatement()) {
            statement.execute("begin immediate");
            statement.execute("update job set fence = fence + " + IncomingStore.FENCES);
            closeGate(connection, (lost ? WITHOUT_LOG : FROM_BACKUP) + THEN, now);
            mark(connection, SqliteFile.APPLICATION_ID);
            statement.execute("commit");
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, backup.path());
        }
    }

    private static void closeGate(Connection connection, String why, Instant now) throws SQLException {
        try (var closing = connection.prepareStatement(
                "insert into gate (name, kind, why, since, closings, raised) values (?, 0, ?, ?, 1, 0)"
                        + " on conflict (name) do update set why = excluded.why, since = excluded.since, until = null, closings = closings + 1")) {
            closing.setString(1, GateNames.RESTORED);
            closing.setString(2, why);
            closing.setLong(3, now.toEpochMilli());
            closing.executeUpdate();
        }
    }

    private static void mark(Connection connection, int id) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("pragma application_id = " + id);
        }
    }
}
