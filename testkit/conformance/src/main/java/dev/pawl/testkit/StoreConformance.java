package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.Change.TakeOver.WorkerEnd;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob.Suspicion;
import dev.pawl.store.Transactional;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.StoreDriver.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What every store must do. A store's test extends this and says how one is opened; what a store cannot do is asserted too, so no test here
 * is ever passed over.
 */
public abstract class StoreConformance extends StoreHarness {

    /** Whether the store can run a user's SQL in its own commit. */
    protected abstract boolean hasSql();

    /** Whether the store knows at once that a worker's process is gone. */
    protected abstract boolean knowsTheDead();

    // ---- submitting

    @Test
    void the_same_identity_is_the_same_job() {
        var first = driver.submit("a", "1");
        var second = driver.submit("a", "1");

        assertThat(first).isInstanceOf(Applied.Now.class);
        assertThat(second).isInstanceOf(Applied.Already.class);
        assertThat(driver.store().jobs(EnumSet.allOf(JobState.class), 0, 10)).hasSize(1);
        assertThat(driver.store().find(identity("a")).orElseThrow().input()).isEqualTo("1");
        assertThat(driver.store().find(identity("b"))).isEmpty();
    }

    @Test
    void another_input_takes_the_place_of_one_that_nobody_started_on() {
        driver.submit("a", "1");
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Now.class);
        assertThat(driver.store().find(identity("a")).orElseThrow().input()).isEqualTo("2");
    }

    @Test
    void another_input_is_a_conflict_while_the_job_is_in_flight_or_failed() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Conflict.class);
        driver.apply(held.release(Until.TRY_LATER, Duration.ZERO));
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Conflict.class);
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(again.fail());
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.job(held.job().id()).input()).isEqualTo("1");
    }

    @Test
    void another_input_for_a_job_that_is_done_changes_nothing() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.finish("\"r\""));
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Already.class);
        var stored = driver.job(held.job().id());
        assertThat(stored.input()).isEqualTo("1");
        assertThat(stored.outcome().result()).isEqualTo("\"r\"");
    }

    @Test
    void a_submission_may_be_claimed_in_the_same_commit_and_asked_again() {
        driver.enlist(1);
        var submit = new Change.SubmitJob(identity("a"), "1", new Change.SubmitJob.Claim(1, 99));
        var first = driver.store().exchange(List.of(submit), Wanted.NOTHING);
        var again = driver.store().exchange(List.of(submit), Wanted.NOTHING);

        assertThat(first.claimed()).hasSize(1);
        assertThat(first.claimed().getFirst().job().standing().fence()).isEqualTo(1);
        assertThat(again.claimed()).isEqualTo(first.claimed());
        assertThat(driver.apply(driver.claimed(first.claimed().getFirst()).step("s", "1"))
                        .done())
                .isTrue();
    }

    @Test
    void a_submission_with_a_claim_of_a_worker_that_is_gone_is_just_submitted() {
        var submit = new Change.SubmitJob(identity("a"), "1", new Change.SubmitJob.Claim(77, 1));
        var exchanged = driver.store().exchange(List.of(submit), Wanted.NOTHING);
        assertThat(exchanged.applied().getFirst()).isInstanceOf(Applied.Now.class);
        assertThat(exchanged.claimed()).isEmpty();
        assertThat(driver.claim(driver.enlist(1), 1)).hasSize(1);
    }

    // ---- claiming

    @Test
    void a_claim_gives_each_job_once_under_a_higher_fence() {
        driver.enlist(1);
        driver.enlist(2);
        driver.submit("a", "1");
        driver.submit("b", "1");
        var first = driver.claim(1, 1);
        var second = driver.claim(2, 5);

        assertThat(first).hasSize(1);
        assertThat(second).hasSize(1);
        assertThat(first.getFirst().job().identity())
                .isNotEqualTo(second.getFirst().job().identity());
        assertThat(first.getFirst().job().standing().fence()).isPositive();
        assertThat(driver.claim(1, 5)).isEmpty();
    }

    @Test
    void a_claim_asked_again_gives_the_same_jobs() {
        driver.enlist(1);
        driver.submit("a", "1");
        var wanted = driver.want(1, 1);
        var first = driver.ask(wanted).claimed();
        assertThat(first).hasSize(1);
        assertThat(driver.ask(wanted).claimed()).as("with nothing else due").isEqualTo(first);
        driver.submit("b", "1");
        assertThat(driver.ask(wanted).claimed()).as("with another due").isEqualTo(first);
    }

    @Test
    void a_claim_that_arrives_late_gives_nothing_to_somebody_who_does_not_know() {
        driver.enlist(1);
        var early = driver.want(1, 1);
        driver.submit("a", "1");
        var held = driver.hold("a", 1);
        driver.submit("b", "1");
        assertThat(driver.ask(early).claimed()).as("it was overtaken").isEmpty();
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.claim(1, 5)).hasSize(2);
    }

    @Test
    void only_what_is_wanted_is_claimed_and_only_by_a_worker_that_is_enlisted() {
        driver.enlist(1);
        driver.apply(new Change.SubmitJob(new Identity("other", Key.of("a")), "1", null));
        assertThat(driver.claim(1, 5)).isEmpty();
        driver.submit("a", "1");
        assertThat(driver.claim(2, 5)).isEmpty();
        assertThat(driver.claim(1, 5)).hasSize(1);
    }

    @Test
    void a_job_is_claimed_at_its_time_and_the_store_says_when_that_is() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.release(Until.WAIT, Duration.ofSeconds(10)));
        assertThat(driver.state(held)).isEqualTo(JobState.WAITING);

        var early = driver.ask(driver.want(1, 1));
        assertThat(early.claimed()).isEmpty();
        assertThat(early.next()).isEqualTo(time.now().plusSeconds(10));
        time.advance(Duration.ofSeconds(10));
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    @Test
    void a_claim_brings_the_journal_of_the_current_run() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("one", "1"));
        driver.apply(held.step("two", "{\"x\":\"\\u0000 é \\ud83d\\ude00\"}"));
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        var again = driver.claim(1, 1).getFirst();
        assertThat(again.journal().stream().map(JournalLine::entry).limit(2))
                .containsExactly(
                        new Entry.StepDone(new Place("", "one", ""), "1"),
                        new Entry.StepDone(new Place("", "two", ""), "{\"x\":\"\\u0000 é \\ud83d\\ude00\"}"));
        assertThat(again.journal().getFirst().fence())
                .isEqualTo(held.job().standing().fence());
    }

    // ---- fences

    @Test
    void a_step_recorded_by_the_old_worker_is_refused_after_the_lease_moved() {
        var old = driver.hold("a", driver.enlist(1));
        driver.enlist(2);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        var before = driver.entries(old).size();

        for (var change : List.of(
                old.step("s", "1"),
                old.intend(1),
                old.release(Until.HAND_BACK, Duration.ZERO),
                old.finish("1"),
                old.fail(),
                old.askAbout(QuestionKind.IN_DOUBT))) {
            assertThat(driver.apply(change)).as(change.toString()).isInstanceOf(Applied.LeaseLost.class);
        }
        assertThat(driver.entries(old)).hasSize(before);
        var now = driver.claimed(driver.claim(2, 1).getFirst());
        assertThat(driver.apply(old.step("t", "1"))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.apply(now.step("s", "1"))).isInstanceOf(Applied.Now.class);
    }

    @Test
    void every_release_raises_the_fence() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(held.step("s", "1"))).isInstanceOf(Applied.LeaseLost.class);
        var again = driver.claim(1, 1).getFirst().job();
        assertThat(again.standing().fence()).isGreaterThan(held.job().standing().fence() + 1);
    }

    @Test
    void a_fence_holds_across_handles() {
        var held = driver.hold("a", driver.enlist(1));
        var elsewhere = new StoreDriver(sameStorage());
        elsewhere.enlist(2);
        elsewhere.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        assertThat(driver.apply(held.step("s", "1"))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(elsewhere.claim(2, 1)).hasSize(1);
    }

    private Store sameStorage() {
        return handle();
    }

    // ---- asking again

    @Test
    void a_change_asked_again_is_done_once() {
        var held = driver.hold("a", driver.enlist(1));
        twice(held.step("s", "1"));
        twice(held.intend(1));
        twice(held.happened(1));
        twice(held.askAbout(QuestionKind.RESULT_NOT_KEPT));
        twice(held.decide(Verdict.DONE, "1"));
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        twice(again.release(Until.TRY_LATER, Duration.ZERO));
        var third = driver.claimed(driver.claim(1, 1).getFirst());
        twice(third.fail());
        twice(new Change.RetryJob(held.job().id(), driver.newId(), ANNA));
        var fourth = driver.claimed(driver.claim(1, 1).getFirst());
        twice(fourth.finish("1"));
        twice(new Change.ResubmitJob(held.job().id(), driver.newId(), ANNA));
        var fifth = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(fifth.fail());
        twice(new Change.DiscardJob(held.job().id(), driver.newId(), ANNA));
        twice(new Change.Beat(1, 5));
        twice(new Change.Enlist(3, "c", Duration.ofSeconds(1), Taking.of("w")));
        twice(new Change.TakeOver(3, 0, WorkerEnd.PROCESS_GONE));
        twice(new Change.Retire(1));
    }

    private void twice(Change change) {
        assertThat(driver.apply(change))
                .as(change.toString())
                .isInstanceOfAny(Applied.Now.class, Applied.TookOver.class);
        var journal =
                change.job() == 0 ? List.<JournalLine>of() : driver.store().journal(change.job());
        assertThat(driver.apply(change)).as(change + " again").isInstanceOf(Applied.Already.class);
        assertThat(change.job() == 0 ? List.<JournalLine>of() : driver.store().journal(change.job()))
                .isEqualTo(journal);
    }

    @Test
    void jobs_of_all_wanted_workflows_are_claimed_by_how_long_they_are_due() {
        driver.enlist(1);
        driver.apply(new Change.SubmitJob(new Identity("z", Key.of("old")), "1", null));
        for (var i = 0; i < 3; i++) {
            time.advance(Duration.ofSeconds(1));
            driver.submit("new-" + i, "1");
        }
        var claimed = driver.ask(new Wanted(1, 500, Taking.of(StoreDriver.WORKFLOW, "z"), 2, true))
                .claimed();
        assertThat(claimed.stream().map(c -> c.job().identity().toString())).containsExactly("z/old", "w/new-0");
    }

    @Test
    void a_worker_that_gave_its_number_up_blames_no_job() {
        var held = driver.hold("a", driver.enlist(1));
        for (var worker = 2; worker < 9; worker++) {
            driver.apply(new Change.TakeOver(worker - 1, 0, WorkerEnd.GAVE_UP));
            driver.enlist(worker);
            assertThat(driver.claim(worker, 1)).hasSize(1);
        }
        assertThat(driver.job(held.job().id()).standing().suspicion()).isEqualTo(Suspicion.NONE);
    }

    // ---- what people decide

    @Test
    void a_decision_on_an_older_question_is_a_conflict() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        var stale = held.decide(Verdict.RETRY, null);
        driver.apply(held.decide(Verdict.RETRY, null));
        assertThat(driver.apply(stale)).isInstanceOf(Applied.Conflict.class);
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(again.askAbout(QuestionKind.IN_DOUBT));
        assertThat(driver.apply(new Change.Decide(stale.job(), driver.newId(), stale.question(), stale.decision())))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
    }

    @Test
    void a_decision_that_does_not_answer_the_question_is_refused() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.askAbout(QuestionKind.ACCOUNT));
        assertThat(driver.apply(held.decide(Verdict.DONE, null)))
                .isInstanceOfSatisfying(
                        Applied.Refused.class,
                        refused -> assertThat(refused.why()).contains("retry, fail"));
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
    }

    @Test
    void done_answers_the_open_attempt_and_retry_leaves_it_open() {
        var one = driver.hold("a", driver.enlist(1));
        driver.apply(one.intend(1));
        driver.apply(one.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(one.decide(Verdict.DONE, "7"));
        assertThat(driver.entries(one))
                .contains(new Entry.Answered(EFFECT, 1, Answer.happened("7"), Answer.Source.PERSON));
        var after = driver.claimed(driver.claim(1, 1).getFirst());
        assertThat(driver.apply(after.finish("1")).done()).isTrue();

        var two = driver.hold("b", 1);
        driver.apply(two.intend(1));
        driver.apply(two.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(two.decide(Verdict.RETRY, null));
        var open = driver.claimed(driver.claim(1, 1).getFirst());
        assertThat(driver.apply(open.finish("1")))
                .as("an attempt may still land")
                .isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void only_what_has_ended_is_retried_resubmitted_or_discarded() {
        var held = driver.hold("a", driver.enlist(1));
        var id = held.job().id();
        assertThat(driver.apply(new Change.RetryJob(id, driver.newId(), ANNA))).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(new Change.ResubmitJob(id, driver.newId(), ANNA)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(new Change.DiscardJob(id, driver.newId(), ANNA)))
                .isInstanceOf(Applied.Conflict.class);
        driver.apply(held.finish("1"));
        assertThat(driver.apply(new Change.RetryJob(id, driver.newId(), ANNA))).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(new Change.DiscardJob(id, driver.newId(), ANNA)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(new Change.ResubmitJob(id, driver.newId(), ANNA)))
                .isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(new Change.RetryJob(12_345, driver.newId(), ANNA)))
                .isInstanceOf(Applied.Refused.class);
    }

    @Test
    void a_resubmission_starts_with_an_empty_journal_and_keeps_the_old_one() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("s", "1"));
        driver.apply(held.finish("\"first\""));
        driver.apply(new Change.ResubmitJob(held.job().id(), driver.newId(), ANNA));
        var again = driver.claim(1, 1).getFirst();
        assertThat(again.job().standing().resubmission()).isEqualTo(1);
        assertThat(again.journal().stream().map(JournalLine::entry))
                .noneMatch(e -> e instanceof Entry.StepDone)
                .contains(new Entry.Resubmitted(ANNA, "\"first\""));
        assertThat(driver.entries(held)).anyMatch(e -> e instanceof Entry.StepDone);
    }

    @Test
    void a_failed_job_is_kept_with_its_failure_until_someone_deals_with_it() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.fail());
        var failed = driver.store().jobs(EnumSet.of(JobState.FAILED), 0, 10);
        assertThat(failed).hasSize(1);
        assertThat(failed.getFirst().outcome().failure()).isNotNull();
        driver.apply(new Change.RetryJob(held.job().id(), driver.newId(), ANNA));
        assertThat(driver.entries(held)).contains(new Entry.Retried(EFFECT, ANNA));
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    // ---- workers

    @Test
    void a_take_over_declares_one_beat_dead_and_no_later_one() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(new Change.Beat(1, 1));
        assertThat(driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(driver.state(held)).isEqualTo(JobState.RUNNING);
        assertThat(driver.apply(new Change.TakeOver(1, 1, WorkerEnd.BEAT_STOOD_STILL)))
                .isInstanceOf(Applied.TookOver.class);
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(driver.apply(new Change.Beat(1, 2))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.claim(1, 1)).as("a dead worker claims nothing").isEmpty();
    }

    @Test
    void a_number_that_others_speak_of_before_it_is_there_is_enlisted_all_the_same() {
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        driver.apply(new Change.Beat(1, 7));
        assertThat(driver.apply(new Change.Enlist(1, "a", Duration.ofSeconds(30), Taking.of(StoreDriver.WORKFLOW))))
                .isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_number_that_was_declared_dead_or_has_retired_is_not_enlisted_again() {
        var dead = new Change.Enlist(1, "dead", Duration.ofSeconds(30), Taking.of(StoreDriver.WORKFLOW));
        var retired = new Change.Enlist(2, "retired", Duration.ofSeconds(30), Taking.of(StoreDriver.WORKFLOW));
        driver.apply(dead);
        driver.apply(retired);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        driver.apply(new Change.Retire(2));
        for (var late : List.of(dead, retired)) {
            assertThat(driver.apply(late)).isInstanceOf(Applied.LeaseLost.class);
        }
        assertThat(driver.apply(new Change.Beat(1, 7))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.store().workers()).isEmpty();
        time.advance(Change.Enlist.REMEMBERED.plusSeconds(1));
        assertThat(driver.apply(dead)).as("nothing is on its way for so long").isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_worker_that_owns_jobs_cannot_retire() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(driver.apply(new Change.Retire(1))).isInstanceOf(Applied.Conflict.class);
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(new Change.Retire(1))).isInstanceOf(Applied.Now.class);
        assertThat(driver.store().workers()).isEmpty();
    }

    @Test
    void three_strikes_are_for_the_suspect_alone_and_its_neighbours_go_free() {
        driver.enlist(1);
        for (var key : List.of("poison", "b", "c", "d")) {
            driver.submit(key, "1");
        }
        assertThat(driver.claim(1, 4)).hasSize(4);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));

        for (var strike = 1; strike <= 3; strike++) {
            var worker = driver.enlist(10 + strike);
            var claimed = driver.claim(worker, 4);
            assertThat(claimed).as("suspects are claimed singly").hasSize(1);
            assertThat(claimed.getFirst().job().identity()).isEqualTo(identity("poison"));
            driver.apply(new Change.TakeOver(worker, 0, WorkerEnd.PROCESS_GONE));
        }
        var poison = driver.store().find(identity("poison")).orElseThrow();
        assertThat(poison.state()).isEqualTo(JobState.FAILED);
        assertThat(poison.outcome().failure()).isNotNull();
        for (var key : List.of("b", "c", "d")) {
            var neighbour = driver.store().find(identity(key)).orElseThrow();
            assertThat(neighbour.state()).isEqualTo(JobState.READY);
            assertThat(neighbour.standing().suspicion()).isEqualTo(new Suspicion(true, 0));
        }
    }

    @Test
    void a_job_that_made_progress_is_no_suspect() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("s", "1"));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.job(held.job().id()).standing().suspicion()).isEqualTo(Suspicion.NONE);
        driver.enlist(2);
        var again = driver.claim(2, 1).getFirst();
        assertThat(again.journal().stream().map(JournalLine::entry))
                .contains(new Entry.OwnerGone(held.job().standing().fence(), true, 0));
        driver.apply(new Change.TakeOver(2, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.job(held.job().id()).standing().suspicion()).isEqualTo(new Suspicion(true, 0));
    }

    @Test
    void a_suspect_does_not_keep_others_from_being_claimed() {
        driver.hold("a", driver.enlist(1));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        driver.submit("b", "1");
        driver.submit("c", "1");
        driver.enlist(2);
        assertThat(driver.claim(2, 3)).hasSize(3);
        var other = new Wanted(2, 1_000, Taking.of(StoreDriver.WORKFLOW), 3, false);
        assertThat(driver.ask(other).claimed()).isEmpty();
    }

    @Test
    void a_struck_out_job_in_doubt_is_paused_because_doubt_sticks() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        for (var worker = 2; worker <= 5; worker++) {
            driver.enlist(worker);
            driver.claim(worker, 1);
            driver.apply(new Change.TakeOver(worker, 0, WorkerEnd.PROCESS_GONE));
        }
        var job = driver.job(held.job().id());
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(job.outcome().question()).isNotNull();
        assertThat(driver.apply(held.decide(Verdict.DONE, "1"))).isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_dead_process_is_known_where_the_store_can_know() {
        var lifeline = driver.store().lifeline(driver.enlist(1));
        driver.enlist(2);
        var elsewhere = handle();
        assertThat(elsewhere.knownGone(elsewhere.workers())).doesNotContain(1L);
        lifeline.close();
        var gone = elsewhere.knownGone(elsewhere.workers());
        if (knowsTheDead()) {
            assertThat(gone).containsExactlyInAnyOrder(1L, 2L);
        } else {
            assertThat(gone).isEmpty();
        }
    }

    // ---- batches

    @Test
    void many_changes_make_one_commit_and_one_refusal_harms_no_other() {
        driver.enlist(1);
        var held = new ArrayList<Held>();
        for (var i = 0; i < 20; i++) {
            held.add(driver.hold("job-" + i, 1));
        }
        var changes = new ArrayList<Change>();
        held.forEach(one -> changes.add(one.step("s", "1")));
        changes.add(new Change.AnswerAttempt(
                9_999,
                driver.newId(),
                new Change.AttemptRef(0, EFFECT, 1),
                Answer.happened("1"),
                Answer.Source.WORKER,
                null));
        changes.add(new Change.SubmitJob(identity("new"), "1", null));
        var applied = driver.store().exchange(changes, Wanted.NOTHING).applied();
        assertThat(applied.subList(0, 20)).allMatch(one -> one instanceof Applied.Now);
        assertThat(applied.get(20)).isInstanceOf(Applied.Refused.class);
        assertThat(applied.get(21)).isInstanceOf(Applied.Now.class);
    }

    @Test
    void large_values_come_back_as_they_went() {
        var large = "\"" + "x".repeat(3 << 20) + "\"";
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("s", large));
        driver.apply(held.finish(large));
        assertThat(driver.job(held.job().id()).outcome().result()).isEqualTo(large);
        assertThat(driver.entries(held)).containsExactly(new Entry.StepDone(new Place("", "s", ""), large));
    }

    // ---- SQL in the same commit

    @Test
    void a_transaction_commits_with_its_record_or_not_at_all() throws Exception {
        var transactional = driver.store().transactional();
        assertThat(transactional.isPresent()).isEqualTo(hasSql());
        if (transactional.isEmpty()) {
            return;
        }
        var held = driver.hold("a", driver.enlist(1));
        var record = held.step("charge", "1");
        var runs = new AtomicInteger();
        Transactional.Work work = connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute("create table if not exists ledger (n integer)");
                statement.execute("insert into ledger values (" + runs.incrementAndGet() + ")");
            }
            return record.entries();
        };
        var longest = Duration.ofSeconds(5);
        assertThatThrownBy(() -> transactional
                        .get()
                        .transact(
                                held.hold(),
                                record.id(),
                                connection -> {
                                    work.run(connection);
                                    throw new IllegalStateException("user");
                                },
                                longest))
                .hasMessage("user");
        assertThat(driver.entries(held)).isEmpty();
        assertThat(transactional.get().transact(held.hold(), record.id(), work, longest))
                .isInstanceOf(Applied.Now.class);
        assertThat(transactional.get().transact(held.hold(), record.id(), work, longest))
                .isInstanceOf(Applied.Already.class);
        assertThat(runs).as("asked again, the work does not run again").hasValue(2);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        var late = held.step("late", "1");
        assertThat(transactional.get().transact(held.hold(), late.id(), work, longest))
                .isInstanceOf(Applied.LeaseLost.class);
        assertThat(runs).hasValue(2);
    }
}
