package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

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

    private static StoreFailure failure(StoreDriver driver, Change change) {
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
                var away = failure(driver, step(hold, 1));
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
            var late = failure(driver, step(hold, 0));
            assertThat(late.move()).isEqualTo(Move.ASK_AGAIN);
            assertThat(late)
                    .hasMessageContaining("did not get a statement done in time")
                    .hasMessageContaining("asked again");
            statement.execute("drop trigger sleeps on slow.journal");
            assertThat(driver.apply(step(hold, 0))).isInstanceOf(Applied.Now.class);
        }
    }

    @Test
    void a_commit_whose_answer_was_lost_is_known_by_its_id() throws Exception {
        try (var store = PostgresStore.open(SERVER.url() + "&pawlSchema=lost");
                var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var hold = driver.hold("a", 1).hold();
            // Every commit waits for a standby that does not come, after it is on this server's disk.
            statement.execute("alter system set synchronous_standby_names = 'nobody'");
            statement.execute("select pg_reload_conf()");
            try {
                var asked = CompletableFuture.supplyAsync(() -> failure(driver, step(hold, 0)));
                // Whoever committed is cut off while he waits for the answer.
                while (!asked.isDone()) {
                    statement.execute(
                            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where wait_event = 'SyncRep'");
                }
                assertThat(asked.get().move()).isEqualTo(Move.ASK_AGAIN);
            } finally {
                statement.execute("alter system reset synchronous_standby_names");
                statement.execute("select pg_reload_conf()");
            }
            assertThat(store.journal(hold.job()))
                    .as("it was committed all the same")
                    .hasSize(1);
            assertThat(driver.apply(step(hold, 0))).isInstanceOf(Applied.Already.class);
            assertThat(store.journal(hold.job())).hasSize(1);
        }
    }
}
