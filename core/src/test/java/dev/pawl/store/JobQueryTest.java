package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.JobState;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A query keeps what it was asked. */
class JobQueryTest {
    @Test
    void a_query_keeps_the_states_it_was_made_with() {
        var states = EnumSet.of(JobState.READY);
        var query = new JobQuery(states, null, null, null, new JobQuery.Page(0, 1));
        states.clear();
        assertThat(query.states()).containsExactly(JobState.READY);
        assertThat(new JobQuery(Set.of(), null, null, null, new JobQuery.Page(0, 1)).states())
                .isEmpty();
    }
}
