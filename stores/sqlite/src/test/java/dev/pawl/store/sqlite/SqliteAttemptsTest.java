package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.Store;
import dev.pawl.store.jdbc.JdbcTimes;
import dev.pawl.testkit.AttemptConformance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteAttemptsTest extends AttemptConformance {

    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.open(folder.resolve("pawl.db"), time);
    }

    @Test
    void jobs_whose_times_are_ahead_are_found_without_reading_those_that_have_ended() throws Exception {
        try (var connection = new SqliteFile(folder.resolve("pawl.db"), Duration.ofSeconds(1)).connect(false);
                var explained =
                        connection.prepareStatement("explain query plan " + JdbcTimes.AHEAD.replace("pawl.", ""))) {
            var plan = new ArrayList<String>();
            try (var rows = explained.executeQuery()) {
                while (rows.next()) {
                    plan.add(rows.getString("detail"));
                }
            }
            assertThat(plan)
                    .anySatisfy(step -> assertThat(step).contains("job USING INDEX job_due"))
                    .noneSatisfy(step -> assertThat(step).contains("TEMP B-TREE"));
        }
    }
}
