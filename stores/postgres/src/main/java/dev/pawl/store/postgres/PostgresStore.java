package dev.pawl.store.postgres;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Line;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Applied;
import dev.pawl.store.Brief;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Happened;
import dev.pawl.store.JobQuery;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Transactional;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.JdbcWriter;
import dev.pawl.store.jdbc.Looks;
import dev.pawl.store.jdbc.Sql;
import dev.pawl.store.jdbc.UserTransaction;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A store in a schema of a PostgreSQL database. Workers on many machines may share it. Thread-safe. */
public final class PostgresStore implements Store {

    private static final int COLLISIONS = 5;
    private static final Duration SOON = Duration.ofMillis(30);
    private static final int COMMITTERS = 2;
    private static final int MOST_CONNECTIONS = 8;

    private final String server;
    private final String identity;
    private final Settings settings;
    private final Connections connections;
    private final Notices notices;
    private final Semaphore usersTransactions = new Semaphore(MOST_CONNECTIONS / 2);
    private final Horizon horizon = new Horizon();
    private volatile long worker;
    private volatile long marked;
    private volatile long lastClaim;
    private final Bulk.Known known;
    private final Texts texts;
    private final Time time;
    private volatile boolean closed;

    private PostgresStore(DataSource source, String server, String identity, Settings settings, Time time) {
        this.server = server;
        this.identity = identity;
        this.settings = settings;
        this.texts = new Texts(settings);
        this.known = new Bulk.Known(new PostgresLines(), new Marks(time));
        this.connections = new Connections(source, settings, MOST_CONNECTIONS);
        this.notices = new Notices(source, settings, time);
        this.time = time;
    }

    /** Whether {@code text} is the address of such a store, and not a file. */
    public static boolean isAddress(String text) {
        return text.startsWith(Address.PREFIX);
    }

