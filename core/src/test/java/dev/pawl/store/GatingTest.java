package dev.pawl.store;

import static dev.pawl.store.SampleJobs.ANNA;
import static dev.pawl.store.SampleJobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Transition;
import dev.pawl.look.StoredJob.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of a gate when jobs come to it, and when somebody opens it. */
class GatingTest {
    private static Gate closed(@Nullable Instant until) {
        return Gate.closed("g", Gate.Cause.RATE, new Gate.Closing("why", NOW, until));
    }

    @Test
    void a_job_waits_until_its_gate_opens_or_its_own_time_comes() {
        var inAnHour = closed(NOW.plusSeconds(3_600));
        var wait = new Leaving(Transition.WAIT, Outcome.NONE, null);
        assertThat(Gating.leaving(wait, inAnHour, NOW).after()).isEqualTo(Duration.ofHours(1));
        assertThat(Gating.leaving(wait, closed(null), NOW).after()).isNull();
        var ownTime = new Leaving(Transition.WAIT, Outcome.NONE, Duration.ofMinutes(5));
        assertThat(Gating.leaving(ownTime, inAnHour, NOW).after()).isEqualTo(Duration.ofMinutes(5));
        assertThat(Gating.leaving(ownTime, closed(null), NOW).after()).isEqualTo(Duration.ofMinutes(5));
        assertThat(Gating.leaving(ownTime, closed(NOW.plusSeconds(1)), NOW).after())
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(Gating.leaving(wait, inAnHour.open(), NOW).transition()).isEqualTo(Transition.COME_BACK);
        assertThat(Gating.leaving(wait, null, NOW).transition()).isEqualTo(Transition.COME_BACK);
    }

    @Test
    void more_that_was_allowed_counts_for_a_day_or_for_ever() {
        var open = new Change.OpenGate("g", 1, ANNA);
        var daily =
                Gating.opened(closed(NOW.plusSeconds(60)).openedBy(ANNA, NOW.minusSeconds(86_400), true), open, NOW);
        assertThat(daily.raised().times()).isEqualTo(2);
        var byDay = Gating.opened(
                closed(NOW.plusSeconds(60))
                        .openedBy(ANNA, NOW.minusSeconds(86_400), true)
                        .closedAgain(Gate.Cause.BUDGET, new Gate.Closing("w", NOW, NOW.plusSeconds(60))),
                open,
                NOW);
        assertThat(byDay.raised().times()).as("yesterday's no longer counts").isEqualTo(1);
        assertThat(Gating.opened(closed(null), new Change.OpenGate("g", 1, null), NOW)
                        .raised()
                        .times())
                .isZero();
    }

    @Test
    void a_rate_begins_anew_when_its_stretch_is_over_or_the_clock_went_back() {
        var rate = new Rate("g", 2, Duration.ofMinutes(1));
        var one = new Gating.Passed(NOW, 1);
        assertThat(one.more(rate, NOW.plusSeconds(10))).isEqualTo(new Gating.Passed(NOW, 2));
        assertThat(new Gating.Passed(NOW, 2).more(rate, NOW.plusSeconds(10))).isNull();
        assertThat(one.more(rate, NOW.plusSeconds(60))).isEqualTo(new Gating.Passed(NOW.plusSeconds(60), 1));
        assertThat(one.more(rate, NOW.minusSeconds(1))).isEqualTo(new Gating.Passed(NOW, 2));
        assertThat(one.more(rate, NOW.minusSeconds(3_600))).isEqualTo(new Gating.Passed(NOW.minusSeconds(3_600), 1));
    }

    @Test
    void a_gate_tells_the_whole_question() {
        assertThat(closed(null).open().text(0, "")).isEqualTo("gate g is open");
        for (var kind : Gate.Cause.values()) {
            assertThat(Gate.closed("g", kind, new Gate.Closing("why", NOW, null))
                            .text(1, ""))
                    .contains("1 job waits", "pawl open g", "they wait.");
        }
        assertThat(closed(null)
                        .openedBy(ANNA, NOW, false)
                        .closedAgain(Gate.Cause.BUDGET, new Gate.Closing("w", NOW, NOW.plusSeconds(1)))
                        .text(2, ""))
                .contains("2 jobs wait", "opened before: 1 time", "by anna: looked", "opens by itself");
    }

    private static Gate.Wish wish(String why, @Nullable Instant until, @Nullable Long seen) {
        return new Gate.Wish("g", new Gate.Reason(Gate.Cause.BUDGET, why, until, seen));
    }

    @Test
    void a_gate_closes_for_a_reason_that_is_newer_than_its_last_opening() {
        assertThat(Gating.wished(null, wish("why", null, null), NOW))
                .isEqualTo(Gate.closed("g", Gate.Cause.BUDGET, new Gate.Closing("why", NOW, null)));
        assertThat(Gating.wished(null, Gate.Wish.toJoin("g"), NOW))
                .as("it only meant to join")
                .isNull();
        assertThat(Gating.wished(null, wish("why", NOW, null), NOW))
                .as("it would open at once")
                .isNull();
        assertThat(Gating.wished(null, wish("why", NOW.plusMillis(1), null), NOW))
                .isNotNull();
        assertThat(Gating.wished(null, wish("why", null, 3L), NOW)).isNotNull();
        var closed = closed(null);
        assertThat(Gating.wished(closed, wish("other", null, null), NOW)).isEqualTo(closed);
        var open = closed.open();
        assertThat(Gating.wished(open, wish("again", null, 0L), NOW))
                .as("stale")
                .isNull();
        assertThat(Gating.wished(open, wish("again", null, 1L), NOW))
                .extracting(Gate::closings)
                .isEqualTo(2L);
    }

    @Test
    void a_gate_is_opened_as_it_was_looked_at() {
        assertThat(Gating.objection(null, new Change.OpenGate("g", 1, ANNA))).isInstanceOf(Applied.Refused.class);
        assertThat(Gating.objection(closed(null), new Change.OpenGate("g", 2, ANNA)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(Gating.objection(closed(null).open(), new Change.OpenGate("g", 1, ANNA)))
                .isInstanceOf(Applied.Already.class);
        assertThat(Gating.objection(closed(null), new Change.OpenGate("g", 1, ANNA)))
                .isNull();
        assertThat(new Gating.Passed(NOW, 2).left(new Rate("g", 2, Duration.ofMinutes(1)), NOW.plusSeconds(10)))
                .isEqualTo(Duration.ofSeconds(50));
    }
}
