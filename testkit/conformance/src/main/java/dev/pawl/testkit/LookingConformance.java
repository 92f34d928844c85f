package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.WORKFLOW;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.list.Cursor;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.JobQuery;
import dev.pawl.look.Occurrence;
import dev.pawl.look.Occurrence.What;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every store tells whoever looks, and what it keeps when it prunes. */
public abstract class LookingConformance extends StoreHarness {
    private void submit(String key, Handling handling) {
        driver.apply(new Change.SubmitJob(identity(key), new StoredJob.Given("1", handling), null));
    }

    private List<String> keys(JobQuery query) {
        return driver.store().jobs(query).jobs().stream()
                .map(job -> job.identity().key().toString())
                .toList();
    }

    private static String text(Occurrence happened) {
        return happened.identity().key() + " "
                + switch (happened.what()) {
                    case What.Submitted ignored -> "submitted";
                    case What.Recorded recorded ->
                        recorded.line().entry().getClass().getSimpleName();
                    case What.Ended ended -> ended.state().name();
                };
    }

    private List<String> readAll(int atOnce) {
        var told = new ArrayList<String>();
        var cursor = Cursor.START;
        while (true) {
            var more = driver.store().happened(cursor, atOnce);
            if (more.isEmpty()) {
                return told;
            }
            more.forEach(one -> told.add(text(one)));
            cursor = new Cursor(more.getLast().cursor().toString());
        }
    }

    // ---- looking

    @Test
    void what_happened_is_told_once_and_in_order_however_it_is_paged() {
        driver.enlist(1);
        var one = driver.hold("one", 1);
        driver.apply(one.step("s", "1"));
        driver.apply(one.finish("1"));
        var two = driver.hold("two", 1);
        driver.apply(two.step("s", "1"));
        driver.apply(two.fail());
        var expected =
                List.of("one submitted", "two submitted", "one StepDone", "two StepDone", "one DONE", "two FAILED");
        for (var atOnce : List.of(1, 2, 3, 100)) {
            assertThat(readAll(atOnce)).as("pages of " + atOnce).isEqualTo(expected);
        }
    }

    @Test
    void what_one_job_did_comes_in_its_order_also_to_somebody_who_looks_while_it_does_it() throws Exception {
        driver.enlist(1);
        var looking = handle();
        var done = new AtomicBoolean();
        try (var threads = Executors.newSingleThreadExecutor()) {
            var writing = threads.submit(() -> {
                for (var i = 0; i < 300; i++) {
                    var job = driver.hold("busy" + i, 1);
                    driver.apply(job.step("s", "1"));
                    driver.apply(new Change.FinishJob(
                            job.hold(),
                            job.id(1),
                            List.of(new Entry.Noted(new Place("", "last", ""), "1")),
                            new Change.FinishJob.FinalState.Done("1")));
                }
                done.set(true);
            });
            var seen = new HashMap<String, Integer>();
            var order = List.of("submitted", "StepDone", "Noted", "DONE");
            var cursor = Cursor.START;
            while (true) {
                var last = done.get();
                var more = looking.happened(cursor, 100);
                for (var one : more) {
                    var words = text(one).split(" ", 2);
                    assertThat(order.indexOf(words[1]))
                            .as(text(one))
                            .isEqualTo(seen.merge(words[0], 1, Integer::sum) - 1);
                    cursor = one.cursor();
                }
                if (last && more.isEmpty()) {
                    break;
                }
            }
            writing.get();
            assertThat(seen).hasSize(300);
            assertThat(seen.values()).containsOnly(4);
        }
    }

    @Test
    void nothing_is_missed_when_the_clock_goes_back() {
        driver.enlist(1);
        var one = driver.hold("one", 1);
        driver.apply(one.finish("1"));
        var cursor = driver.store().happened(Cursor.START, 100).getLast().cursor();
        time.jump(Duration.ofDays(-3));
        var two = driver.hold("two", 1);
        driver.apply(two.step("s", "1"));
        driver.apply(two.finish("1"));
        assertThat(driver.store().happened(cursor, 100).stream().map(LookingConformance::text))
                .containsExactly("two submitted", "two StepDone", "two DONE");
    }

