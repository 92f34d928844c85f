package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How jobs wait together at a gate, on every store. */
public abstract class GateConformance extends StoreHarness {
    private Applied waits(StoreDriver.Held held, @Nullable String why, @Nullable Duration reopens) {
        var until = reopens == null ? null : time.now().plus(reopens);
        var reason = why == null ? null : new Gate.Reason(Gate.Cause.ACCOUNT, why, until, null);
        var wish = new Gate.Wish("account/w", reason);
        return driver.apply(new Change.WaitAtGateIfOwned(
                held.hold(),
                held.id(1),
                List.of(new Entry.Released(held.job().standing().fence(), "gate", Duration.ZERO)),
                wish,
                null));
    }

    private Gate gate() {
        return driver.store().gates().getFirst();
    }

    @Test
    void the_first_closes_it_and_all_wait_at_one_question() {
        driver.enlist(1);
        var first = driver.hold("a", 1);
        var second = driver.hold("b", 1);
        waits(first, "no credit", null);
        waits(second, "no credit either", null);
        assertThat(driver.state(first)).isEqualTo(JobState.WAITING);
        assertThat(driver.store().gates()).hasSize(1);
        assertThat(gate().closing()).isNotNull();
        assertThat(gate().text(2, ""))
                .contains("no credit")
                .contains("pawl open account/w")
                .doesNotContain("either");
        assertThat(gate().closings()).isEqualTo(1);
        assertThat(driver.store().waitingAt("account/w")).isEqualTo(2);
        time.advance(Duration.ofDays(30));
        assertThat(driver.claim(1, 5)).isEmpty();

        var open = new Change.OpenGate("account/w", 1, ANNA);
        assertThat(driver.apply(open)).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(open)).isInstanceOf(Applied.Already.class);
        assertThat(driver.claim(1, 5)).hasSize(2);
        assertThat(driver.store().waitingAt("account/w")).isZero();
        assertThat(gate().raised().times()).isEqualTo(1);
        assertThat(gate().openings()).as("kept for ever").hasSize(1);
        assertThat(gate().openings().getFirst().audit()).isEqualTo(ANNA);
    }

    @Test
    void a_reason_with_any_character_in_it_is_kept() {
        driver.enlist(1);
        waits(driver.hold("a", 1), "no\0credit \uD83D\uDE00 'left' \\ %s", null);
        assertThat(gate().text(1, "")).contains("credit \uD83D\uDE00 'left' \\ %s");
    }

    @Test
    void a_gate_of_every_kind_reads_back() {
        driver.enlist(1);
        for (var kind : Gate.Cause.values()) {
            var held = driver.hold("at-" + kind, 1);
            driver.apply(new Change.WaitAtGateIfOwned(
                    held.hold(),
                    held.id(0),
                    List.of(),
                    new Gate.Wish("g-" + kind, new Gate.Reason(kind, "why", null, null)),
                    null));
        }
        assertThat(driver.store().gates()).extracting(Gate::cause).containsExactlyInAnyOrder(Gate.Cause.values());
    }

    @Test
    void one_that_opens_by_itself_lets_jobs_go_on_at_that_time() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        waits(held, "slow down", Duration.ofMinutes(1));
        assertThat(driver.claim(1, 5)).isEmpty();
        assertThat(gate().closedAt(time.now())).isTrue();
        time.advance(Duration.ofMinutes(1));
        assertThat(gate().closedAt(time.now())).isFalse();
        assertThat(driver.claim(1, 5)).hasSize(1);
    }

    @Test
    void one_that_was_closed_while_the_clock_was_ahead_opens_after_as_long_as_it_was_to() {
        driver.enlist(1);
        time.jump(Duration.ofDays(365));
        var held = driver.hold("a", 1);
        waits(held, "slow down", Duration.ofMinutes(1));
        time.jump(Duration.ofDays(-365));
        time.advance(Duration.ofMinutes(1));
        assertThat(gate().closedAt(time.now())).as("for a year").isTrue();
        assertThat(driver.apply(new Change.MendTimes(10)))
                .isEqualTo(new Applied.Mended(1, Duration.ofDays(365).minusMinutes(1), false));
        assertThat(gate().closedAt(time.now())).isTrue();
        time.advance(Duration.ofMinutes(1));
        assertThat(gate().closedAt(time.now())).isFalse();
        assertThat(driver.state(held)).isEqualTo(JobState.WAITING);
        assertThat(driver.job(held.hold().job()).standing().times().due()).isEqualTo(time.now());
        assertThat(driver.claim(1, 5)).hasSize(1);
        assertThat(gate().closings()).isEqualTo(1);
    }

    @Test
    void one_that_a_person_must_open_waits_for_that_whatever_the_clock_said() {
        driver.enlist(1);
        time.jump(Duration.ofDays(365));
        waits(driver.hold("a", 1), "no credit", null);
        var closed = gate();
        time.jump(Duration.ofDays(-365));
        driver.apply(new Change.MendTimes(10));
        assertThat(gate()).isEqualTo(closed);
    }

    @Test
    void whoever_only_joins_a_gate_that_has_opened_meanwhile_comes_back() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        waits(held, null, null);
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(driver.store().gates()).isEmpty();
    }

    @Test
    void a_later_closing_is_not_opened_by_a_word_on_an_earlier_one() {
        driver.enlist(1);
        waits(driver.hold("a", 1), "once", null);
        driver.apply(new Change.OpenGate("account/w", 1, null));
        waits(driver.claimed(driver.claim(1, 1).getFirst()), "twice", null);
        assertThat(driver.apply(new Change.OpenGate("account/w", 1, ANNA))).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(new Change.OpenGate("account/other", 1, ANNA))).isInstanceOf(Applied.Refused.class);
        assertThat(gate().raised().times()).as("nobody has opened it by hand").isZero();
        assertThat(gate().closings()).isEqualTo(2);
    }

    @Test
    void a_reason_that_is_older_than_the_last_opening_closes_nothing() {
        driver.enlist(1);
        waits(driver.hold("a", 1), "once", null);
        driver.apply(new Change.OpenGate("account/w", 1, ANNA));
        var held = driver.claimed(driver.claim(1, 1).getFirst());
        var stale = new Gate.Wish("account/w", new Gate.Reason(Gate.Cause.BUDGET, "spent", null, 0L));
        driver.apply(new Change.WaitAtGateIfOwned(held.hold(), held.id(0), List.of(), stale, null));
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(gate().closing()).isNull();
    }

    @Test
    void a_job_that_waits_at_a_gate_can_be_called_off_and_under_an_old_fence_nobody_closes_one() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        waits(held, "no credit", null);
        driver.apply(new Change.CancelJob(held.job().id(), driver.newId(), ANNA));
        assertThat(driver.state(held)).isEqualTo(JobState.CANCELLED);
        assertThat(driver.store().waitingAt("account/w")).isZero();
        driver.apply(new Change.OpenGate("account/w", 1, ANNA));
        assertThat(waits(held, "too late", null)).isInstanceOf(Applied.LeaseLost.class);
        assertThat(gate().closing()).isNull();
    }

    @Test
    void a_rate_holds_across_jobs_and_workers() {
        driver.enlist(1);
        driver.enlist(2);
        var one = driver.hold("a", 1);
        var two = driver.hold("b", 2);
        var rate = new Rate("provider", 3, Duration.ofMinutes(1));
        for (var held : List.of(one, two, one)) {
            assertThat(driver.apply(new Change.PassGateIfOwned(held.hold(), held.id(0), rate)))
                    .isInstanceOf(Applied.Now.class);
        }
        time.advance(Duration.ofSeconds(20));
        assertThat(driver.apply(new Change.PassGateIfOwned(two.hold(), two.id(0), rate)))
                .isEqualTo(new Applied.NotYet(Duration.ofSeconds(40)));
        time.advance(Duration.ofSeconds(40));
        assertThat(driver.apply(new Change.PassGateIfOwned(two.hold(), two.id(0), rate)))
                .isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_gate_that_closed_a_moment_ahead_of_the_clock_opens_when_it_was_to() {
        driver.enlist(1);
        var until = time.now().plus(Duration.ofMinutes(1));
        var held = driver.hold("a", 1);
        driver.apply(new Change.WaitAtGateIfOwned(
                held.hold(),
                held.id(0),
                List.of(),
                new Gate.Wish("slow", new Gate.Reason(Gate.Cause.RATE, "too fast", until, null)),
                null));
        time.jump(Duration.ofSeconds(-2));
        driver.apply(new Change.MendTimes(10));
        assertThat(driver.store().closedGates())
                .singleElement()
                .satisfies(gate -> assertThat(
                                Objects.requireNonNull(gate.closing()).until())
                        .isEqualTo(until));
    }
}
