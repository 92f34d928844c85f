package dev.pawl.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.StoreFailure.Move;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every state that PostgreSQL and its driver name: whose move it is, and what it is about. */
class PostgresErrorsTest {

    private static SQLException error(String state) {
        return new SQLException("said", state);
    }

    private static void means(Move move, String sentence, String... states) {
        for (var state : states) {
            var failure = PostgresErrors.explain(error(state), "db");
            assertThat(failure.move()).as(state).isEqualTo(move);
            assertThat(failure).as(state).hasMessageContaining(sentence);
        }
    }

    @Test
    void what_passes_by_itself_is_asked_again() {
        means(
                Move.ASK_AGAIN,
                "does not answer",
                "08001",
                "08006",
                "57P01",
                "57P02",
                "57P03",
                "57P05",
                "25P03",
                "25P04");
        means(Move.ASK_AGAIN, "is full", "53100");
        means(Move.ASK_AGAIN, "no connection left", "53300");
        means(Move.ASK_AGAIN, "in time", "57014");
        means(Move.ASK_AGAIN, "holds a lock", "55P03", "40001", "40P01");
        means(Move.ASK_AGAIN, "db: said", "XX000");
    }

    @Test
    void what_somebody_has_to_mend_is_told_to_him() {
        means(Move.OPERATOR, "mend the address", "08004", "22023");
        means(Move.OPERATOR, "refuses the user or the password", "28P01", "28000");
        means(Move.OPERATOR, "createdb", "3D000");
        means(Move.OPERATOR, "give it the schema", "42501");
        means(Move.OPERATOR, "altered Pawl's tables", "3F000", "42P01", "42703", "42883", "42804", "42P10");
        means(Move.OPERATOR, "name the primary", "25006");
        var cause = new SQLException("said", "08004", new IllegalStateException("no TLS"));
        assertThat(PostgresErrors.explain(cause, "db")).hasMessageContaining("(said): no TLS");
    }

    @Test
    void an_error_without_a_state_and_a_name_that_is_not_known_are_asked_again() {
        assertThat(PostgresErrors.explain(new SQLException("said"), "db").move())
                .isEqualTo(Move.ASK_AGAIN);
        var unknown = new SQLException("said", "08001", new UnknownHostException("nowhere"));
        assertThat(PostgresErrors.explain(unknown, "db")).hasMessageContaining("not known now");
    }

    @Test
    void the_change_a_collision_a_lock_and_the_connection_are_told_apart() {
        for (var state : List.of("22001", "23505", "54000")) {
            assertThat(PostgresErrors.blamesTheChange(error(state))).as(state).isTrue();
            assertThat(PostgresErrors.isAboutTheChanges(error(state))).as(state).isTrue();
            assertThat(PostgresErrors.spoilsTheConnection(error(state)))
                    .as(state)
                    .isFalse();
        }
        for (var state : List.of("40001", "40P01")) {
            assertThat(PostgresErrors.isCollision(error(state))).as(state).isTrue();
            assertThat(PostgresErrors.isAboutTheChanges(error(state))).as(state).isTrue();
        }
        assertThat(PostgresErrors.isHeld(error("55P03"))).isTrue();
        assertThat(PostgresErrors.isAboutTheChanges(error("55P03"))).isTrue();
        for (var state : List.of("08006", "57P01", "25P03", "25P04", "")) {
            assertThat(PostgresErrors.spoilsTheConnection(error(state)))
                    .as(state)
                    .isTrue();
            assertThat(PostgresErrors.isAboutTheChanges(error(state))).as(state).isFalse();
        }
    }
}
