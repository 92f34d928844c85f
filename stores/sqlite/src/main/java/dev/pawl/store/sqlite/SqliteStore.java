package dev.pawl.store.sqlite;

import dev.pawl.export.LineSums;
import dev.pawl.export.StoreLine;
import dev.pawl.journal.Entry;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.store.Abilities;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.OccurrencePosition;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.SqlStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.JdbcExport;
import dev.pawl.store.jdbc.JdbcStore;
import dev.pawl.store.jdbc.JdbcWriter;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.store.jdbc.UserTransaction;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sqlite.ProgressHandler;

/** A store in one SQLite file. Several processes of one machine may share it. Thread-safe. */
public final class SqliteStore extends JdbcStore implements SqlStore {

    /** The schema this version writes. */
    public static final int SCHEMA = SqliteFile.SCHEMA;

    /** How long a write waits for another process's, unless said. */
    private static final Duration USUAL_BUSY = Duration.ofSeconds(5);

    private static final int STEPS_BETWEEN_LOOKS = 1_000;

    private final SqliteFile file;
    private final Time time;
    private final OpenMode how;
    private final SameFile sameFile;
    private final Lifelines lifelines;
    private final SqliteReader reader;
    private final ReentrantLock writing = new ReentrantLock();
    private final WritingHandle writingHandle;
    private boolean closed;

    private SqliteStore(SqliteFile file, Time time, OpenMode how) {
        this.file = file;
        this.time = time;
        this.how = how;
        file.prepare(how);
        this.sameFile = SameFile.at(file.path());
        this.lifelines = Lifelines.beside(file.path(), how);
        this.reader = new SqliteReader(file);
        this.writingHandle = new WritingHandle(file, time, sameFile);
    }

    /**
     * Opens the store in {@code file}, making it when it is not there.
     *
     * @throws StoreFailure when it cannot be one, with a sentence that says why and what to do
     */
    public static SqliteStore open(Path file, Time time) {
        return open(file, time, USUAL_BUSY);
    }

    /**
     * Opens the store in {@code file} as far as {@code how} allows.
     *
     * @throws StoreFailure when it is no store, or would have to be changed first
     */
    public static SqliteStore open(Path file, Time time, OpenMode how) {
        return new SqliteStore(new SqliteFile(file, USUAL_BUSY), time, how);
    }

