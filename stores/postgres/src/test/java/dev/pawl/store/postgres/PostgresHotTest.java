package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.gate.Rate;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows that are written again and again stay in their place: the server says so itself, in {@code pg_stat_user_tables}. */
class PostgresHotTest {
    private static final int TIMES = 300;

    private final String schema = TestDatabase.newSchema();

    @Test
    void beats_rates_and_spending_are_updated_without_a_word_to_any_index() throws Exception {
        try (var store = PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)) {
            var driver = new StoreDriver(store);
            driver.enlist(1);
            var held = driver.hold("a", 1);
            for (var i = 1; i <= TIMES; i++) {
                var id = Changes.owned(held.hold().fence(), i);
                driver.apply(new Change.Beat(1, i));
                driver.apply(new Change.PassGateIfOwned(
                        held.hold(), id, new Rate("provider", TIMES * 2, Duration.ofHours(1))));
                driver.apply(new Change.RecordStepIfOwned(
                        held.hold(),
                        id,
                        List.of(new Entry.Used(
                                new Place("", "ask", ""), 1, List.of(Use.of("m").input(1)), Duration.ZERO))));
            }
        }
        for (var table : List.of("worker", "passed", "spent")) {
            // A session tells its figures when it ends, which takes a moment.
            while (updates(table, "n_tup_upd") < TIMES - 1) {
                Time.system().await(Duration.ofMillis(20));
            }
            assertThat(updates(table, "n_tup_hot_upd") / (double) updates(table, "n_tup_upd"))
                    .as("part of the updates of " + table + " that are HOT")
                    .isGreaterThan(0.95);
        }
    }

    private long updates(String table, String which) throws SQLException {
        try (var connection = TestDatabase.source().getConnection();
                var statement = connection.prepareStatement(
                        "select " + which + " from pg_stat_user_tables where schemaname = ? and relname = ?")) {
            statement.setString(1, schema);
            statement.setString(2, table);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
