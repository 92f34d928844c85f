package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.list.Cursor;
import dev.pawl.look.JobQuery;
import dev.pawl.look.TimeWindow;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A query keeps what it was asked, and stretches of time and cursors are what they say. */
class JobQueryTest {
    @Test
    void a_query_keeps_the_states_and_classes_it_was_made_with() {
        var states = EnumSet.of(JobState.READY);
        var classes = EnumSet.of(FailureClass.ACCOUNT);
        var query = JobQuery.in(states).failedAs(classes);
        states.clear();
        classes.clear();
        assertThat(query.states()).containsExactly(JobState.READY);
        assertThat(query.classes()).containsExactly(FailureClass.ACCOUNT);
        assertThat(JobQuery.in(Set.of()).states()).isEmpty();
    }

    @Test
    void a_stretch_of_time_has_its_first_instant_and_not_the_one_after_it() {
        var noon = Instant.parse("2026-04-12T12:00:00Z");
        var hour = new TimeWindow(noon, noon.plusSeconds(3_600));
        assertThat(hour.contains(noon)).isTrue();
        assertThat(hour.contains(noon.plusSeconds(3_599))).isTrue();
        assertThat(hour.contains(noon.plusSeconds(3_600))).isFalse();
        assertThat(hour.contains(noon.minusMillis(1))).isFalse();
        assertThat(TimeWindow.EVER.contains(Instant.MAX)).isTrue();
        assertThatThrownBy(() -> new TimeWindow(noon, noon.minusSeconds(1)))
                .hasMessageContaining("ends after it begins");
    }

    @Test
    void a_cursor_is_what_was_given_out_and_nothing_else() {
        var given = Cursor.of(12, -3, Long.MAX_VALUE);
        assertThat(new Cursor(given.toString()).numbers(3)).containsExactly(12, -3, Long.MAX_VALUE);
        assertThat(Cursor.START.isStart()).isTrue();
        assertThatThrownBy(() -> new Cursor("1; drop table")).hasMessageContaining("no cursor");
        assertThatThrownBy(() -> new Cursor("1".repeat(201))).hasMessageContaining("no cursor");
        assertThatThrownBy(() -> given.numbers(2)).hasMessageContaining("no cursor");
        assertThatThrownBy(() -> new Cursor("1.x").numbers(2)).hasMessageContaining("no cursor");
    }
}