    /** The schema of the store in {@code file}; 0 when there is none. Looking changes nothing. */
    public static int schemaOf(Path file) {
        NativeLibrary.settle();
        var there = new SqliteFile(file, USUAL_BUSY);
        try {
            return there.schema();
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, there.path());
        } catch (IOException e) {
            throw new StoreFailure(StoreFailure.Move.OPERATOR, file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Brings the store in {@code file} to the schema of this version. */
    public static void bringForward(Path file) {
        new SqliteFile(file, USUAL_BUSY).prepare(OpenMode.BRINGING_FORWARD);
    }

    /** The schema of this version as SQL, one version after the other. */
    public static String schemaText() {
        return IntStream.rangeClosed(1, SCHEMA).mapToObj(SqliteFile::schema).collect(Collectors.joining("\n"));
    }

    /**
     * The one true name of a store's file, whatever it is called here: what belongs to the store lies beside it under that name.
     *
     * @throws StoreFailure when the file has another name that cannot be told from it, a hard link or a mount of the file alone
     */
    public static Path oneName(Path file) {
        var name = OneName.of(file);
        OneName.require(name);
        return name;
    }

    /**
     * Copies the store in {@code file} as it is now to {@code to}, while others may work with it. The copy is no store until it is {@link #restore restored}.
     *
     * @throws StoreFailure when it cannot be copied, or {@code to} is there already
     */
    public static void backUp(Path file, Path to) {
        var store = new SqliteFile(file, USUAL_BUSY);
        store.prepare(OpenMode.TO_LOOK);
        SqliteBackup.make(store, to);
    }

    /**
     * Makes the backup in {@code file} a store: fences jump, and everything waits at a gate until a person has looked at what was done since the
     * backup was made. A file that is no backup stays as it is.
     */
    public static void restore(Path file, Time time) {
        NativeLibrary.settle();
        SqliteBackup.restore(new SqliteFile(file, USUAL_BUSY), time.now());
    }

    /**
     * Seals the store in {@code file}, or finds it sealed by an earlier try for the same place: whoever opens it from then on is told where it went.
     *
     * @param beforeSealing hears of the token, holds the other place, and throws when it cannot: then the file stays as it is
     * @throws StoreFailure when somebody works with it, or it was moved elsewhere before
     */
    public static OutgoingStore depart(Path file, OutgoingStore.Destination order, Consumer<String> beforeSealing) {
        NativeLibrary.settle();
        if (!Files.exists(file)) {
            throw new StoreFailure(StoreFailure.Move.OPERATOR, "there is no store " + file, null);
        }
        return SqliteDeparture.seal(new SqliteFile(file, USUAL_BUSY), order, beforeSealing);
    }

    /** Like {@link #open(Path, Time)}, waiting at most {@code busy} for another process's write. */
    public static SqliteStore open(Path file, Time time, Duration busy) {
        return new SqliteStore(new SqliteFile(file, busy), time, OpenMode.BRINGING_FORWARD);
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        writing.lock();
        try {
            sameFile.require();
            var current = writer();
            var now = time.now();
            if (changes.isEmpty() && !current.claims().anyDue(wanted, now)) {
                return new Exchanged(List.of(), List.of(), current.claims().nextDue(wanted, now), now);
            }
            try {
                return committed(current, changes, wanted);
            } catch (SQLException e) {
                throwUnlessTheChangeIsToBlame(e);
                return oneByOne(changes, wanted);
            }
        } catch (SQLException e) {
            throw writingHandle.explained(e);
        } finally {
            writing.unlock();
        }
    }

    private Exchanged committed(SqliteWriter current, List<Change> changes, Wanted wanted) throws SQLException {
        current.begin();
        try {
            var exchanged = current.apply(changes, wanted);
            current.commit();
            return exchanged;
        } catch (SQLException | RuntimeException e) {
            writingHandle.undo(current, e);
            throw e;
        }
    }

    private static void throwUnlessTheChangeIsToBlame(SQLException e) throws SQLException {
        if (!SqliteErrors.blamesTheChange(e)) {
            throw e;
        }
    }

    /** The database refused something: each change is tried alone, and only the refused one fails. */
    private Exchanged oneByOne(List<Change> changes, Wanted wanted) throws SQLException {
        var applied = new ArrayList<Applied>(changes.size());
        var claimed = new ArrayList<Claimed>();
        for (var change : changes) {
            try {
                var one = committed(writer(), List.of(change), Wanted.NOTHING);
                applied.addAll(one.applied());
                claimed.addAll(one.claimed());
            } catch (SQLException e) {
                throwUnlessTheChangeIsToBlame(e);
                applied.add(new Applied.Refused("the database refused it: " + e.getMessage()));
            }
        }
        var rest = committed(writer(), List.of(), wanted);
        claimed.addAll(rest.claimed());
        return new Exchanged(applied, claimed, rest.next(), rest.limited(), rest.now());
    }

    private void requireChangesAreTaken() {
        if (how == OpenMode.TO_LOOK) {
            throw new StoreFailure(
                    StoreFailure.Move.OPERATOR, file.path() + " was opened to look at it, and takes no change", null);
        }
    }

    private SqliteWriter writer() throws SQLException {
        if (closed) {
            throw new StoreFailure(StoreFailure.Move.OPERATOR, file.path() + " was closed by this process", null);
        }
        requireChangesAreTaken();
        return writingHandle.writer();
    }

    @Override
    protected <T> T look(Looking<T> looking) {
        sameFile.require();
        return reader.look(looking);
    }

    /** Every look at a file is one. */
    @Override
    protected <T> T lookAtOneMoment(Looking<T> looking) {
        return look(looking);
    }

    @Override
    public List<Occurrence> happened(Cursor cursor, int most) {
        return look(looks -> looks.happened(cursor, OccurrencePosition.END, most));
    }

    @Override
    public void export(Consumer<StoreLine> told) {
        sameFile.require();
        // A connection of its own: what is told takes long, and is what was there when it began.
        try (var connection = file.connect(false)) {
            connection.setAutoCommit(false);
            new JdbcExport(connection, "").to(told);
            connection.rollback();
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, file.path());
        }
    }

    @Override
    public Set<Long> knownGone(Collection<WorkerRecord> workers) {
        return workers.stream().map(WorkerRecord::id).filter(lifelines::gone).collect(Collectors.toSet());
    }

    @Override
    public Lifeline lifeline(long worker) {
        return lifelines.hold(worker);
    }

    @Override
    public void onReady(Runnable hint) {
        // Other processes cannot call us; workers look by themselves.
    }

    @Override
    public Abilities abilities() {
        return Abilities.PLAIN.withSql().whichKnowsTheDead();
    }

    @Override
    public Optional<SqlStore> sql() {
        return Optional.of(this);
    }

    @Override
    public Applied submitWithin(Connection theirs, Change.SubmitJob submission) {
        requireChangesAreTaken();
        try {
            UserTransaction.requireOn(theirs);
            if (!file.isOpenOn(theirs)) {
                throw new StoreFailure(
                        StoreFailure.Move.OPERATOR, "this connection does not lead to " + file.path(), null);
            }
            var sql = new Statements(theirs, "");
            try {
                SqliteLog.markWithin(sql);
                var applied =
                        new JdbcWriter(sql, SqliteDialect.INSTANCE).apply(submission, time.now(), new ArrayList<>());
                // While the transaction has the lock: whoever of us writes next does so after it, and finds what is
                // owed.
                writingHandle.wroteElsewhere();
                return applied;
            } finally {
                sql.close();
            }
        } catch (SQLException e) {
            throw SqliteErrors.explain(e, file.path());
        }
    }

    @Override
    public Applied transact(Change.Hold hold, long id, SqlStore.Work work, Duration longest) throws Exception {
        writing.lock();
        try {
            sameFile.require();
            return transacted(writer(), hold, id, work, longest);
        } catch (UserTransaction.WorkFailed e) {
            if (e.thrown() instanceof SQLException sql && SqliteErrors.blamesTheDisk(sql)) {
                throw writingHandle.explained(sql);
            }
            throw e.thrown();
        } catch (SQLException e) {
            throw writingHandle.explained(e);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public Map<String, LineSums.Sum> receive(IncomingStore arriving) {
        var token = arriving.token();
        return token == null || hold(token) ? onArrival(arrival -> arrival.take(arriving)) : Map.of();
    }

    @Override
    public boolean hold(String token) {
        return onArrival(arrival -> arrival.hold(token));
    }

    @Override
    public void letGo(String token) {
        onArrival(arrival -> {
            arrival.letGo(token);
            return true;
        });
    }

    private interface ArrivalStep<T> {
        T use(SqliteArrival arrival) throws SQLException;
    }

    /** In a transaction of its own. */
    private <T> T onArrival(ArrivalStep<T> step) {
        writing.lock();
        try {
            sameFile.require();
            var current = writer();
            current.begin();
            try {
                var result = step.use(new SqliteArrival(
                        writingHandle.connection(), file.path().toString()));
                current.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                writingHandle.undo(current, e);
                throw e;
            }
        } catch (SQLException e) {
            throw writingHandle.explained(e);
        } finally {
            writing.unlock();
        }
    }

    private Applied transacted(SqliteWriter current, Change.Hold hold, long id, SqlStore.Work work, Duration longest)
            throws SQLException, UserTransaction.WorkFailed {
        current.begin();
        var ended = false;
        try {
            var applied = current.changes().beforeUsersPart(hold, id);
            if (applied instanceof Applied.Now) {
                var entries = watched(writingHandle.connection(), work, longest);
                current.changes().append(hold.job(), id, time.now(), entries);
            }
            current.commit();
            ended = true;
            return applied;
        } catch (SQLException | UserTransaction.WorkFailed | RuntimeException e) {
            ended = true;
            writingHandle.undo(current, e);
            throw e;
        } finally {
            // An Error out of user code, too, must not leave the file locked.
            if (!ended) {
                writingHandle.drop();
            }
        }
    }

    /** SQLite asks now and then whether to go on with a statement: that is how one that hangs is stopped. */
    private List<Entry> watched(Connection using, SqlStore.Work work, Duration longest)
            throws SQLException, UserTransaction.WorkFailed {
        var start = time.nanos();
        ProgressHandler.setHandler(using, STEPS_BETWEEN_LOOKS, new ProgressHandler() {
            @Override
            protected int progress() {
                return UserTransaction.late(longest, time, start) ? 1 : 0;
            }
        });
        try {
            return UserTransaction.run(using, work, longest, time);
        } finally {
            ProgressHandler.clearHandler(using);
        }
    }

    @Override
    public String option() {
        return file.option();
    }

    @Override
    public String describe() {
        return "SQLite file " + file.path();
    }

    @Override
    public void close() {
        writing.lock();
        try {
            if (!closed) {
                closed = true;
                // Whoever only looks cannot fold the log: the writer is the last to leave.
                reader.close();
                writingHandle.leave();
                lifelines.close();
            }
        } finally {
            writing.unlock();
        }
    }
}
