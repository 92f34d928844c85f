package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.WORKFLOW;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.lease.Taking;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.ClockAhead;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order every store gives jobs away, to whom, and how many at once. */
public abstract class OrderConformance extends StoreHarness {
    private long claims = 1_000;

    private void submit(String key, Handling handling) {
        driver.apply(new Change.SubmitJob(identity(key), new StoredJob.Given("1", handling), null));
    }

    private List<String> keys(List<Claimed> claimed) {
        return claimed.stream()
                .map(one -> one.job().identity().key().toString())
                .toList();
    }

    private List<String> claim(long worker, int most, Taking taking) {
        return keys(driver.ask(new Wanted(worker, ++claims, taking, most, true)).claimed());
    }

    @Test
    void what_is_more_urgent_comes_first_and_what_is_due_longer_among_equals() {
        driver.enlist(1);
        submit("low", Handling.usual().priority(-5));
        submit("usual", Handling.usual());
        time.advance(Duration.ofSeconds(1));
        submit("later", Handling.usual());
        submit("high", Handling.usual().priority(9));
        submit("highest", Handling.usual().priority(10));
        assertThat(keys(driver.claim(1, 3))).containsExactly("highest", "high", "usual");
        assertThat(keys(driver.claim(1, 3))).containsExactly("later", "low");
    }

    @Test
    void nothing_is_given_before_its_time_and_the_next_time_is_told() {
        driver.enlist(1);
        submit("later", Handling.usual().priority(7).notBefore(time.now().plusSeconds(60)));
        submit("now", Handling.usual());
        assertThat(keys(driver.claim(1, 5))).containsExactly("now");
        assertThat(driver.ask(driver.want(1, 5)).next()).isEqualTo(time.now().plusSeconds(60));
        time.advance(Duration.ofSeconds(60));
        assertThat(keys(driver.claim(1, 5))).containsExactly("later");
    }

    private Applied mend() {
        return driver.apply(new Change.MendTimes(10));
    }

    private List<String> mendedAndClaimed() {
        mend();
        return keys(driver.claim(1, 5));
    }

    @Test
    void what_was_stored_while_the_clock_was_ahead_waits_no_longer_than_it_was_to() {
        driver.enlist(1);
        time.jump(Duration.ofDays(365));
        var sleeps = driver.hold("sleeps", 1);
        driver.apply(sleeps.release(Change.ReleaseJob.Until.WAIT, Duration.ofSeconds(15)));
        submit("a", Handling.usual());
        submit("b", Handling.usual());
        submit("not-before", Handling.usual().notBefore(time.now().plusSeconds(60)));
        time.jump(Duration.ofDays(-365));
        assertThat(driver.claim(1, 5)).as("nothing is due for a year").isEmpty();
        assertThat(mend()).isEqualTo(new Applied.Mended(4, Duration.ofDays(365), false));
        assertThat(mend()).as("asked twice it is done once").isEqualTo(new Applied.Mended(0, Duration.ZERO, false));
        assertThat(keys(driver.claim(1, 5))).containsExactly("a", "b");
        time.advance(Duration.ofMillis(14_999));
        assertThat(mendedAndClaimed()).as("nobody wakes too early").isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(mendedAndClaimed()).containsExactly("sleeps");
        time.advance(Duration.ofDays(365));
        assertThat(mendedAndClaimed())
                .as("nobody starts before the time that was said")
                .isEmpty();
        time.advance(Duration.ofSeconds(60));
        assertThat(mendedAndClaimed()).containsExactly("not-before");
    }

    @Test
    void so_many_are_mended_at_once_and_what_only_waits_is_left_alone() {
        driver.enlist(1);
        submit("later", Handling.usual().notBefore(time.now().plusSeconds(600)));
        time.jump(ClockAhead.TOLERATED);
        submit("a-moment-ahead", Handling.usual());
        time.jump(Duration.ofHours(1));
        submit("a", Handling.usual());
        submit("b", Handling.usual());
        time.jump(Duration.ofHours(-1).minus(ClockAhead.TOLERATED));
        assertThat(driver.apply(new Change.MendTimes(1))).isInstanceOfSatisfying(Applied.Mended.class, one -> {
            assertThat(one.jobs()).isEqualTo(1);
            assertThat(one.more()).isTrue();
        });
        assertThat(mend()).isEqualTo(new Applied.Mended(1, Duration.ofHours(1).plus(ClockAhead.TOLERATED), false));
        assertThat(mend()).isEqualTo(new Applied.Mended(0, Duration.ZERO, false));
        assertThat(keys(driver.claim(1, 5))).containsExactly("a", "b");
    }

