package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.StoreDriver;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Statements that were prepared while a table was empty do not read it whole once it is not: the server says so itself, in {@code pg_stat_user_tables}. */
class PostgresPlansTest {
    private static final int FINISHED = 50_000;
    private static final int TIMES = 20;

    private final String schema = TestDatabase.newSchema();

    @Test
    void work_goes_through_indexes_however_much_is_finished() throws SQLException {
        try (var store = PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            for (var i = 0; i < TIMES; i++) {
                work(driver, "early-" + i);
            }
            run("insert into %1$s.job (workflow, key, input, state, created, changed, line, ended)"
                    + " select 'w', 'old-' || n, '1', 4, 0, 0, 1, nextval('%1$s.ended') from generate_series(1, "
                    + FINISHED + ") n");
            run("insert into %1$s.identified select 'old-' || seq, seq from %1$s.job where key like 'old-%%'");
            run("insert into %1$s.journal (job, change, resubmission, at, kind, place, body)"
                    + " select seq, 1, 0, 0, 1, 's', '1' from %1$s.job where key like 'old-%%'");
        }
        var before = rowsReadByScans();
        try (var store = PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)) {
            var driver = new StoreDriver(store);
            driver.enlist(2);
            for (var i = 0; i < TIMES; i++) {
                work(driver, "late-" + i);
            }
        }
        assertThat(rowsReadByScans() - before)
                .as("rows that were read without an index")
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
        }
    }

    private long rowsReadByScans() throws SQLException {
        try (var connection = TestDatabase.source().getConnection();
                var statement = connection.prepareStatement(
                        "select sum(seq_tup_read) from pg_stat_user_tables where schemaname = ? and relname in ('job', 'journal', 'identified')")) {
            statement.setString(1, schema);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
