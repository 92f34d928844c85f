package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.look.JobQuery;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import org.junit.jupiter.api.Test;

/** What people decide, retry, resubmit and discard, on every store. */
public abstract class DecisionConformance extends StoreHarness {
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
        var failed = driver.store().jobs(JobQuery.in(JobState.FAILED)).jobs();
        assertThat(failed).hasSize(1);
        assertThat(failed.getFirst().outcome().failure()).isNotNull();
        driver.apply(new Change.RetryJob(held.job().id(), driver.newId(), ANNA));
        assertThat(driver.entries(held)).contains(new Entry.Retried(EFFECT, ANNA));
        assertThat(driver.claim(1, 1)).hasSize(1);
    }
}
