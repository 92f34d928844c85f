package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.testkit.FakeTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a store remembers from one exchange to the next has a bound, and what is forgotten is found out again. */
class RememberedTest {
    private static Change.SubmitJob submission(int workflow) {
        return new Change.SubmitJob(
                new Identity("w-" + workflow, Key.of("a")), new StoredJob.Given("1", Handling.usual()), null);
    }

    @Test
    void claim_groups_that_were_forgotten_have_the_numbers_that_they_had() throws SQLException {
        var schema = TestDatabase.newSchema();
        PostgresStore.open(TestDatabase.server().url() + "&pawlSchema=" + schema)
                .close();
        var settings = new Settings(schema, Settings.Clock.OF_THE_SERVER, new Settings.Ways(true, false));
        try (var connection = TestDatabase.source().getConnection()) {
            var session = new Session(connection, settings);
            var groups = new PostgresClaimGroups(2);
            var submissions = new ArrayList<Change.SubmitJob>();
            for (var i = 0; i < 5; i++) {
                submissions.add(submission(i));
            }
            var numbers = groups.of(session, submissions);
            assertThat(numbers).hasSize(5).doesNotHaveDuplicates();
            assertThat(groups.of(session, submissions)).isEqualTo(numbers);
            assertThat(groups.of(session, List.of(submission(2)))).containsExactly(numbers[2]);
        }
    }

    /** How many positions a claim would begin behind. */
    private static int many(Connection connection, ClaimPositions positions) throws SQLException {
        try (var statement = connection.prepareStatement("select count(*) from unnest(?, ?, ?, ?)")) {
            positions.bind(new Binding(connection, statement), false);
            try (var row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Test
    void a_thousand_positions_are_remembered_and_then_claims_begin_at_the_front() throws SQLException {
        var time = new FakeTime();
        var positions = new ClaimPositions(time);
        var now = time.now();
        var anHourAgo = now.minus(Duration.ofHours(1)).toEpochMilli();
        try (var connection = TestDatabase.source().getConnection()) {
            for (var group = 0; group < 1_000; group++) {
                positions.claimed(group, 0, new ClaimPositions.Position(anHourAgo, group), now);
            }
            assertThat(many(connection, positions)).isEqualTo(1_000);
            positions.claimed(1_000, 0, new ClaimPositions.Position(anHourAgo, 1_000), now);
            assertThat(many(connection, positions)).isEqualTo(1);
        }
    }
}
