package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.cost.Use;
import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What happens to a store that is open: each trouble has a sentence that says whose move it is, and nothing is lost by it. */
class PostgresTroubleTest {
    private static final PostgresServer SERVER = PostgresServer.start();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static Change.RecordStepIfOwned step(Change.Hold hold, int n) {
        return new Change.RecordStepIfOwned(
                hold, Changes.owned(hold.fence(), n), List.of(new Entry.StepDone(new Place("", "step-" + n, ""), "1")));
    }

    private static @Nullable StoreFailure failure(StoreDriver driver, Change change) {
        return catchThrowableOfType(StoreFailure.class, () -> driver.apply(change));
    }

    @Test
    void a_server_that_goes_away_is_waited_for_and_has_lost_nothing_when_it_comes_back() {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=away")) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var hold = driver.hold("a", 1).hold();
            driver.apply(step(hold, 0));
            SERVER.crash();
            for (var i = 0; i < 3; i++) {
                var away = Objects.requireNonNull(failure(driver, step(hold, 1)));
                assertThat(away.move()).isEqualTo(Move.ASK_AGAIN);
                assertThat(away)
                        .hasMessageContaining("does not answer")
                        .hasMessageContaining("nothing was acknowledged");
            }
            SERVER.startAgain();
            assertThat(driver.apply(step(hold, 1))).isInstanceOf(Applied.Now.class);
            assertThat(driver.apply(step(hold, 1))).isInstanceOf(Applied.Already.class);
            assertThat(store.journal(hold.job())).hasSize(2);
        }
    }

    @Test
    void a_statement_that_takes_too_long_is_told_and_asked_again() throws Exception {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=slow");
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var hold = driver.hold("a", 1).hold();
            statement.execute(
                    "create function slow.sleeps() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end'");
            statement.execute(
                    "create trigger sleeps before insert on slow.journal for each row execute function slow.sleeps()");
            var late = Objects.requireNonNull(failure(driver, step(hold, 0)));
            assertThat(late.move()).isEqualTo(Move.ASK_AGAIN);
            assertThat(late)
                    .hasMessageContaining("did not get a statement done in time")
                    .hasMessageContaining("asked again");
            statement.execute("drop trigger sleeps on slow.journal");
            assertThat(driver.apply(step(hold, 0))).isInstanceOf(Applied.Now.class);
        }
    }

    private static SQLException thrown(PostgresStore store, StoreDriver.Held held, String sql) {
        try {
            store.sql()
                    .orElseThrow()
                    .transact(
                            held.hold(),
                            held.id(1),
                            connection -> {
                                try (var statement = connection.createStatement()) {
                                    statement.execute(sql);
                                }
                                return List.of();
                            },
                            Duration.ofSeconds(30));
        } catch (SQLException theirs) {
            return theirs;
        } catch (StoreFailure ours) {
            return new SQLException(ours.getMessage(), "ours " + ours.move());
        } catch (Exception other) {
            throw new IllegalStateException(other);
        }
        throw new AssertionError("nothing was thrown");
    }

    @Test
    void what_is_wrong_with_the_users_sql_is_told_to_the_user_and_a_connection_that_is_gone_to_whoever_asks_again() {
        var store = PostgresStore.open(SERVER.url() + "&pawlSchema=users");
        var driver = new StoreDriver(store);
        driver.enlist(1);
        var held = driver.hold("a", 1);
        assertThat(thrown(store, held, "no sql at all").getSQLState()).isEqualTo("42601");
        assertThat(thrown(store, held, "select pg_terminate_backend(pg_backend_pid())")
                        .getSQLState())
                .isEqualTo("ours ASK_AGAIN");
        assertThat(driver.apply(held.step("s", "1")).done()).isTrue();
        store.close();
        assertThatThrownBy(store::workers)
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("was closed by this process");
    }

    @Test
    void a_commit_whose_answer_was_lost_is_known_by_its_id() throws Exception {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=lost");
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var hold = driver.hold("a", 1).hold();
            // Every commit waits for a standby that does not come, after it is on this server's disk: as soon as all
            // that
            // have a hand in it have heard of it. Until then commits are answered.
            statement.execute("alter system set synchronous_standby_names = 'nobody'");
            SERVER.reload();
            var lost = 0;
            var asked = commit(driver, step(hold, lost), statement);
            while (asked == null) {
                asked = commit(driver, step(hold, ++lost), statement);
            }
            assertThat(asked.move()).isEqualTo(Move.ASK_AGAIN);
            statement.execute("alter system reset synchronous_standby_names");
            SERVER.reload();
            // A commit that is answered: nobody waits any more.
            statement.execute("create table lost.answered ()");
            assertThat(store.journal(hold.job()))
                    .as("it was committed all the same")
                    .hasSize(lost + 1);
            assertThat(driver.apply(step(hold, lost))).isInstanceOf(Applied.Already.class);
            assertThat(store.journal(hold.job())).hasSize(lost + 1);
        }
    }

    /** Commits a change; whoever waits for a standby meanwhile is cut off. Null when it was answered. */
    private static @Nullable StoreFailure commit(StoreDriver driver, Change change, Statement other) throws Exception {
        var asked = TestDatabase.meanwhile(() -> failure(driver, change));
        while (!asked.isDone()) {
            other.execute("select pg_terminate_backend(pid, 5000) from pg_stat_activity where wait_event = 'SyncRep'");
            Time.system().await(Duration.ofMillis(5));
        }
        return asked.get();
    }

    /** Something that cannot be made in bulk. */
    private static Change.RecordStepIfOwned used(StoreDriver.Held held) {
        return new Change.RecordStepIfOwned(
                held.hold(),
                held.id(1),
                List.of(new Entry.Used(
                        new Place("", "ask", ""), 1, List.of(Use.of("m").input(1)), Duration.ZERO)));
    }

    /** Every row of {@code table} that is about {@code job} is refused from now on with an error of this state, until the trigger is gone. */
    private static void refuse(Statement statement, String table, String when, String state) throws SQLException {
        var schema = table.substring(0, table.indexOf('.'));
        statement.execute("create sequence if not exists " + schema + ".tries");
        statement.execute("create or replace function " + schema + ".refuses() returns trigger language plpgsql as"
                + " 'begin perform nextval(''" + schema + ".tries''); raise exception ''no'' using errcode = ''" + state
                + "''; end'");
        statement.execute("create or replace trigger refuses before insert or update on " + table
                + " for each row when (" + when + ") execute function " + schema + ".refuses()");
    }

    private static long tries(Statement statement, String schema) throws SQLException {
        try (var row = statement.executeQuery("select last_value from " + schema + ".tries")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void what_the_database_refuses_is_refused_alone_and_what_came_with_it_is_made() throws Exception {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=refusing");
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var a = driver.hold("a", 1);
            var b = driver.hold("b", 1);
            refuse(statement, "refusing.journal", "new.job = " + a.job().id(), "23514");
            var applied =
                    store.exchange(List.of(used(a), used(b)), Wanted.NOTHING).applied();
            assertThat(applied.get(0))
                    .isInstanceOfSatisfying(
                            Applied.Refused.class,
                            refused -> assertThat(refused.why()).contains("the database refused it", "no"));
            assertThat(applied.get(1)).isInstanceOf(Applied.Now.class);
            assertThat(store.journal(a.job().id())).isEmpty();
            assertThat(store.journal(b.job().id())).hasSize(1);
        }
    }

    @Test
    void trouble_that_is_no_changes_fault_is_told_and_nothing_was_made() throws Exception {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=sick");
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var a = driver.hold("a", 1);
            var b = driver.hold("b", 1);
            var both = List.<Change>of(used(a), used(b));
            refuse(statement, "sick.journal", "true", "58030");
            for (var changes : List.of(both, both.subList(0, 1))) {
                assertThatThrownBy(() -> store.exchange(changes, Wanted.NOTHING))
                        .isInstanceOfSatisfying(
                                StoreFailure.class,
                                failure -> assertThat(failure.move()).isEqualTo(Move.ASK_AGAIN));
                assertThat(store.journal(a.job().id())).isEmpty();
                assertThat(store.journal(b.job().id())).isEmpty();
            }
            assertThat(tries(statement, "sick")).as("it was not tried again").isEqualTo(2);
            statement.execute("drop trigger refuses on sick.journal");
            assertThat(store.exchange(both, Wanted.NOTHING).applied()).allMatch(Applied.Now.class::isInstance);
        }
    }

    @Test
    void what_the_database_gives_up_for_the_sake_of_others_is_tried_five_times_and_then_told() throws Exception {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=given_up");
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var change = used(driver.hold("a", 1));
            refuse(statement, "given_up.journal", "true", "40001");
            var given = Objects.requireNonNull(failure(driver, change));
            assertThat(given.move()).isEqualTo(Move.ASK_AGAIN);
            assertThat(given).hasMessageContaining("holds a lock");
            assertThat(tries(statement, "given_up")).isEqualTo(5);
            statement.execute("drop trigger refuses on given_up.journal");
            assertThat(driver.apply(change)).isInstanceOf(Applied.Now.class);
        }
    }

    @Test
    void trouble_while_jobs_are_claimed_within_limits_is_told_and_none_was_claimed() throws Exception {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=limited");
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            driver.apply(new Change.LimitQueue("", 3));
            driver.submit("a", "1");
            refuse(statement, "limited.job", "true", "58030");
            assertThatThrownBy(() -> driver.claim(1, 1))
                    .isInstanceOfSatisfying(
                            StoreFailure.class,
                            failure -> assertThat(failure.move()).isEqualTo(Move.ASK_AGAIN));
            statement.execute("drop trigger refuses on limited.job");
            assertThat(store.find(StoreDriver.identity("a")).orElseThrow().state())
                    .isEqualTo(JobState.READY);
            assertThat(driver.claim(1, 1)).hasSize(1);
        }
    }

    @Test
    void a_connection_of_the_users_data_source_that_is_gone_is_given_back_and_another_is_taken() {
        var source = new PGSimpleDataSource();
        source.setUrl(SERVER.url());
        try (var store = PostgresStore.open(source, "gone")) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var held = driver.hold("a", 1);
            assertThat(thrown(store, held, "select pg_terminate_backend(pg_backend_pid())")
                            .getSQLState())
                    .isEqualTo("ours ASK_AGAIN");
            assertThat(driver.apply(held.step("s", "1")).done()).isTrue();
        }
    }

    @Test
    void a_long_transaction_that_loses_its_connection_says_so_and_puts_nothing_back_on_it() throws SQLException {
        try (var connection = DriverManager.getConnection(SERVER.url())) {
            assertThatThrownBy(() -> LongTransaction.in(connection, () -> {
                        LongTransaction.run(connection, "select pg_terminate_backend(pg_backend_pid())");
                        return true;
                    }))
                    .isInstanceOfSatisfying(SQLException.class, lost -> {
                        assertThat(lost.getSQLState()).isEqualTo("57P01");
                        assertThat(lost.getSuppressed())
                                .as("there was nothing to roll back")
                                .hasSize(1);
                    });
            assertThat(connection.isClosed()).isTrue();
        }
    }
}
