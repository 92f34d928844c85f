package dev.pawl.store.postgres;

import dev.pawl.export.LineSums;
import dev.pawl.export.StoreLine;
import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.store.Abilities;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Exchanged;
import dev.pawl.store.HeldChange;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore;
import dev.pawl.store.SqlStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.JdbcStore;
import dev.pawl.store.jdbc.JdbcWriter;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.store.jdbc.UserTransaction;
import dev.pawl.text.ShellWord;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A store in a schema of a PostgreSQL database. Workers on many machines may share it. Thread-safe. */
public final class PostgresStore extends JdbcStore implements SqlStore {
    /** The schema this version writes. */
    public static final int SCHEMA = PostgresSchema.VERSION;

    private static final int COMMITTERS = 2;
    private static final int MOST_CONNECTIONS = 8;

    private final Handover handover;
    private final String server;
    private final String identity;
    private final Settings settings;
    private final Connections connections;
    private final Notices notices;
    private final Semaphore usersTransactions = new Semaphore(MOST_CONNECTIONS / 2);
    private final Horizon horizon = new Horizon();
    private final Exchanges exchanges;
    private final Bulk.Remembered remembered;
    private final Time time;
    private final OpenMode how;
    private volatile boolean closed;

    private PostgresStore(
            Handover handover,
            DataSource source,
            String server,
            String identity,
            Settings settings,
            Time time,
            OpenMode how) {
        this.handover = handover;
        this.server = server;
        this.identity = identity;
        this.settings = settings;
        this.remembered = new Bulk.Remembered(new PostgresClaimGroups(), new ClaimPositions(time));
        this.connections = new Connections(handover, settings, MOST_CONNECTIONS);
        this.notices = new Notices(source, settings, time);
        this.exchanges = new Exchanges(server, settings, remembered, notices);
        this.time = time;
        this.how = how;
    }

    /** Whether {@code text} is the address of such a store, and not a file. */
    public static boolean isAddress(String text) {
        return text.startsWith(Address.PREFIX);
    }

