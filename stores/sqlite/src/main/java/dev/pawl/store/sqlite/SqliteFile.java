package dev.pawl.store.sqlite;

import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.text.ShellWord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/** Opens an SQLite file as a store, or says in a sentence why not and what to do. */
final class SqliteFile {

    /** "Pawl" in the file's header: what tells our files from others'. */
    static final int APPLICATION_ID = 0x5061_776c;

    /** "PawB": a backup, which is no store until somebody says so. */
    static final int BACKUP_ID = 0x5061_7742;

    /** "PawM": moved elsewhere, or on its way. */
    static final int MOVED_ID = 0x5061_774d;

    /** "PawL": a store that is not whole without its log. */
    static final int LOGGED_ID = 0x5061_774c;

    /** The schema this version writes. */
    static final int SCHEMA = 11;

    /** Others of this machine see nothing; what SQLite makes beside a file gets the file's own mode. */
    static final FileAttribute<?> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    private final Duration busy;

    SqliteFile(Path path, Duration busy) {
        this.path = OneName.of(path);
        this.busy = busy;
    }

    Path path() {
        return path;
    }

    Duration busy() {
        return busy;
    }

    /** Makes sure that the file is a store of this version, making or migrating it as far as it may. */
    void prepare(OpenMode how) {
        NativeLibrary.settle();
        check(how);
        try {
            if (looksLikeOurs(how)) {
                return;
            }
            refuseToChange(how);
            make();
            try (var connection = connect(true)) {
                migrate(connection);
            }
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, path);
        } catch (IOException e) {
            throw new StoreFailure(Move.OPERATOR, path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Made by us and not by SQLite, which would let everybody read it. */
    private void make() throws IOException {
        try {
            Files.createFile(path, OURS_ALONE);
        } catch (FileAlreadyExistsException e) {
            // It keeps the mode that it has.
        }
    }

    private void refuseToChange(OpenMode how) throws SQLException, IOException {
        var schema = schema();
        if (how == OpenMode.TO_LOOK && schema == 0) {
            throw new StoreFailure(Move.OPERATOR, path + " is empty: nothing was ever kept in it", null);
        }
        if (!how.bringsForward() && schema > 0) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path + " has schema " + schema + ", and this Pawl reads " + SCHEMA + "; pawl schema migrate"
                            + option() + " brings it forward (an earlier Pawl cannot open it then)",
                    null);
        }
    }

    /** The schema of what is there; 0 when nothing is. */
    int schema() throws SQLException, IOException {
        if (!Files.exists(path) || Files.size(path) == 0) {
            return 0;
        }
        try (var looking = connect(false)) {
            refuseOthers(looking);
            return pragma(looking, "user_version");
        }
    }

    private boolean looksLikeOurs(OpenMode how) throws SQLException, IOException {
        if (!Files.exists(path) || Files.size(path) == 0) {
            return false;
        }
        try (var looking = connect(false)) {
            return isOurs(looking, how);
        } catch (SQLException e) {
            if (SqliteErrors.primary(e) != SQLiteErrorCode.SQLITE_READONLY) {
                throw e;
            }
        }
        undoWhatWasNeverFinished();
        try (var looking = connect(false)) {
            return isOurs(looking, how);
        }
    }

    /** The power failed, or a process died, while the file was made: its first transaction is half there, and only one that may write can undo it. */
    private void undoWhatWasNeverFinished() throws SQLException {
        try (var connection = connectAsItIs()) {
            pragma(connection, "user_version");
        }
    }

    /** Whether the file is a store of this version; false when it is still empty. Looking changes nothing in it. */
    private boolean isOurs(Connection connection, OpenMode how) throws SQLException {
        refuseOthers(connection);
        var ours = isStore(pragma(connection, "application_id")) && pragma(connection, "user_version") == SCHEMA;
        if (ours && how != OpenMode.MOVING_IN && SqliteArrival.isHalfway(connection)) {
            throw IncomingStore.halfway(path.toString());
        }
        return ours;
    }

