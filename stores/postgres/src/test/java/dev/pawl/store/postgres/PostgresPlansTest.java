package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.JobState;
import dev.pawl.look.JobQuery;
import dev.pawl.look.TimeWindow;
import dev.pawl.store.Change;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Statements that were prepared while a table was empty do not read it whole once it is not: the server says so itself, in {@code pg_stat_user_tables}. */
class PostgresPlansTest {
    private static final int FINISHED = 50_000;
    private static final int TIMES = 20;

    /** Itself, its identity, and a step, an intent and an answer. */
    private static final int ROWS_OF_A_JOB = 5;

    private final String schema = TestDatabase.newSchema();

    @Test
    void work_goes_through_indexes_however_much_is_finished() throws Exception {
        try (var store = PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            for (var i = 0; i < TIMES; i++) {
                work(driver, "early-" + i);
            }
            run("insert into %1$s.job (workflow, key, input, state, created, changed, claim_group, end_number, ending)"
                    + " select 'w', '1/' || length('old-' || n) || ':old-' || n, '1', 4, 0, 0, 1, nextval('%1$s.ended'), 40 from generate_series(1, "
                    + FINISHED + ") n");
            run(
                    "insert into %1$s.identified select 'old-' || seq, seq, claim_group, 'old-' || seq from %1$s.job where key like '%%:old-%%'");
            run("insert into %1$s.journal (job, change, resubmission, at, kind, place, body)"
                    + " select seq, 1, 0, 0, 1, 's', '1' from %1$s.job where key like '%%:old-%%'");
        }
        var before = counted("seq_tup_read");
        var byIndex = counted("idx_tup_fetch");
        try (var store = PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)) {
            var driver = new StoreDriver(store);
            driver.enlist(2);
            driver.apply(new Change.MendTimes(1));
            for (var i = 0; i < TIMES; i++) {
                work(driver, "late-" + i);
                store.jobs(JobQuery.all().most(10));
                store.jobs(JobQuery.in(JobState.FAILED, JobState.WAITING));
                store.jobs(
                        JobQuery.in(JobState.DONE).workflow("w").oldestFirst().most(10));
                store.unfinished(Instant.EPOCH, Instant.EPOCH);
                store.ended(TimeWindow.since(Instant.EPOCH.plusSeconds(1)));
                store.ended(TimeWindow.EVER);
            }
        }
        // A session tells its figures when it ends, which takes a moment.
        while (counted("n_tup_ins") < 3L * FINISHED + 2L * TIMES * ROWS_OF_A_JOB) {
            Time.system().await(Duration.ofMillis(20));
        }
        assertThat(counted("seq_tup_read") - before)
                .as("rows that were read without an index")
                .isLessThan(FINISHED);
        assertThat(counted("idx_tup_fetch") - byIndex)
                .as("rows that were read through an index")
                .isLessThan(FINISHED);
    }

    private static void work(StoreDriver driver, String key) {
        var held = driver.hold(key, key.startsWith("early") ? 1 : 2);
        driver.apply(held.step("s", "1"));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        driver.apply(held.finish("1"));
    }

    private void run(String sql) throws SQLException {
        try (var connection = TestDatabase.source().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql.formatted(schema));
            // What this session did is counted now, and not at some time after it has ended.
            statement.execute("select pg_stat_force_next_flush()");
        }
    }

    private long counted(String what) throws SQLException {
        try (var connection = TestDatabase.source().getConnection();
                var statement = connection.prepareStatement(
                        "select sum(" + what
                                + ") from pg_stat_user_tables where schemaname = ? and relname in ('job', 'journal', 'identified')")) {
            statement.setString(1, schema);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
