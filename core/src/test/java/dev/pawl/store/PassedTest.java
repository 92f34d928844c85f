package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.gate.Rate;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How many a rate lets through, whatever the order in which transactions come to it. */
class PassedTest {
    private static final Instant START = Instant.parse("2026-04-12T02:00:00Z");
    private static final Rate TWO_A_SECOND = new Rate("provider", 2, Duration.ofSeconds(1));

    @Test
    void a_transaction_that_was_begun_before_another_and_comes_after_it_counts_in_the_same_stretch() {
        var first = new Gating.Passed(START, 1);
        var second = new Gating.Passed(START, 2);
        assertThat(first.more(TWO_A_SECOND, START.minusMillis(5))).isEqualTo(second);
        assertThat(second.more(TWO_A_SECOND, START.minusMillis(3))).isNull();
        assertThat(second.more(TWO_A_SECOND, START.minusSeconds(3)))
                .as("it waited for a lock")
                .isNull();
    }

    @Test
    void the_next_stretch_begins_when_this_one_is_over_or_the_clock_was_set_back() {
        var full = new Gating.Passed(START, 2);
        assertThat(full.more(TWO_A_SECOND, START.plusMillis(999))).isNull();
        assertThat(full.more(TWO_A_SECOND, START.plusSeconds(1))).isEqualTo(new Gating.Passed(START.plusSeconds(1), 1));
        assertThat(full.more(TWO_A_SECOND, START.minusSeconds(3600)))
                .isEqualTo(new Gating.Passed(START.minusSeconds(3600), 1));
    }
}
