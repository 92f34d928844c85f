package dev.pawl.store;

import static dev.pawl.store.SampleJobs.ANNA;
import static dev.pawl.store.SampleJobs.PAY;
import static dev.pawl.store.SampleJobs.asks;
import static dev.pawl.store.SampleJobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import dev.pawl.look.Tombstone;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What people may do to a job, and what it does. */
class PeopleTest {
    private static Change.Decide decide(Verdict verdict) {
        return new Change.Decide(7, -5, 5, new Decision(verdict, "1", false, ANNA));
    }

    @Test
    void a_decision_fits_a_question_that_is_asked() {
        assertThat(Deciding.objection(job(JobState.READY, asks(QuestionKind.IN_DOUBT)), decide(Verdict.DONE)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(Deciding.objection(job(JobState.PAUSED, Outcome.NONE), decide(Verdict.DONE)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(Deciding.objection(job(JobState.RUNNING, asks(QuestionKind.IN_DOUBT)), decide(Verdict.DONE)))
                .as("it runs for the sake of something else")
                .isNull();
        assertThat(Deciding.objection(job(JobState.PAUSED, asks(QuestionKind.IN_DOUBT)), decide(Verdict.APPROVE)))
                .isInstanceOf(Applied.Refused.class);
        assertThat(Deciding.objection(
                        job(JobState.PAUSED, asks(QuestionKind.IN_DOUBT)),
                        new Change.Decide(7, -5, 4, Decision.done(null).by("a", "b"))))
                .isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void what_happened_twice_is_dealt_with_by_discarding_a_job_of_which_there_is_more_than_a_tombstone() {
        var done = job(JobState.DONE, Outcome.NONE);
        assertThat(Duplicates.dealtWithBy(Transition.DISCARD, done, true)).isTrue();
        assertThat(Duplicates.dealtWithBy(Transition.DISCARD, done, false)).isFalse();
        assertThat(Duplicates.dealtWithBy(Transition.RETRY, done, true)).isFalse();
        assertThat(Duplicates.dealtWithBy(Transition.DISCARD, job(JobState.FAILED, Outcome.NONE), true))
                .as("it is discarded itself")
                .isFalse();
        var pruned = new StoredJob(
                done.id(),
                done.identity(),
                new StoredJob.Given(Tombstone.hash("1"), done.handling()),
                done.standing(),
                Outcome.NONE);
        assertThat(Duplicates.dealtWithBy(Transition.DISCARD, pruned, true)).isFalse();
    }

    @Test
    void a_decision_answers_the_open_attempts() {
        assertThat(Deciding.answers(QuestionKind.IN_DOUBT, List.of(1, 2), decide(Verdict.DONE)))
                .isEqualTo(Map.of(1, new Answer.Waived("anna"), 2, Answer.happened("1")));
        assertThat(Deciding.answers(QuestionKind.IN_DOUBT, List.of(), decide(Verdict.DONE)))
                .isEmpty();
        assertThat(Deciding.answers(QuestionKind.IN_DOUBT, List.of(1), decide(Verdict.FAIL)))
                .isEqualTo(Map.of(1, new Answer.Waived("anna")));
        assertThat(Deciding.answers(QuestionKind.IN_DOUBT, List.of(1), decide(Verdict.RETRY)))
                .isEmpty();
        assertThat(Deciding.answers(QuestionKind.ACCOUNT, List.of(1), decide(Verdict.RETRY)))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Transition.class,
            mode = Mode.EXCLUDE,
            names = {"RETRY", "RESUBMIT", "DISCARD", "DISCARD_OWING"})
    void only_these_ways_back_are_a_persons_to_make(Transition transition) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reopening.entry(job(JobState.FAILED, Outcome.NONE), transition, ANNA));
    }

    @Test
    void a_job_is_reopened_from_where_it_may_be() {
        assertThat(Reopening.objection(job(JobState.FAILED, Outcome.NONE), Transition.RETRY))
                .isNull();
        assertThat(Stream.of(Transition.RETRY, Transition.RESUBMIT, Transition.DISCARD)
                        .map(way -> String.valueOf(Reopening.objection(job(JobState.READY, Outcome.NONE), way))))
                .satisfiesExactly(
                        says -> assertThat(says).contains("can be retried"),
                        says -> assertThat(says).contains("can be resubmitted"),
                        says -> assertThat(says).contains("can be discarded"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reopening.objection(job(JobState.DONE, Outcome.NONE), Transition.CLAIM));
        assertThat(Reopening.entry(job(JobState.FAILED, Outcome.NONE), Transition.RETRY, ANNA))
                .isEqualTo(new Entry.Retried(Place.WORKFLOW, ANNA));
        var failedAtPay = new Outcome(null, new FailedAt(PAY, Failure.of(FailureClass.PERMANENT, "x", "x")), null);
        assertThat(Reopening.entry(job(JobState.FAILED, failedAtPay), Transition.RETRY, ANNA))
                .isEqualTo(new Entry.Retried(PAY, ANNA));
    }

    @Test
    void a_finished_job_is_not_called_off_and_a_failed_one_is_discarded() {
        assertThat(String.valueOf(Cancelling.objection(job(JobState.FAILED, Outcome.NONE))))
                .contains("discard it instead");
        assertThat(String.valueOf(Cancelling.objection(job(JobState.DONE, Outcome.NONE))))
                .contains("cannot be called off")
                .doesNotContain("discard");
        assertThat(Cancelling.objection(job(JobState.READY, Outcome.NONE))).isNull();
        var asked = Cancelling.judge(job(JobState.PAUSED, asks(QuestionKind.APPROVE)), -9, ANNA, PAY);
        assertThat(asked.transition()).isEqualTo(Transition.CANCEL_IN_DOUBT);
        assertThat(asked.outcome().question()).extracting(Question::id).isEqualTo(-8L);
        assertThat(Cancelling.judge(job(JobState.RUNNING, Outcome.NONE), -9, ANNA, PAY))
                .isEqualTo(new Cancelling(null, Outcome.NONE, List.of(new Entry.CancelAsked(ANNA))));
        assertThat(Cancelling.judge(job(JobState.READY, Outcome.NONE), -9, ANNA, null)
                        .transition())
                .isEqualTo(Transition.CANCEL);
        assertThat(Cancelling.judge(job(JobState.PAUSED, asks(QuestionKind.IN_DOUBT)), -9, ANNA, PAY)
                        .transition())
                .as("it goes on asking")
                .isNull();
    }
}