    @Test
    void a_job_that_ends_again_is_told_again() {
        driver.enlist(1);
        var one = driver.hold("one", 1);
        driver.apply(one.finish("1"));
        var cursor = driver.store().happened(Cursor.START, 100).getLast().cursor();
        driver.apply(new Change.ResubmitJob(one.job().id(), driver.newId(), ANNA));
        driver.apply(driver.claimed(driver.claim(1, 1).getFirst()).finish("2"));
        assertThat(driver.store().happened(cursor, 100).stream().map(LookingConformance::text))
                .containsExactly("one Resubmitted", "one DONE");
    }

    @Test
    void what_is_due_and_for_whom_is_told() {
        submit("a", Handling.usual().queue("mail").principal("anna"));
        submit("b", Handling.usual().notBefore(time.now().plusSeconds(3_600)));
        assertThat(driver.store().due(time.now())).containsExactly(new ClaimGroup(WORKFLOW, "mail", "anna", ""));
        driver.enlist(1);
        driver.claim(1, 5);
        assertThat(driver.store().due(time.now())).isEmpty();
    }

    @Test
    void the_job_that_is_due_before_all_others_is_found_among_queues_and_priorities() {
        assertThat(driver.store().earliestDue()).isEmpty();
        var hour = time.now().plusSeconds(3_600);
        submit("later", Handling.usual().queue("mail").notBefore(hour));
        assertThat(driver.store().earliestDue()).contains(hour);
        submit("urgent", Handling.usual().priority(9).notBefore(hour.minusSeconds(60)));
        submit("idle", Handling.usual().priority(-9).notBefore(hour.minusSeconds(61)));
        assertThat(driver.store().earliestDue()).contains(hour.minusSeconds(61));
        submit("now", Handling.usual().principal("anna"));
        assertThat(driver.store().earliestDue()).contains(time.now());
        driver.enlist(1);
        driver.claim(1, 5);
        assertThat(driver.store().earliestDue())
                .as("what somebody has is not waiting")
                .contains(hour.minusSeconds(61));
    }

