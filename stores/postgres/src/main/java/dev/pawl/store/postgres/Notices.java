package dev.pawl.store.postgres;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Hints between workers: who makes a job ready tells those who took all there was, after the commit and apart from it. Nothing depends on a hint: who
 * hears none looks by itself after a while. Behind a pooler there are none. Thread-safe.
 */
final class Notices {
    private static final Duration EVER = Duration.ofDays(1);
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(2);
    private static final int LISTENS_MILLIS = 10_000;
    private static final int PATIENCE_SECONDS = 5;

    private final DataSource source;
    private final Settings settings;
    private final Time time;
    private final Signal toTell = new Signal();
    private final Set<Duration> awaited = ConcurrentHashMap.newKeySet();
    private volatile Runnable hint = () -> {};
    private volatile boolean closed;
    private @Nullable Thread listener;
    private @Nullable Thread teller;
    private @Nullable Connection listening;

    Notices(DataSource source, Settings settings, Time time) {
        this.source = source;
        this.settings = settings;
        this.time = time;
    }

    /** Whom to tell when others have told us. */
    void hintTo(Runnable whom) {
        hint = whom;
    }

    /** Somebody here should look, in a while; asked for twice before that, it happens once. */
    void hintIn(Duration wait) {
        if (!awaited.add(wait)) {
            return;
        }
        Thread.ofVirtual().name("pawl-hint").start(() -> {
            try {
                time.await(wait);
                awaited.remove(wait);
                if (!closed) {
                    hint.run();
                }
            } catch (InterruptedException e) {
                // Nobody interrupts it.
            }
        });
    }

    /** Listens from now on, unless it is closed: whoever is started then ends at once. */
    synchronized void listen() {
        if (listener == null && !settings.ways().pooled()) {
            listener = Thread.ofPlatform().daemon().name("pawl-listener").start(this::listenLoop);
        }
    }

    /** Tells those who want to be told, soon; nobody once it is closed. */
    void tell() {
        if (settings.ways().pooled()) {
            return;
        }
        synchronized (this) {
            if (teller == null) {
                teller = Thread.ofPlatform().daemon().name("pawl-teller").start(this::tellLoop);
            }
        }
        toTell.raise();
    }

    void close() {
        closed = true;
        toTell.raise();
        @Nullable Connection open;
        @Nullable Thread waiting;
        synchronized (this) {
            open = listening;
            waiting = listener;
        }
        if (open != null) {
            abort(open);
        }
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    // ---- listening

    private void listenLoop() {
        while (!closed) {
            try (var connection = source.getConnection()) {
                keep(connection);
                connection.setAutoCommit(true);
                try (var statement = connection.createStatement()) {
                    statement.execute("listen \"" + settings.schema() + "\"");
                    hear(connection);
                } finally {
                    // Nobody else gets one that listens.
                    abort(connection);
                }
            } catch (SQLException e) {
                // The server went away, or we are closed. Whoever needs the store hears of it in time.
            } finally {
                keep(null);
            }
            pause();
        }
    }

    private synchronized void keep(@Nullable Connection connection) {
        listening = connection;
    }

    private void hear(Connection connection) throws SQLException {
        var postgres = connection.unwrap(PGConnection.class);
        hint.run();
        while (!closed) {
            var heard = postgres.getNotifications(LISTENS_MILLIS);
            if (heard != null && heard.length > 0) {
                hint.run();
            } else if (!connection.isValid(PATIENCE_SECONDS)) {
                // Nobody is at the other end of a wire that carries nothing, and nobody says so.
                return;
            }
        }
    }

    private void pause() {
        try {
            if (!closed) {
                time.await(BETWEEN_TRIES);
            }
        } catch (InterruptedException e) {
            // Closed, or awake a little earlier.
        }
    }

    // ---- telling

    private void tellLoop() {
        var told = 0L;
        Connection connection = null;
        var theirPatience = 0;
        while (!closed) {
            var seen = toTell.count();
            try {
                if (seen != told) {
                    told = seen;
                    if (connection == null) {
                        connection = source.getConnection();
                        connection.setAutoCommit(true);
                        theirPatience = connection.getNetworkTimeout();
                        connection.setNetworkTimeout(Runnable::run, PATIENCE_SECONDS * 1_000);
                    }
                    send(connection);
                }
                toTell.await(time, seen, EVER);
            } catch (SQLException e) {
                // A hint that is lost is only a hint.
                if (connection != null) {
                    giveBack(connection, theirPatience);
                }
                connection = null;
            } catch (InterruptedException e) {
                break;
            }
        }
        if (connection != null) {
            giveBack(connection, theirPatience);
        }
    }

    /** Nobody waits for a hint to be durable. */
    private void send(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("select set_config('synchronous_commit', 'off', true); select pg_notify('"
                    + settings.schema() + "', '')");
        }
    }

    private static void giveBack(Connection connection, int theirPatience) {
        try (connection) {
            connection.setNetworkTimeout(Runnable::run, theirPatience);
        } catch (SQLException e) {
            // It is given up in any case.
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // It is gone already.
        }
    }
}