    /** Whether there is a store at {@code address}. Looking changes nothing. */
    public static boolean isThere(String address) {
        var parsed = Address.parse(address);
        try (var connection = parsed.source(System.getenv()).getConnection()) {
            return new PostgresSchema(parsed.schema(), parsed.shown()).isThere(connection);
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, parsed.shown());
        }
    }

    /**
     * Takes a store in at {@code address}, where none is yet.
     *
     * @param source the tables of the store that moves in, in which nobody writes any more
     * @param token tells this move from every other; under it an interrupted one goes on
     * @param said hears of every table that is there
     */
    public static void receive(String address, Connection source, String token, Consumer<String> said) {
        var parsed = Address.parse(address);
        try (var connection = parsed.source(System.getenv()).getConnection()) {
            new PostgresSchema(parsed.schema(), parsed.shown()).prepare(connection, true);
            new PostgresMove(connection, parsed.schema(), parsed.shown()).receive(source, token, said);
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, parsed.shown());
        }
    }

    /** The address without what is secret in it. */
    public static String shown(String address) {
        return Address.parse(address).shown();
    }

    /**
     * Opens the store at {@code address}, {@code jdbc:postgresql://HOST:PORT/DATABASE} with whatever parameters the driver knows, making it when it is
     * not there. The tables are in the schema {@code pawl} unless {@code pawlSchema} names another.
     *
     * @throws StoreFailure when it cannot be opened, with a sentence that says why and what to do
     */
    public static PostgresStore open(String address) {
        var parsed = Address.parse(address);
        return open(
                parsed.source(System.getenv()),
                parsed.schema(),
                parsed.shown(),
                true,
                Settings.Clock.OF_THE_SERVER,
                Time.system());
    }

    /**
     * Opens the store in a schema of the database that {@code source} leads to, making it when it is not there. Connections are given back after each
     * use.
     *
     * @throws StoreFailure when it cannot be opened, with a sentence that says why and what to do
     */
    public static PostgresStore open(DataSource source, String schema) {
        return open(source, schema, "the PostgreSQL database", false, Settings.Clock.OF_THE_SERVER, Time.system());
    }

    static PostgresStore open(
            DataSource source, String schema, String server, boolean own, Settings.Clock clock, Time time) {
        try (var connection = source.getConnection()) {
            connection.setAutoCommit(true);
            var identity = new PostgresSchema(schema, server).prepare(connection, false);
            var settings = new Settings(schema, clock, new Settings.Ways(own, PostgresSchema.isPooled(connection)));
            return new PostgresStore(source, server, identity, settings, time);
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    @Override
    public CommitsAtOnce commitsAtOnce() {
        return new CommitsAtOnce(COMMITTERS, true);
    }

    // ---- exchanges

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        return using(session -> {
            var bulk = new Bulk(settings, texts, known, worker, changes, wanted);
            // A claim that was sent before may still arrive: only another one under its number, or a higher, keeps it
            // from being met then.
            var asksAgain = wanted.any() && wanted.claim() <= lastClaim;
            var nothing = changes.isEmpty() && wanted.any() && !asksAgain ? nothingDue(session, bulk, wanted) : null;
            if (nothing != null) {
                return nothing;
            }
            if (wanted.any()) {
                lastClaim = wanted.claim();
            }
            var now = bulk.any() ? inBulk(session, bulk) : null;
            var exchanged = theRest(session, bulk, changes, wanted, now);
            if (bulk.told().anybodyIdle() || (bulk.told().anyHandedBack() && anotherIsIdle(session))) {
                notices.tell();
            }
            if (wanted.any() && !settings.ways().pooled()) {
                mark(session, wanted, bulk);
            }
            return exchanged;
        });
    }

    /** Looks before it writes: whoever has nothing to do leaves no trace, but for a mark that he wants to be told. Null when there is something to claim. */
    private @Nullable Exchanged nothingDue(Session session, Bulk bulk, Wanted wanted) throws SQLException {
        var nothing = bulk.look(session);
        if (nothing == null) {
            return null;
        }
        if (marked == wanted.worker() || settings.ways().pooled()) {
            return nothing;
        }
        mark(session, wanted, true);
        return bulk.look(session);
    }

    /** Whoever left something behind looks again by himself; whoever took all that was there wants to be told from now on. */
    private void mark(Session session, Wanted wanted, Bulk bulk) throws SQLException {
        var toBeTold = !bulk.told().leavesBehind();
        if (toBeTold != (marked == wanted.worker())) {
            mark(session, wanted, toBeTold);
        }
    }

    /** Whoever submitted something just before he could see the mark told nobody, and may take a moment to commit it: then it is looked for once more. */
    private void mark(Session session, Wanted wanted, boolean toBeTold) throws SQLException {
        session.sql().run("update pawl.worker set idle = ? where id = ?", toBeTold ? 1 : 0, wanted.worker());
        marked = toBeTold ? wanted.worker() : 0;
        if (toBeTold) {
            notices.hintIn(SOON);
        }
    }

    /** Makes what can be made in bulk; when the database refuses any of it, nothing, and each is tried alone later. */
    private static @Nullable Instant inBulk(Session session, Bulk bulk) throws SQLException {
        try {
            bulk.run(session);
            return bulk.told().nowOrNull();
        } catch (SQLException e) {
            if (!PostgresErrors.blamesTheChange(e) && !PostgresErrors.isCollision(e) && !PostgresErrors.isHeld(e)) {
                throw e;
            }
            bulk.told().nothing();
            return null;
        }
    }

    private Exchanged theRest(Session session, Bulk bulk, List<Change> changes, Wanted wanted, @Nullable Instant at)
            throws SQLException {
        var now = at;
        var claimed = new ArrayList<>(bulk.told().claimed());
        var applied = new ArrayList<Applied>(changes.size());
        for (var i = 0; i < changes.size(); i++) {
            var done = bulk.told().applied(i);
            applied.add(done == null ? alone(session, i, changes.get(i), claimed) : done);
        }
        var next = bulk.told().next();
        var limited = false;
        if (wanted.any() && !bulk.told().claimAnswered()) {
            var slowly = claimSlowly(session, wanted);
            claimed.addAll(slowly.claimed());
            next = slowly.next();
            limited = slowly.limited();
            now = slowly.now();
        }
        if (now == null) {
            now = session.begin();
            session.commit();
        }
        return new Exchanged(applied, claimed, next, limited, now);
    }

    /** Makes one change under locks, row by row. */
    private Applied alone(Session session, int index, Change change, List<Claimed> claimed) throws SQLException {
        try {
            return retrying(session, now -> {
                new Locks(session.sql()).lock(change);
                var taken = new ArrayList<Claimed>();
                var applied = session.writer().apply(change, now, taken);
                if (change instanceof Change.CallIfOwned) {
                    session.sql()
                            .run(
                                    "update pawl.job set called = 1 where called = 0 and seq in (select child from pawl.call where parent = ?)",
                                    change.job());
                }
                var wakes = mayMakeReady(change) && anotherIsIdle(session);
                session.commit();
                claimed.addAll(taken);
                heard(change, applied, wakes);
                return applied;
            });
        } catch (SQLException e) {
            if (PostgresErrors.blamesTheChange(e)) {
                return new Applied.Refused("the database refused it: " + e.getMessage());
            }
            if (PostgresErrors.isHeld(e)) {
                throw PostgresErrors.held(index, e, server);
            }
            throw e;
        }
    }

    /** Whether a job may be to be claimed after such a change that was not before. */
    private static boolean mayMakeReady(Change change) {
        return switch (change) {
            case Change.RecordStepIfOwned c -> false;
            case Change.IntendEffectIfOwned c -> false;
            case Change.KeepArtifactIfOwned c -> false;
            case Change.PassGateIfOwned c -> false;
            case Change.Enlist c -> false;
            case Change.Beat c -> false;
            case Change.Retire c -> false;
            case Change.PruneJobs c -> false;
            default -> true;
        };
    }

    private boolean anotherIsIdle(Session session) throws SQLException {
        return session.sql().one("select 1 from pawl.worker where idle = 1 and id <> ? limit 1", row -> 1, worker)
                != null;
    }

    private void heard(Change change, Applied applied, boolean wakes) {
        if (change instanceof Change.Enlist enlist && applied.done()) {
            worker = enlist.worker();
            notices.listen();
        }
        if (wakes && applied.done()) {
            notices.tell();
        }
    }

    /** Claims under locks, where limits count or a claim is asked again; says what it found and when the next comes due. */
    private Exchanged claimSlowly(Session session, Wanted wanted) throws SQLException {
        return retrying(session, now -> {
            new Locks(session.sql()).lockLimits(wanted.worker());
            var taken = new ArrayList<Claimed>();
            var next = session.claims().claim(wanted, now, taken);
            session.commit();
            return new Exchanged(List.of(), taken, next, session.claims().limited(), now);
        });
    }

    private interface Attempt<T> {
        T run(Instant now) throws SQLException;
    }

    private static <T> T retrying(Session session, Attempt<T> attempt) throws SQLException {
        for (var i = 1; ; i++) {
            try {
                return attempt.run(session.begin());
            } catch (SQLException e) {
                session.undo(e);
                if (!PostgresErrors.isCollision(e) || i == COLLISIONS) {
                    throw e;
                }
            } catch (RuntimeException e) {
                session.undo(e);
                throw e;
            }
        }
    }

    // ---- looks

    private interface Using<T> {
        T use(Session session) throws SQLException;
    }

    private interface Looking<T> {
        T look(Looks looks) throws SQLException;
    }

    private <T> T look(Looking<T> looking) {
        return using(session -> looking.look(session.looks()));
    }

    private Session borrow() throws SQLException {
        if (closed) {
            throw new StoreFailure(StoreFailure.Move.OPERATOR, server + " was closed by this process", null);
        }
        return connections.borrow();
    }

    private <T> T using(Using<T> using) {
        Session session = null;
        SQLException why = null;
        try {
            session = borrow();
            var result = using.use(session);
            connections.giveBack(session);
            session = null;
            return result;
        } catch (SQLException e) {
            why = e;
            throw PostgresErrors.explain(e, server);
        } finally {
            // Whatever went wrong, an Error too: nobody knows what was left on its connection.
            if (session != null) {
                connections.drop(session, why);
            }
        }
    }

    @Override
    public Optional<StoredJob> find(Identity identity) {
        return look(looks -> looks.byHash(identity.hash()));
    }

    @Override
    public Optional<StoredJob> job(long id) {
        return look(looks -> looks.byId(id));
    }

    @Override
    public List<StoredJob> jobs(JobQuery query) {
        return look(looks -> looks.jobs(query));
    }

    @Override
    public Map<String, Brief> briefs(Collection<String> hashes) {
        return look(looks -> looks.briefs(hashes));
    }

    @Override
    public List<Happened> happened(Happened.Cursor cursor, int most) {
        return using(session -> session.looks().happened(cursor, horizon.settled(session.sql()), most));
    }

    @Override
    public List<Taking> due(Instant before) {
        return look(looks -> looks.due(before));
    }

    @Override
    public List<Line> journal(long job) {
        return look(looks -> looks.journal(job));
    }

    @Override
    public Optional<Bytes> artifact(long job, Place place) {
        return look(looks -> looks.artifact(job, place));
    }

    @Override
    public List<StoredJob> children(long job) {
        return look(looks -> looks.children(job));
    }

    @Override
    public List<Spent> spent(LocalDate day) {
        return look(looks -> looks.spent(day));
    }

    @Override
    public List<Gate> gates() {
        return look(Looks::gates);
    }

    @Override
    public long waitingAt(String gate) {
        return look(looks -> looks.waitingAt(gate));
    }

    @Override
    public Set<Long> calledOff(long worker) {
        return look(looks -> looks.calledOff(worker));
    }

    @Override
    public List<WorkerRecord> workers() {
        return look(Looks::workers);
    }

    @Override
    public void onReady(Runnable hint) {
        notices.hintTo(hint);
    }

    // ---- transactions of users

    @Override
    public Optional<Transactional> transactional() {
        return Optional.of(this::transact);
    }

    /** A notification in their transaction is sent when it commits, which nobody but the server can know. */
    @Override
    public Applied submitWithin(Connection theirs, Change.SubmitJob submission) {
        try {
            UserTransaction.requireOn(theirs);
            if (settings.ways().own()) {
                // In their transaction a new line would keep everybody else from it until they commit.
                using(session -> known.lines().of(session, List.of(submission)));
            }
            var sql = new Sql(theirs, settings.prefix());
            try {
                if (!PostgresSchema.isStore(sql, identity)) {
                    throw new StoreFailure(
                            StoreFailure.Move.OPERATOR, "this connection does not lead to " + server, null);
                }
                new Locks(sql).lock(submission);
                var now = Instant.ofEpochMilli(
                        Objects.requireNonNull(sql.one("select " + settings.now(), row -> row.getLong(1))));
                var applied = new JdbcWriter(sql, PostgresDialect.INSTANCE).apply(submission, now, new ArrayList<>());
                sql.each(
                        "select pg_notify(?, '') where exists (select 1 from pawl.worker where idle = 1)",
                        row -> {},
                        settings.schema());
                return applied;
            } finally {
                sql.close();
            }
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    private Applied transact(Change.Hold hold, long id, Transactional.Work work, Duration longest) throws Exception {
        Session session = null;
        SQLException why = null;
        usersTransactions.acquire();
        try {
            session = borrow();
            var applied = transacted(session, hold, id, work, longest);
            connections.giveBack(session);
            session = null;
            return applied;
        } catch (UserTransaction.WorkFailed e) {
            if (e.thrown() instanceof SQLException sql && PostgresErrors.spoilsTheConnection(sql)) {
                why = sql;
                throw PostgresErrors.explain(sql, server);
            }
            throw e.thrown();
        } catch (SQLException e) {
            why = e;
            if (PostgresErrors.blamesTheChange(e)) {
                // A constraint of theirs that is looked at when they commit.
                throw e;
            }
            throw PostgresErrors.explain(e, server);
        } finally {
            usersTransactions.release();
            // Whatever went wrong, an Error out of user code too: with its connection the transaction is gone.
            if (session != null) {
                connections.drop(session, why);
            }
        }
    }

    private Applied transacted(Session session, Change.Hold hold, long id, Transactional.Work work, Duration longest)
            throws SQLException, UserTransaction.WorkFailed {
        var theirs = session.beginForUser();
        new Locks(session.sql()).lockForTransaction(hold.job(), id);
        var applied = session.writer().has(hold.job(), id)
                ? Applied.already()
                : session.writer().holds(hold) ? Applied.now() : new Applied.LeaseLost();
        if (applied instanceof Applied.Now) {
            session.usersPartBegins(theirs, longest);
            var entries = UserTransaction.run(session.connection(), work, longest, time);
            var now = session.usersPartEnds();
            session.writer().append(hold.job(), id, now, entries);
        }
        session.commit();
        return applied;
    }

    @Override
    public String option() {
        return PostgresStore.isAddress(server) ? " --store '" + server.replace("'", "'\\''") + "'" : "";
    }

    @Override
    public String describe() {
        return server;
    }

    @Override
    public void close() {
        closed = true;
        notices.close();
        connections.close();
    }
}
