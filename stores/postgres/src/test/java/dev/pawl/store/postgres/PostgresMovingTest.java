package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.export.StoreLine;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.OutgoingStore.Destination;
import dev.pawl.store.StoreFailure;
import dev.pawl.testkit.StoreDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Stores that move while somebody else moves one too, or where somebody had begun to. */
class PostgresMovingTest {
    private final String schema = TestDatabase.newSchema();
    private final String address = TestDatabase.server().url() + "&pawlSchema=" + schema;

    private void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql.replace("pawl.", schema + "."));
        }
    }

    private static List<StoreLine> told(PostgresStore store) {
        var lines = new ArrayList<StoreLine>();
        store.export(lines::add);
        return lines;
    }

    private static IncomingStore twoJobs(String token) {
        return new IncomingStore(token, told -> {
            try (var from =
                    PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + TestDatabase.newSchema())) {
                var driver = new StoreDriver(from);
                driver.submit("a", "1");
                driver.submit("b", "1");
                from.export(told);
            }
        });
    }

    @Test
    void a_store_that_somebody_else_seals_at_the_last_moment_goes_where_he_says() throws Exception {
        PostgresStore.open(address).close();
        try (var person = TestDatabase.source().getConnection()) {
            person.setAutoCommit(false);
            run(person, "lock table pawl.meta in exclusive mode");
            var departing = TestDatabase.meanwhile(
                    () -> PostgresStore.depart(address, new Destination("here", Set.of(), Set.of()), token -> {}));
            TestDatabase.awaitWaiting(person);
            run(person, "insert into pawl.meta (name, value) values ('moved_to', 'there'), ('moved_as', 't')");
            person.commit();
            assertThatThrownBy(departing::join)
                    .cause()
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("was moved elsewhere just now");
        }
        assertThatThrownBy(() -> PostgresStore.open(address)).hasMessageContaining("was moved to there");
    }

    @Test
    void a_place_that_somebody_gives_up_after_it_was_held_takes_nothing() throws Exception {
        try (var store = PostgresStore.open(address);
                var other = PostgresStore.open(address);
                var person = TestDatabase.source().getConnection()) {
            person.setAutoCommit(false);
            run(person, "lock table pawl.meta in exclusive mode");
            // Whoever waits is served in turn: it is held, given up, and looked at again.
            var taking = TestDatabase.meanwhile(() -> store.receive(twoJobs("t")));
            awaitWaiting(1);
            var givingUp = TestDatabase.meanwhile(() -> {
                other.letGo("t");
                return true;
            });
            awaitWaiting(2);
            person.rollback();
            assertThat(givingUp.get()).isTrue();
            assertThat(taking.get()).isEmpty();
            assertThat(told(store)).isEmpty();
            assertThat(other.hold("another")).as("nobody holds it").isTrue();
        }
    }

    private void awaitWaiting(int many) throws SQLException, InterruptedException {
        TestDatabase.await("select count(*) = " + many + " from pg_locks where not granted and relation = '" + schema
                + ".meta'::regclass");
    }

    @Test
    void what_an_earlier_version_had_begun_to_move_in_is_moved_in_anew() throws Exception {
        try (var half = PostgresStore.open(address)) {
            new StoreDriver(half).submit("half", "1");
        }
        try (var person = TestDatabase.source().getConnection()) {
            run(person, "insert into pawl.meta (name, value) values ('moving', 't')");
            try (var store = PostgresStore.open(address, OpenMode.MOVING_IN)) {
                assertThatThrownBy(() -> store.receive(twoJobs("t")))
                        .as("where nobody had begun, it is somebody's own")
                        .hasMessageContaining("jobs or workers of its own");
                run(person, "insert into pawl.meta (name, value) values ('moved.job', '1')");
                assertThat(store.receive(twoJobs("t"))).isNotEqualTo(Map.of()).containsKey("job");
            }
        }
        try (var store = PostgresStore.open(address)) {
            assertThat(store.find(StoreDriver.identity("half"))).isEmpty();
            assertThat(store.find(StoreDriver.identity("a"))).isPresent();
            assertThat(store.find(StoreDriver.identity("b"))).isPresent();
        }
    }
}