    /** Whether there is a store in {@code schema} of the database that {@code source} leads to. Looking changes nothing. */
    public static boolean isThere(DataSource source, String schema) {
        var server = "the PostgreSQL database";
        var handover = new Handover(source);
        handover.refuseByName();
        try (var connection = handover.take()) {
            return new PostgresSchema(schema, server).isThere(connection);
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
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
     * Seals the store at {@code address}, or finds it sealed by an earlier try for the same place: whoever opens it from then on is told where it went.
     *
     * @param beforeSealing hears of the token, holds the other place, and throws when it cannot: then it stays as it is
     * @throws StoreFailure when somebody works with it, or it was moved elsewhere before
     */
    public static OutgoingStore depart(
            String address, OutgoingStore.Destination destination, Consumer<String> beforeSealing) {
        var parsed = Address.parse(address);
        try {
            var connection = parsed.source(System.getenv()).getConnection();
            try {
                return PostgresDeparture.seal(
                        connection,
                        new PostgresSchema(parsed.schema(), parsed.shown()),
                        PostgresMeta.of(connection, parsed.schema()),
                        destination,
                        beforeSealing);
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, parsed.shown());
        }
    }

    /**
     * Says of the store at {@code address} that its database was restored from a backup: nobody goes on with what was begun before, and everybody waits at the gate
     * {@link dev.pawl.gate.GateNames#RESTORED} until a person has looked, and opens it.
     */
    public static void restored(String address) {
        var parsed = Address.parse(address);
        try (var connection = parsed.source(System.getenv()).getConnection()) {
            PostgresRestored.mark(connection, parsed.schema());
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, parsed.shown());
        }
        try (var store = open(address, OpenMode.AS_IT_IS)) {
            PostgresRestored.takeFromEverybody(store);
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
        return open(address, OpenMode.BRINGING_FORWARD);
    }

    /**
     * Opens the store at {@code address} as far as {@code how} allows.
     *
     * @throws StoreFailure when there is none, or it would have to be changed first
     */
    public static PostgresStore open(String address, OpenMode how) {
        var parsed = Address.parse(address);
        return open(
                parsed.source(System.getenv()),
                parsed.schema(),
                parsed.shown(),
                Settings.Ways.find(true),
                Settings.Clock.OF_THE_SERVER,
                Time.system(),
                how);
    }

    /** The schema of the store at {@code address}; 0 when there is none. Looking changes nothing. */
    public static int schemaOf(String address) {
        var parsed = Address.parse(address);
        try (var connection = parsed.source(System.getenv()).getConnection()) {
            var there = new PostgresSchema(parsed.schema(), parsed.shown()).version(connection);
            return there == null ? 0 : there;
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, parsed.shown());
        }
    }

    /** The schema of this version as SQL, one version after the other. */
    public static String schemaText() {
        return IntStream.rangeClosed(1, SCHEMA).mapToObj(PostgresSchema::script).collect(Collectors.joining("\n"));
    }

    /**
     * Opens the store in a schema of the database that {@code source} leads to, making it when it is not there. Connections are given back after each
     * use.
     *
     * @throws StoreFailure when it cannot be opened, with a sentence that says why and what to do
     */
    public static PostgresStore open(DataSource source, String schema) {
        return open(source, schema, OpenMode.BRINGING_FORWARD);
    }

    /** Like {@link #open(DataSource, String)}; {@code how} says what may be done to it. */
    public static PostgresStore open(DataSource source, String schema, OpenMode how) {
        return open(
                source,
                schema,
                "the PostgreSQL database",
                Settings.Ways.find(false),
                Settings.Clock.OF_THE_SERVER,
                Time.system(),
                how);
    }

    static PostgresStore open(
            DataSource source,
            String schema,
            String server,
            Settings.Ways.WayFinder finding,
            Settings.Clock clock,
            Time time) {
        return open(source, schema, server, finding, clock, time, OpenMode.BRINGING_FORWARD);
    }

    private static PostgresStore open(
            DataSource source,
            String schema,
            String server,
            Settings.Ways.WayFinder finding,
            Settings.Clock clock,
            Time time,
            OpenMode how) {
        var handover = new Handover(source);
        handover.refuseByName();
        try (var connection = handover.take()) {
            var identity = new PostgresSchema(schema, server).prepare(connection, how);
            var settings = new Settings(schema, clock, finding.of(connection));
            return new PostgresStore(handover, source, server, identity, settings, time, how);
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    @Override
    public CommitsAtOnce commitsAtOnce() {
        return new CommitsAtOnce(COMMITTERS, true);
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        requireChangesAreTaken();
        return using(session -> exchanges.make(session, changes, wanted));
    }

    private void requireChangesAreTaken() {
        if (how == OpenMode.TO_LOOK) {
            throw new StoreFailure(
                    StoreFailure.Move.OPERATOR, server + " was opened to look at it, and takes no change", null);
        }
    }

    // ---- looks

    private interface Using<T> {
        T use(Session session) throws SQLException;
    }

    @Override
    protected <T> T look(Looking<T> looking) {
        return using(session -> looking.look(session.looks()));
    }

    @Override
    protected <T> T lookAtOneMoment(Looking<T> looking) {
        return using(session -> session.atOneMoment(looking));
    }

    private Session borrow() throws SQLException {
        if (closed) {
            throw new StoreFailure(StoreFailure.Move.OPERATOR, server + " was closed by this process", null);
        }
        return connections.borrow();
    }

    private <T> T using(Using<T> using) {
        try {
            return using(borrow(), using);
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    private <T> T using(Session session, Using<T> using) throws SQLException {
        var out = true;
        SQLException why = null;
        try {
            var result = using.use(session);
            connections.giveBack(session);
            out = false;
            return result;
        } catch (HeldChange held) {
            connections.giveBack(session);
            out = false;
            throw held;
        } catch (SQLException e) {
            why = e;
            throw e;
        } finally {
            // Whatever else went wrong, an Error too: nobody knows what was left on its connection.
            if (out) {
                connections.drop(session, why);
            }
        }
    }

    @Override
    public List<Occurrence> happened(Cursor cursor, int most) {
        return using(session -> {
            var upTo = horizon.settled(session.sql());
            // Whoever is seen to have ended is seen with all that was recorded before.
            return session.atOneMoment(looks -> looks.happened(cursor, upTo, most));
        });
    }

    @Override
    public void export(Consumer<StoreLine> told) {
        using(session -> {
            session.export(told);
            return true;
        });
    }

    @Override
    public Map<String, LineSums.Sum> receive(IncomingStore arriving) {
        requireChangesAreTaken();
        return onItsOwn(arrival -> arrival.take(arriving));
    }

    @Override
    public boolean hold(String token) {
        requireChangesAreTaken();
        return onItsOwn(arrival -> arrival.hold(token));
    }

    @Override
    public void letGo(String token) {
        onItsOwn(arrival -> {
            arrival.letGo(token);
            return true;
        });
    }

    private interface ArrivalPart<T> {
        T use(PostgresArrival arrival) throws SQLException;
    }

    /** On a connection apart, which may take as long as it takes, and in whose schemas a user's tables belong. */
    private <T> T onItsOwn(ArrivalPart<T> arrivalPart) {
        try (var connection = handover.take()) {
            return arrivalPart.use(new PostgresArrival(connection, settings.schema(), server));
        } catch (SQLException e) {
            throw PostgresErrors.explain(e, server);
        }
    }

    @Override
    public void onReady(Runnable hint) {
        notices.hintTo(hint);
    }

    // ---- transactions of users

    @Override
    public Abilities abilities() {
        return Abilities.PLAIN.withSql();
    }

    @Override
    public Optional<SqlStore> sql() {
        return Optional.of(this);
    }

    /** A notification in their transaction is sent when it commits, which nobody but the server can know. */
    @Override
    public Applied submitWithin(Connection theirs, Change.SubmitJob submission) {
        requireChangesAreTaken();
        try {
            UserTransaction.requireOn(theirs);
            if (settings.ways().own()) {
                // In their transaction a new claim group would keep everybody else from it until they commit.
                using(session -> remembered.groups().of(session, List.of(submission)));
            }
            var sql = new Statements(theirs, settings.prefix());
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

    @Override
    public Applied transact(Change.Hold hold, long id, SqlStore.Work work, Duration longest) throws Exception {
        requireChangesAreTaken();
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

    private Applied transacted(Session session, Change.Hold hold, long id, SqlStore.Work work, Duration longest)
            throws SQLException, UserTransaction.WorkFailed {
        var theirs = session.beginForUser();
        new Locks(session.sql()).lockForTransaction(hold.job(), id);
        var applied = session.writer().beforeUsersPart(hold, id);
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
        return PostgresStore.isAddress(server) ? " --store " + ShellWord.of(server) : "";
    }

    @Override
    public Optional<String> identity() {
        return Optional.of(identity);
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
