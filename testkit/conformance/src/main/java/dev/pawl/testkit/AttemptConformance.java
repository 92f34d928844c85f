package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.JobSummary;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.testkit.StoreDriver.Held;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every store makes of attempts and of what is said of them: doubt sticks, a deed is never taken back, and what happened twice is told. */
public abstract class AttemptConformance extends StoreHarness {

    @Test
    void a_job_in_doubt_cannot_finish() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        assertThat(driver.apply(held.finish("1"))).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(held.fail())).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.state(held)).isEqualTo(JobState.RUNNING);
        driver.apply(held.happened(1));
        assertThat(driver.apply(held.finish("1"))).isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_late_happened_closes_the_question_and_wakes_the_job() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);

        assertThat(driver.apply(held.happened(1))).isInstanceOf(Applied.Now.class);
        var woken = driver.job(held.job().id());
        assertThat(woken.state()).isEqualTo(JobState.READY);
        assertThat(woken.outcome().question()).isNull();
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    @Test
    void an_answer_wakes_a_job_that_waits() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.release(Until.WAIT, Duration.ofHours(1)));
        driver.apply(held.happened(1));
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    @Test
    void an_answer_is_taken_in_every_state_of_the_job() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(held.decide(Verdict.SKIP, null));
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(again.finish("1"));

        assertThat(driver.apply(held.happened(1))).isInstanceOf(Applied.Now.class);
        assertThat(driver.state(held)).isEqualTo(JobState.DONE);
        assertThat(driver.entries(held))
                .filteredOn(e -> e instanceof Entry.Answered)
                .hasSize(2);
    }

    @Test
    void did_not_happen_closes_only_its_own_attempt() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intendRemembered(1));
        driver.apply(held.intendRemembered(2));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(held.didNotHappen(1));
        assertThat(driver.state(held)).as("attempt 2 is open still").isEqualTo(JobState.PAUSED);
        driver.apply(held.didNotHappen(2));
        assertThat(driver.state(held)).as("nothing is in doubt any more").isEqualTo(JobState.READY);
    }

    @Test
    void a_happened_is_never_taken_back() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        assertThat(driver.apply(held.didNotHappen(1))).isInstanceOf(Applied.Already.class);
        assertThat(driver.entries(held))
                .filteredOn(e -> e instanceof Entry.Answered)
                .hasSize(1);
    }

    @Test
    void a_happened_after_a_did_not_happen_is_kept() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.didNotHappen(1));
        assertThat(driver.apply(held.happened(1))).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(held.intend(2)))
                .as("there is nothing left to do")
                .isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void a_second_happened_is_kept_as_duplicated() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.didNotHappen(1));
        driver.apply(held.intend(2));
        driver.apply(held.happened(2));
        assertThat(driver.apply(held.happened(1))).isInstanceOf(Applied.Duplicated.class);
        assertThat(driver.entries(held)).contains(new Entry.Duplicated(EFFECT, 1, "\"1\""));
    }

    @Test
    void what_happened_twice_is_shown_and_not_pruned_until_somebody_has_dealt_with_it() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(driver.hold("b", 1).finish("1"));
        driver.apply(held.intend(1));
        driver.apply(held.didNotHappen(1));
        driver.apply(held.intend(2));
        driver.apply(held.happened(2));
        var id = held.job().id();
        assertThat(driver.store().duplicated(10)).isEmpty();
        driver.apply(held.finish("1"));
        assertThat(driver.apply(discard(id))).as("nothing happened twice yet").isInstanceOf(Applied.Conflict.class);
        driver.apply(held.happened(1));
        assertThat(driver.store().duplicated(10))
                .extracting(JobSummary::id, JobSummary::state)
                .containsExactly(tuple(id, JobState.DONE));
        driver.apply(driver.hold("the newest is never pruned", 1).finish("1"));
        time.advance(Duration.ofDays(2));
        driver.apply(new Change.PruneJobs(time.now(), 10));
        assertThat(driver.store().duplicated(10)).as("a person must hear of it").hasSize(1);
        var dealtWith = discard(id);
        assertThat(driver.apply(dealtWith)).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(dealtWith)).isInstanceOf(Applied.Already.class);
        assertThat(driver.store().duplicated(10)).isEmpty();
        assertThat(driver.store().job(id).orElseThrow().state()).isEqualTo(JobState.DONE);
        assertThat(driver.entries(held)).contains(new Entry.Discarded(ANNA));
        assertThat(driver.apply(discard(id))).as("there is nothing more").isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void what_happened_twice_in_a_job_that_goes_on_is_dealt_with_beside_it() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.didNotHappen(1));
        driver.apply(held.intend(2));
        driver.apply(held.happened(2));
        driver.apply(held.happened(1));
        assertThat(driver.store().duplicated(10)).hasSize(1);
        assertThat(driver.apply(discard(held.job().id()))).isInstanceOf(Applied.Now.class);
        assertThat(driver.store().duplicated(10)).isEmpty();
        assertThat(driver.apply(held.finish("1"))).as("it is its owner's still").isInstanceOf(Applied.Now.class);
    }

    private Change.DiscardJob discard(long job) {
        return new Change.DiscardJob(job, driver.newId(), ANNA);
    }

    @Test
    void an_attempt_begins_on_a_yes_until_it_expires_by_the_stores_clock() {
        var held = driver.hold("a", driver.enlist(1));
        var expires = time.now().plusSeconds(60);
        var inTime = held.intend(1, expires);
        assertThat(driver.apply(inTime)).isInstanceOf(Applied.Now.class);
        driver.apply(held.didNotHappen(1));
        time.advance(Duration.ofSeconds(60));
        assertThat(driver.apply(inTime)).as("asked again").isInstanceOf(Applied.Already.class);
        assertThat(driver.apply(held.intend(2, expires))).isInstanceOf(Applied.Refused.class);
        assertThat(driver.entries(held))
                .filteredOn(entry -> entry instanceof Entry.Intended)
                .hasSize(1);
    }

    @Test
    void a_second_happened_asked_again_is_still_reported() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.didNotHappen(1));
        driver.apply(held.intend(2));
        driver.apply(held.happened(2));
        var late = held.happened(1);
        assertThat(driver.apply(late)).isInstanceOf(Applied.Duplicated.class);
        assertThat(driver.apply(late)).as("the first answer may have got lost").isInstanceOf(Applied.Duplicated.class);
        assertThat(driver.entries(held))
                .filteredOn(e -> e instanceof Entry.Duplicated)
                .hasSize(1);
    }

    @Test
    void a_late_answer_to_an_earlier_run_stays_in_that_run() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(held.decide(Verdict.SKIP, null));
        driver.apply(driver.claimed(driver.claim(1, 1).getFirst()).finish("1"));
        driver.apply(new Change.ResubmitJob(held.job().id(), driver.newId(), ANNA));
        assertThat(driver.apply(held.happened(1))).isInstanceOf(Applied.Now.class);
        var again = driver.claim(1, 1).getFirst();
        assertThat(again.journal().stream().map(JournalLine::entry)).noneMatch(e -> e instanceof Entry.Answered);
        assertThat(driver.entries(held))
                .filteredOn(e -> e instanceof Entry.Answered)
                .hasSize(2);
    }

    @Test
    void an_account_that_is_mended_says_nothing_about_an_attempt() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.ACCOUNT));
        driver.apply(held.decide(Verdict.FAIL, null));
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        assertThat(driver.apply(again.fail())).as("it is in doubt still").isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void an_answer_to_an_attempt_that_never_was_is_refused() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(driver.apply(held.happened(1))).isInstanceOf(Applied.Refused.class);
        assertThat(driver.entries(held)).isEmpty();
    }

    // ---- what may have been sent late

    private Change.AnswerAttempt late(Held held, int number) {
        return held.answer(number, new Answer.Late());
    }

    @Test
    void an_attempt_that_may_have_been_sent_late_is_in_doubt_again_where_nothing_was_done_since() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.didNotHappen(1));
        var late = late(held, 1);
        assertThat(driver.apply(late)).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(late)).isInstanceOf(Applied.Already.class);
        assertThat(driver.entries(held))
                .filteredOn(
                        entry -> entry instanceof Entry.Answered answered && answered.answer() instanceof Answer.Late)
                .hasSize(1);
        assertThat(driver.apply(held.intend(2)))
                .as("an owner that does not know of it")
                .isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(held.finish("1"))).isInstanceOf(Applied.Conflict.class);
        driver.apply(held.didNotHappen(1));
        assertThat(driver.apply(held.intend(2))).isInstanceOf(Applied.Now.class);
        assertThat(driver.store().duplicated(10)).isEmpty();
    }

    @Test
    void what_was_asked_before_an_attempt_was_known_to_be_sent_late_is_asked_anew() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
        var said = held.decide(Verdict.RETRY, null);
        assertThat(driver.apply(late(held, 1))).isInstanceOf(Applied.Now.class);
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(driver.apply(said)).as("of what is no longer so").isInstanceOf(Applied.Conflict.class);
        var other = driver.hold("b", 1);
        driver.apply(other.intend(1));
        driver.apply(other.askAbout(QuestionKind.UNREADABLE));
        driver.apply(late(other, 1));
        assertThat(driver.state(other)).as("it asks something else").isEqualTo(JobState.PAUSED);
    }

    @Test
    void an_attempt_that_may_have_been_sent_late_beside_another_is_told() {
        for (var known : List.of(true, false)) {
            var held = driver.hold("a" + known, known ? driver.enlist(1) : 1);
            driver.apply(held.intend(1));
            driver.apply(held.didNotHappen(1));
            driver.apply(held.intend(2));
            if (known) {
                driver.apply(held.happened(2));
            }
            var late = late(held, 1);
            assertThat(driver.apply(late)).isInstanceOf(Applied.Duplicated.class);
            assertThat(driver.apply(late)).as("asked again").isInstanceOf(Applied.Duplicated.class);
            assertThat(driver.entries(held)).containsOnlyOnce(new Entry.Duplicated(EFFECT, 1, null, true));
            driver.apply(held.happened(2));
            assertThat(driver.apply(held.finish("1"))).isInstanceOf(Applied.Now.class);
        }
        assertThat(driver.store().duplicated(10)).hasSize(2);
    }

    @Test
    void an_attempt_that_may_have_been_sent_late_after_its_effect_or_its_job_had_ended_without_it_is_told() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.didNotHappen(1));
        driver.apply(held.fail());
        assertThat(driver.apply(late(held, 1))).isInstanceOf(Applied.Duplicated.class);
        assertThat(driver.state(held)).isEqualTo(JobState.FAILED);
        assertThat(driver.store().duplicated(10)).hasSize(1);

        var goesOn = driver.hold("c", 1);
        driver.apply(goesOn.intend(1));
        driver.apply(goesOn.didNotHappen(1));
        var gaveUp = new Entry.GaveUp(EFFECT, Failure.of(FailureClass.PERMANENT, "no", "no"));
        driver.apply(new Change.RecordStepIfOwned(goesOn.hold(), goesOn.id(1), List.of(gaveUp)));
        assertThat(driver.apply(late(goesOn, 1)))
                .as("what was given up stays given up")
                .isInstanceOf(Applied.Duplicated.class);
        assertThat(driver.apply(goesOn.finish("1"))).isInstanceOf(Applied.Now.class);

        var other = driver.hold("b", 1);
        driver.apply(other.intend(1));
        driver.apply(other.didNotHappen(1));
        driver.apply(other.fail());
        driver.apply(new Change.ResubmitJob(other.job().id(), driver.newId(), ANNA));
        assertThat(driver.apply(late(other, 1))).isInstanceOf(Applied.Duplicated.class);
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        assertThat(driver.apply(again.finish("1")))
                .as("what an earlier run left keeps no later one")
                .isInstanceOf(Applied.Now.class);
    }

    @Test
    void an_attempt_that_may_have_been_sent_late_while_somebody_else_runs_its_job_is_told() {
        for (var settled : List.of(true, false)) {
            var held = driver.hold("a" + settled, driver.enlist(settled ? 1 : 3));
            driver.apply(held.intend(1));
            driver.apply(new Change.TakeOver(settled ? 1 : 3, 0, WorkerEnd.BEAT_STOOD_STILL));
            var other = driver.claimed(
                    driver.claim(driver.enlist(settled ? 2 : 4), 1).getFirst());
            if (settled) {
                driver.apply(other.didNotHappen(1));
            }
            var late = late(held, 1);
            assertThat(driver.apply(late))
                    .as("whoever has it knows nothing of that")
                    .isInstanceOf(Applied.Duplicated.class);
            assertThat(driver.apply(late)).isInstanceOf(Applied.Duplicated.class);
            assertThat(driver.entries(held)).containsOnlyOnce(new Entry.Duplicated(EFFECT, 1, null, true));
            driver.apply(other.didNotHappen(1));
            assertThat(driver.apply(other.finish("1"))).isInstanceOf(Applied.Now.class);
        }
    }

    @Test
    void what_is_known_is_not_in_doubt_because_its_worker_was_late() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intendRemembered(1));
        driver.apply(held.intendRemembered(2));
        driver.apply(held.didNotHappen(1));
        driver.apply(held.happened(2));
        assertThat(driver.apply(late(held, 1)))
                .as("the destination takes both for one")
                .isInstanceOf(Applied.Already.class);
        assertThat(driver.apply(late(held, 2))).isInstanceOf(Applied.Already.class);
        assertThat(driver.apply(held.finish("1"))).isInstanceOf(Applied.Now.class);

        var skipped = driver.hold("b", 1);
        driver.apply(skipped.intend(1));
        driver.apply(skipped.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(skipped.decide(Verdict.SKIP, null));
        assertThat(driver.apply(late(skipped, 1)))
                .as("a person said to go on although nobody knows")
                .isInstanceOf(Applied.Already.class);
    }
}