    @Test
    void the_next_time_is_the_nearest_of_all_queues_and_priorities() {
        driver.enlist(1);
        submit("hour", Handling.usual().priority(3).notBefore(time.now().plusSeconds(3_600)));
        submit("minute", Handling.usual().notBefore(time.now().plusSeconds(60)));
        submit("day", Handling.usual().priority(-1).notBefore(time.now().plusSeconds(86_400)));
        submit("half", Handling.usual().queue("mail").notBefore(time.now().plusSeconds(1_800)));
        assertThat(driver.ask(driver.want(1, 5)).next()).isEqualTo(time.now().plusSeconds(60));
        time.advance(Duration.ofSeconds(60));
        assertThat(driver.ask(driver.want(1, 1)).claimed()).hasSize(1);
        assertThat(driver.ask(driver.want(1, 5)).next()).isEqualTo(time.now().plusSeconds(1_740));
    }

    @Test
    void a_time_that_has_passed_holds_nobody_up() {
        driver.enlist(1);
        var past = Handling.usual().notBefore(time.now().minusSeconds(60));
        submit("a", past);
        assertThat(keys(driver.claim(1, 5))).containsExactly("a");
        var submit =
                new Change.SubmitJob(identity("b"), new StoredJob.Given("1", past), new Change.SubmitJob.Claim(1, 50));
        assertThat(driver.store().exchange(List.of(submit), Wanted.NOTHING).claimed())
                .hasSize(1);
    }

    @Test
    void a_full_lane_and_a_full_queue_keep_nobody_else_waiting() {
        driver.enlist(1);
        driver.apply(new Change.LimitQueue("one", 1));
        submit("queue-1", Handling.usual().queue("one").priority(9));
        submit("queue-2", Handling.usual().queue("one").priority(9));
        submit("lane-1", Handling.usual().atMost(1, "l").priority(5));
        submit("lane-2", Handling.usual().atMost(1, "l").priority(5));
        submit("free", Handling.usual());
        assertThat(keys(driver.claim(1, 4))).containsExactlyInAnyOrder("queue-1", "lane-1", "free");
    }

    @Test
    void a_job_for_later_is_not_claimed_with_its_submission() {
        driver.enlist(1);
        var handling = Handling.usual().notBefore(time.now().plusSeconds(60));
        var submit = new Change.SubmitJob(
                identity("a"), new StoredJob.Given("1", handling), new Change.SubmitJob.Claim(1, 5));
        assertThat(driver.store().exchange(List.of(submit), Wanted.NOTHING).claimed())
                .isEmpty();
    }

    @Test
    void workers_take_from_their_queues_and_for_their_principals_only() {
        driver.enlist(1);
        submit("plain", Handling.usual());
        submit("mail", Handling.usual().queue("mail"));
        submit("anna", Handling.usual().principal("anna"));
        submit("anna-mail", Handling.usual().queue("mail").principal("anna"));
        assertThat(claim(1, 9, new Taking(List.of(WORKFLOW), List.of("mail"), List.of("anna"))))
                .containsExactly("anna-mail");
        assertThat(claim(1, 9, new Taking(List.of(WORKFLOW), List.of("mail"), List.of())))
                .containsExactly("mail");
        assertThat(claim(1, 9, new Taking(List.of(WORKFLOW), List.of(), List.of("bob"))))
                .isEmpty();
        assertThat(claim(1, 9, Taking.of(WORKFLOW))).containsExactlyInAnyOrder("plain", "anna");
    }

    @Test
    void a_lane_holds_across_workers_and_does_not_hold_up_others() {
        driver.enlist(1);
        driver.enlist(2);
        for (var i = 0; i < 20; i++) {
            submit("lane-" + i, Handling.usual().atMost(2, "customer-7"));
        }
        time.advance(Duration.ofMillis(1));
        submit("other", Handling.usual().atMost(1, "customer-8"));
        time.advance(Duration.ofMillis(1));
        submit("free", Handling.usual());
        var first = driver.claim(1, 3);
        assertThat(keys(first)).containsExactly("lane-0", "lane-1", "other");
        assertThat(keys(driver.claim(2, 3))).containsExactly("free");
        driver.apply(driver.claimed(first.getFirst()).finish("1"));
        assertThat(keys(driver.claim(2, 3))).containsExactly("lane-2");
    }

    @Test
    void a_limited_queue_holds_across_workers_and_with_submissions_that_claim() {
        driver.enlist(1);
        driver.enlist(2);
        driver.apply(new Change.LimitQueue("mail", 2));
        for (var i = 0; i < 5; i++) {
            submit("mail-" + i, Handling.usual().queue("mail"));
        }
        submit("free", Handling.usual());
        assertThat(keys(driver.claim(1, 1))).containsExactly("mail-0");
        assertThat(keys(driver.claim(2, 5))).containsExactly("mail-1", "free");
        var submit = new Change.SubmitJob(
                identity("mail-9"),
                new StoredJob.Given("1", Handling.usual().queue("mail")),
                new Change.SubmitJob.Claim(1, 7));
        assertThat(driver.store().exchange(List.of(submit), Wanted.NOTHING).claimed())
                .isEmpty();
        driver.apply(new Change.LimitQueue("mail", 3));
        assertThat(keys(driver.claim(2, 5))).containsExactly("mail-2");
    }
}
