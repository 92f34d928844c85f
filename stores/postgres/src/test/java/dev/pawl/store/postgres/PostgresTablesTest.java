package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.jdbc.JdbcExport;
import java.sql.SQLException;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever has a column here moves in with a store, or is said not to. */
class PostgresTablesTest {
    @Test
    void whatever_gives_numbers_here_goes_on_behind_those_that_came_with_a_store() throws SQLException {
        var schema = TestDatabase.newSchema();
        PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)
                .close();
        var there = new TreeSet<String>();
        try (var connection = TestDatabase.source().getConnection();
                var statement =
                        connection.prepareStatement("select sequencename from pg_sequences where schemaname = ?")) {
            statement.setString(1, schema);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    there.add(rows.getString(1));
                }
            }
        }
        assertThat(there).isEqualTo(PostgresArrival.SEQUENCES.keySet());
    }

    @Test
    void every_column_moves_in_with_a_store_but_for_those_that_only_this_one_has() throws SQLException {
        var schema = TestDatabase.newSchema();
        PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)
                .close();
        var there = new TreeSet<String>();
        try (var connection = TestDatabase.source().getConnection();
                var statement = connection.prepareStatement(
                        "select table_name || '.' || column_name from information_schema.columns where table_schema = ?")) {
            statement.setString(1, schema);
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    there.add(rows.getString(1));
                }
            }
        }
        assertThat(there.stream()
                        .map(column -> column.substring(0, column.indexOf('.')))
                        .collect(Collectors.toSet()))
                .isEqualTo(PostgresTables.OURS);
        there.removeAll(JdbcExport.told());
        there.removeIf(column -> column.startsWith("tally.") || column.startsWith("ledger_count."));
        assertThat(there)
                .as("how jobs ended, and what they are found by, is found out anew")
                .containsExactly(
                        "claim_group.id",
                        "claim_group.on_behalf_of",
                        "claim_group.queue",
                        "claim_group.version",
                        "claim_group.workflow",
                        "identified.claim_group",
                        "identified.identity",
                        "identified.job",
                        "identified.name",
                        "job.called",
                        "job.claim_group",
                        "job.ending",
                        "ledger_word.id",
                        "meta.name",
                        "meta.value",
                        "prices.id",
                        "worker.idle");
    }
}