    private static boolean isStore(int id) {
        return id == APPLICATION_ID || id == LOGGED_ID;
    }

    private void refuseOthers(Connection connection) throws SQLException {
        if (pragma(connection, "application_id") == BACKUP_ID) {
            throw isNoStore();
        }
        var moved = SqliteDeparture.sealedFor(connection);
        if (moved != null) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path + " was moved to " + moved + "; go on with --store " + ShellWord.of(moved)
                            + " (and if the move was interrupted, say it once more)",
                    null);
        }
        var schema = pragma(connection, "user_version");
        if (!isStore(pragma(connection, "application_id")) && hasTables(connection)) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path + " is an SQLite file of another program; name another file with --store",
                    null);
        }
        if (schema > SCHEMA) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path + " was written by a newer Pawl (schema " + schema + ", this one knows " + SCHEMA
                            + "); use that version, or name another file with --store",
                    null);
        }
    }

    /** Makes sure that it is a file that can be read as it is, and that nothing of it is missing. */
    void requireWhole() {
        NativeLibrary.settle();
        check(OpenMode.BRINGING_FORWARD);
    }

    private void check(OpenMode how) {
        var folder = Objects.requireNonNull(path.getParent());
        if (Files.isDirectory(path)) {
            throw new StoreFailure(Move.OPERATOR, path + " is a folder; name a file in it with --store", null);
        }
        if (!Files.isDirectory(folder)) {
            throw new StoreFailure(Move.OPERATOR, "the folder " + folder + " is not there; make it first", null);
        }
        if (Files.exists(path) && !Files.isReadable(path)) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path + " cannot be read by this user; whoever owns it may open it to a group (chmod g+r)",
                    null);
        }
        if (how != OpenMode.TO_LOOK && (!Files.isWritable(folder) || (Files.exists(path) && !Files.isWritable(path)))) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path + " cannot be written; give this user the right to write to it and to its folder",
                    null);
        }
        OneName.require(path);
        if (isBackup()) {
            throw isNoStore();
        }
        if (lacksLog()) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path + " is not whole: what was done last is in its log " + log()
                            + ", which is not there. Put that back beside it; if it is gone for good, say --restored once:"
                            + " everything then waits at a gate until somebody has looked. If nothing was moved or removed and the file was only"
                            + " opened by another program after a crash (sqlite3, which folds the log into it), it is whole, and this says so: sqlite3 "
                            + ShellWord.of(path.toString()) + " 'pragma application_id = " + APPLICATION_ID + "'",
                    null);
        }
        if (!SqliteHead.of(path).mayBeSqlite() && !Files.exists(journal())) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    path
                            + " is damaged, or is no SQLite file; put a backup in its place, or name another file with --store",
                    null);
        }
    }

    /** What SQLite undoes an unfinished transaction with. */
    private Path journal() {
        return beside("-journal");
    }

    private Path beside(String what) {
        return path.resolveSibling(path.getFileName() + what);
    }

    /** Where SQLite keeps what was committed last. */
    Path log() {
        return beside("-wal");
    }

    /** Whether the file is a backup. */
    boolean isBackup() {
        return SqliteHead.of(path).has(BACKUP_ID);
    }

    /** Whether what was committed last was in a log that is not there. */
    boolean lacksLog() {
        var head = SqliteHead.of(path);
        return head.has(LOGGED_ID) && head.goesWithLog() && !Files.exists(log());
    }

    /**
     * Whether a log lies there that whoever wrote it was done with, and that this user may fold into the file. SQLite folds the log when the last connection that may
     * write is closed, and would leave the mark of one that was killed: so that one is looked at with a connection that cannot.
     */
    boolean hasLogToFold() throws SQLException {
        if (!Files.exists(log()) || !Files.isWritable(path)) {
            return false;
        }
        try (var looking = connect(false)) {
            return pragma(looking, "application_id") == APPLICATION_ID;
        }
    }

    private StoreFailure isNoStore() {
        return new StoreFailure(
                Move.OPERATOR,
                path
                        + " is a backup: what was done after it was made is not in it. To go on with it in place of a store that was lost,"
                        + " say --restored once; everything then waits at a gate until somebody has looked",
                null);
    }

    /** A log beside a backup belongs to the store that was there before, and SQLite would play it into the backup, which never has one of its own. */
    void refuseOtherLeftovers() {
        for (var left : List.of(log(), beside("-shm"))) {
            if (Files.exists(left)) {
                throw new StoreFailure(
                        Move.OPERATOR,
                        left
                                + " belongs to the store that was lost, and would be mixed into the backup; move it away, and say --restored again",
                        null);
            }
        }
    }

    /** A connection with what the store needs set; {@code writing} ones make every commit durable. */
    Connection connect(boolean writing) throws SQLException {
        var config = new SQLiteConfig();
        config.setBusyTimeout((int) busy.toMillis());
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setCacheSize(-32_000);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        if (writing) {
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        } else {
            config.setReadOnly(true);
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        return config.createConnection("jdbc:sqlite:" + path);
    }

    /** Whether somebody else's connection is to this very file. */
    boolean isOpenOn(Connection connection) throws SQLException {
        if (!connection.getMetaData().getDatabaseProductName().equals("SQLite")) {
            // A statement that another database refuses would spoil the user's transaction.
            return false;
        }
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select file from pragma_database_list where name = 'main'")) {
            row.next();
            // Empty for one that is in memory.
            var file = Objects.requireNonNullElse(row.getString(1), "");
            return !file.isEmpty() && Files.isSameFile(Path.of(file), path);
        } catch (IOException e) {
            throw new StoreFailure(Move.OPERATOR, path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** A connection that takes the file as it is, with its log or without. */
    Connection connectAsItIs() throws SQLException {
        var config = new SQLiteConfig();
        config.setBusyTimeout((int) busy.toMillis());
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        return config.createConnection("jdbc:sqlite:" + path);
    }

    /** A connection that writes into the file itself and leaves no log beside it. */
    Connection connectWithoutLog() throws SQLException {
        var config = new SQLiteConfig();
        config.setBusyTimeout((int) busy.toMillis());
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setJournalMode(SQLiteConfig.JournalMode.DELETE);
        return config.createConnection("jdbc:sqlite:" + path);
    }

    private void migrate(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("begin immediate");
            try {
                refuseOthers(connection);
                for (var version = pragma(connection, "user_version") + 1; version <= SCHEMA; version++) {
                    for (var sql : schema(version).split(";\\s*\n")) {
                        statement.execute(sql);
                    }
                }
                statement.execute("pragma application_id = " + APPLICATION_ID);
                statement.execute("pragma user_version = " + SCHEMA);
                statement.execute("commit");
            } catch (SQLException | StoreFailure e) {
                undo(statement, e);
                throw e;
            }
        }
    }

    /** Rolls back, unless SQLite has done it by itself: what went wrong before is what people should hear of. */
    private static void undo(Statement statement, Exception cause) {
        try {
            statement.execute("rollback");
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /** How to name it on the command line. */
    String option() {
        return " --store " + ShellWord.of(path.toAbsolutePath().toString());
    }

    static String schema(int version) {
        return resource("schema-" + version + ".sql");
    }

    static String resource(String name) {
        try (var in = Objects.requireNonNull(SqliteFile.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the schema is missing from the jar", e);
        }
    }

    static int pragma(Connection connection, String name) throws SQLException {
        return number(connection, "pragma " + name);
    }

    static int number(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static boolean hasTables(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select 1 from sqlite_master limit 1")) {
            return row.next();
        }
    }
}