    @Test
    void what_a_job_is_part_of_is_kept_with_it_and_with_the_jobs_that_it_calls_unless_they_have_their_own() {
        var traced = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        var own = "00-4bf92f3577b34da6a3ce929d0e0e4736-11f067aa0ba902b7-01";
        driver.enlist(1);
        submit("parent", Handling.usual().traceparent(traced));
        var parent = driver.claimed(driver.claim(1, 1).getFirst());
        assertThat(parent.job().given().handling().traceparent()).isEqualTo(traced);
        for (var child : List.of("one", "two")) {
            var handling = Handling.usual().traceparent(child.equals("two") ? own : null);
            driver.apply(parent.call(
                    child,
                    new Change.CalledJob(
                            new Identity(WORKFLOW, Key.of(child)), new StoredJob.Given("1", handling), false)));
        }
        assertThat(traceparent("parent")).isEqualTo(traced);
        assertThat(traceparent("one")).isEqualTo(traced);
        assertThat(traceparent("two")).isEqualTo(own);
        submit("plain", Handling.usual());
        assertThat(traceparent("plain")).isNull();
        assertThat(driver.store().jobs(JobQuery.all().keyPrefix("two")).jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.handling().traceparent()).isEqualTo(own));
    }

    private @Nullable String traceparent(String key) {
        return driver.store()
                .find(new Identity(WORKFLOW, Key.of(key)))
                .orElseThrow()
                .handling()
                .traceparent();
    }

    // ---- pruning

    private int prune() {
        time.advance(Duration.ofDays(1));
        return driver.apply(new Change.PruneJobs(time.now(), 100)) instanceof Applied.Pruned pruned
                ? pruned.jobs()
                : -1;
    }

    /** Something newer, so that what is tested is not the newest. */
    private void something() {
        var newest = driver.hold("newest", 1);
        driver.apply(newest.step("s", "1"));
        driver.apply(newest.finish("1"));
    }

    @Test
    void a_pruned_job_leaves_a_tombstone_that_keeps_the_door_shut() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        driver.apply(held.step("s", "1"));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        driver.apply(held.finish("\"r\""));
        something();
        var fence = driver.job(held.job().id()).standing().fence();
        assertThat(prune()).isGreaterThanOrEqualTo(1);
        assertThat(driver.entries(held)).isEmpty();
        var tomb = driver.job(held.job().id());
        assertThat(tomb.pruned()).isTrue();
        assertThat(tomb.state()).isEqualTo(JobState.DONE);
        assertThat(tomb.standing().fence()).isEqualTo(fence);
        assertThat(tomb.wasGiven("1")).isTrue();
        assertThat(tomb.wasGiven("2")).isFalse();
        assertThat(driver.submit("a", "1")).isInstanceOf(Applied.Already.class);
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Already.class);
        assertThat(driver.claim(1, 5)).isEmpty();
        assertThat(driver.apply(new Change.ResubmitJob(held.job().id(), driver.newId(), ANNA)))
                .isInstanceOf(Applied.Refused.class);
        assertThat(keys(JobQuery.all())).doesNotContain("a");
        assertThat(prune()).as("once is enough, but for the newest").isLessThanOrEqualTo(1);
    }

    @Test
    void failed_and_unfinished_jobs_and_young_ones_stay() {
        driver.enlist(1);
        var failed = driver.hold("failed", 1);
        driver.apply(failed.fail());
        var waits = driver.hold("waits", 1);
        driver.apply(waits.release(Until.WAIT, Duration.ofDays(9)));
        time.advance(Duration.ofDays(5));
        var young = driver.hold("young", 1);
        driver.apply(young.finish("1"));
        something();
        driver.apply(new Change.PruneJobs(time.now().minus(Duration.ofDays(1)), 100));
        assertThat(keys(JobQuery.all())).contains("failed", "waits", "young");
    }

    @Test
    void what_a_live_parent_waits_for_stays() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        driver.apply(parent.call(
                "c", new Change.CalledJob(identity("child"), new StoredJob.Given("1", Handling.usual()), false)));
        driver.apply(parent.release(Until.WAIT, Duration.ofDays(90)));
        var child = driver.claimed(driver.claim(1, 1).getFirst());
        var newest = driver.hold("newest", 1);
        driver.apply(child.finish("7"));
        driver.apply(newest.step("s", "1"));
        driver.apply(newest.finish("1"));
        prune();
        assertThat(driver.job(child.job().id()).pruned()).isFalse();
        driver.apply(driver.claimed(driver.claim(1, 1).getFirst()).finish("1"));
        driver.apply(driver.hold("later", 1).step("s", "1"));
        prune();
        assertThat(driver.job(child.job().id()).pruned()).isTrue();
    }

    @Test
    void numbers_are_not_given_again_after_pruning_so_a_cursor_misses_nothing() {
        driver.enlist(1);
        something();
        var cursor = driver.store().happened(Cursor.START, 100).getLast().cursor();
        prune();
        var next = driver.hold("next", 1);
        driver.apply(next.step("s", "1"));
        driver.apply(next.finish("1"));
        assertThat(driver.store().happened(cursor, 100).stream().map(LookingConformance::text))
                .containsExactly("next submitted", "next StepDone", "next DONE");
    }

    @Test
    void workers_are_told_with_when_they_last_beat() {
        driver.enlist(1);
        var enlisted = time.now();
        time.advance(Duration.ofSeconds(10));
        driver.enlist(2);
        assertThat(driver.store().workers())
                .extracting(WorkerRecord::id, WorkerRecord::beaten)
                .containsExactly(tuple(1L, enlisted), tuple(2L, time.now()));
        driver.apply(new Change.Beat(1, 5));
        assertThat(driver.store().workers().getFirst())
                .returns(5L, WorkerRecord::beat)
                .returns(time.now(), WorkerRecord::beaten);
    }

    @Test
    void whole_jobs_are_read_by_state_and_workflow_behind_one_of_them() {
        driver.enlist(1);
        var done = driver.hold("done", 1);
        driver.apply(done.finish("1"));
        driver.submit("ready", "2");
        driver.apply(new Change.SubmitJob(
                new Identity("other", Key.of("x")), new StoredJob.Given("3", Handling.usual()), null));
        var all = EnumSet.allOf(JobState.class);
        assertThat(driver.store().wholeJobs(null, all, 0, 10))
                .extracting(StoredJob::input)
                .containsExactly("1", "2", "3");
        assertThat(driver.store().wholeJobs("other", all, 0, 10))
                .extracting(StoredJob::input)
                .containsExactly("3");
        assertThat(driver.store().wholeJobs(StoreDriver.WORKFLOW, EnumSet.of(JobState.READY), 0, 10))
                .extracting(StoredJob::input)
                .containsExactly("2");
        assertThat(driver.store().wholeJobs(null, all, done.job().id(), 1))
                .extracting(StoredJob::input)
                .containsExactly("2");
    }
}
