package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.FakeTime;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.ds.PGSimpleDataSource;

/** Hints go on although connections do not. */
class NoticesTest {
    private static final Settings DIRECT = settings(false);

    private static Settings settings(boolean pooled) {
        return new Settings("hints", Settings.Clock.OF_THE_SERVER, new Settings.Ways(true, pooled));
    }

    /** Hands out connections to the test's server, and keeps what it has handed out. */
    private static class Source extends PGSimpleDataSource {
        private static final long serialVersionUID = 1L;
        final transient List<Connection> taken = new CopyOnWriteArrayList<>();

        Source() {
            setUrl(TestDatabase.server().url());
        }

        @Override
        public Connection getConnection() throws SQLException {
            var connection = super.getConnection();
            taken.add(connection);
            return connection;
        }
    }

    /** The threads that listen or tell, of whatever store. */
    private static Set<Thread> threads() {
        var threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !Set.of("pawl-listener", "pawl-teller").contains(thread.getName()));
        return threads;
    }

    @Test
    void behind_a_pooler_nobody_listens_and_nobody_tells() {
        var source = new Source();
        var before = threads();
        var notices = new Notices(source, settings(true), Time.system());
        notices.listen();
        notices.tell();
        var after = threads();
        after.removeAll(before);
        assertThat(after).isEmpty();
        assertThat(source.taken).isEmpty();
        notices.close();
    }

    /** Listens to what is told. */
    private static Connection listening() throws SQLException {
        var connection = TestDatabase.source().getConnection();
        try (var statement = connection.createStatement()) {
            statement.execute("listen hints");
        }
        return connection;
    }

    /** Returns when something was heard; until then it is told again, since a hint may be lost. */
    private static void tellUntilHeard(Notices notices, Connection listening) throws SQLException {
        var postgres = listening.unwrap(PGConnection.class);
        for (PGNotification[] heard = {}; heard.length == 0; heard = postgres.getNotifications(50)) {
            notices.tell();
        }
    }

    @Test
    void a_hint_that_no_connection_carries_is_lost_and_later_ones_go_over_another() throws Exception {
        var refused = new CompletableFuture<Thread>();
        var source = new Source() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                if (refused.complete(Thread.currentThread())) {
                    throw new SQLException("no connection left", "53300");
                }
                return super.getConnection();
            }
        };
        var notices = new Notices(source, DIRECT, Time.system());
        try (var listening = listening()) {
            notices.tell();
            refused.join();
            tellUntilHeard(notices, listening);
            var first = source.taken.getFirst();
            try (var person = TestDatabase.source().getConnection();
                    var statement = person.createStatement()) {
                statement.execute("select pg_terminate_backend("
                        + first.unwrap(PGConnection.class).getBackendPID() + ", 5000)");
            }
            // What was told before may still arrive.
            while (source.taken.size() < 2) {
                tellUntilHeard(notices, listening);
            }
            tellUntilHeard(notices, listening);
            assertThat(source.taken).hasSize(2);
            assertThat(first.isClosed()).isTrue();
        } finally {
            notices.close();
        }
        var teller = refused.join();
        assertThat(teller.join(Duration.ofMinutes(1))).isTrue();
        assertThat(source.taken.getLast().isClosed()).as("given back").isTrue();
    }

    @Test
    void who_tells_and_gets_no_connection_ends_when_he_is_closed() throws Exception {
        var refused = new CompletableFuture<Thread>();
        var source = new Source() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                refused.complete(Thread.currentThread());
                throw new SQLException("no connection left", "53300");
            }
        };
        var notices = new Notices(source, DIRECT, Time.system());
        notices.tell();
        var teller = refused.join();
        assertThat(teller.getName()).isEqualTo("pawl-teller");
        notices.close();
        assertThat(teller.join(Duration.ofMinutes(1))).isTrue();
    }

    /** A connection on which this is heard, and of which this is said when it is asked whether anybody is at the other end. */
    private static Connection wire(
            Connection connection, Supplier<PGNotification @Nullable []> heard, Supplier<Boolean> valid) {
        var loader = NoticesTest.class.getClassLoader();
        var postgres = (PGConnection) Proxy.newProxyInstance(
                loader, new Class<?>[] {PGConnection.class}, (proxy, method, values) -> heard.get());
        return (Connection) Proxy.newProxyInstance(
                loader, new Class<?>[] {Connection.class}, (proxy, method, values) -> switch (method.getName()) {
                    case "unwrap" -> postgres;
                    case "isValid" -> valid.get();
                    default -> method.invoke(connection, values);
                });
    }

    /** Hears nothing, and says so in one of two ways as drivers do; somebody is at the other end first, and then nobody. */
    private static Connection silent(Connection connection) {
        var looks = new AtomicInteger();
        return wire(
                connection, () -> looks.get() == 0 ? null : new PGNotification[0], () -> looks.getAndIncrement() == 0);
    }

    @Test
    void a_wire_that_carries_nothing_is_given_up_and_another_is_listened_to() throws Exception {
        var source = new Source() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                var first = taken.isEmpty();
                var connection = super.getConnection();
                return first ? silent(connection) : connection;
            }
        };
        var time = new FakeTime();
        var hinted = new Signal();
        var notices = new Notices(source, DIRECT, time);
        try (var person = TestDatabase.source().getConnection();
                var statement = person.createStatement()) {
            notices.hintTo(hinted::raise);
            notices.listen();
            // Whoever has just begun to listen looks, since he may have missed something.
            while (hinted.count() < 2) {
                time.advance(Duration.ofSeconds(2));
                Time.system().await(Duration.ofMillis(5));
            }
            assertThat(source.taken).hasSize(2);
            assertThat(source.taken.getFirst().isClosed()).isTrue();
            statement.execute("notify hints");
            assertThat(hinted.await(Time.system(), 2, Duration.ofMinutes(1))).isTrue();
        } finally {
            notices.close();
        }
        assertThat(source.taken.getLast().isClosed()).isTrue();
    }

    @Test
    void who_is_closed_while_something_arrives_hears_no_more_and_gives_the_connection_up() throws Exception {
        var notices = new CompletableFuture<Notices>();
        var hearing = new CompletableFuture<Thread>();
        var source = new Source() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                var connection = super.getConnection();
                return wire(
                        connection,
                        () -> {
                            hearing.complete(Thread.currentThread());
                            notices.join().close();
                            return new PGNotification[1];
                        },
                        () -> true);
            }
        };
        var hints = new AtomicInteger();
        notices.complete(new Notices(source, DIRECT, Time.system()));
        notices.join().hintTo(hints::incrementAndGet);
        notices.join().listen();
        assertThat(hearing.join().join(Duration.ofMinutes(1))).isTrue();
        assertThat(hints).as("when it began, and what had arrived").hasValue(2);
        assertThat(source.taken).hasSize(1);
        assertThat(source.taken.getFirst().isClosed()).isTrue();
    }
}
