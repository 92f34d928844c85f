package dev.pawl.store;

import static dev.pawl.store.SampleJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a job owes elsewhere decides where it goes. */
class DebtsTest {
    private static final Audit ANNA = new Audit("anna", "enough");
    private static final Place BEGUN = new Place("", "begin", "");
    private static final Entry OWES = new Entry.Owes(BEGUN, new Place("", "session", ""));
    private static final Entry OWES_NO_MORE = new Entry.OwesNoMore(BEGUN);

    private static StoredJob owing(JobState state, Outcome outcome, int owes, boolean cancelling) {
        var job = job(state, outcome);
        var was = job.standing();
        return new StoredJob(
                job.id(),
                job.identity(),
                job.given(),
                new StoredJob.Standing(
                        was.state(),
                        was.resubmission(),
                        was.fence(),
                        was.owner(),
                        was.suspicion(),
                        was.times(),
                        cancelling,
                        owes),
                outcome);
    }

    private static Change.FinishJob finish(Change.FinishJob.FinalState ending, Entry... entries) {
        return new Change.FinishJob(new Change.Hold(1, 3), 4, List.of(entries), ending);
    }

    @Test
    void entries_are_added_up() {
        assertThat(Debts.more(List.of())).isZero();
        assertThat(Debts.more(List.of(OWES, OWES, OWES_NO_MORE))).isEqualTo(1);
        assertThat(Debts.more(List.of(OWES_NO_MORE))).isEqualTo(-1);
        assertThat(Debts.isIn(OWES)).isTrue();
        assertThat(Debts.isIn(OWES_NO_MORE)).isTrue();
        assertThat(Debts.isIn(new Entry.StepDone(BEGUN, "1"))).isFalse();
    }

    @Test
    void only_a_failure_leaves_what_is_owed() {
        var failed = new Change.FinishJob.FinalState.Failed(
                new FailedAt(BEGUN, Failure.of(FailureClass.PERMANENT, "no", "no")));
        assertThat(Debts.mustBePaidBefore(finish(new Change.FinishJob.FinalState.Done("1")), 1))
                .isTrue();
        assertThat(Debts.mustBePaidBefore(finish(new Change.FinishJob.FinalState.CalledOff()), 1))
                .isTrue();
        assertThat(Debts.mustBePaidBefore(finish(failed), 1)).isFalse();
        assertThat(Debts.mustBePaidBefore(finish(new Change.FinishJob.FinalState.Done("1")), 0))
                .isFalse();
        assertThat(Debts.mustBePaidBefore(new Change.RecordStepIfOwned(new Change.Hold(1, 3), 4, List.of(OWES)), 1))
                .isFalse();
    }

    @Test
    void called_off_it_is_taken_once_more_whatever_it_asks() {
        for (var state : List.of(JobState.READY, JobState.WAITING, JobState.PAUSED)) {
            var called = Cancelling.judge(owing(state, Outcome.NONE, 1, false), 7, ANNA, null);
            assertThat(called.transition()).isEqualTo(Transition.CANCEL_OWING);
            assertThat(called.entries()).containsExactly(new Entry.CancelAsked(ANNA));
            assertThat(Cancelling.judge(owing(state, Outcome.NONE, 0, false), 7, ANNA, null)
                            .transition())
                    .isEqualTo(Transition.CANCEL);
        }
        assertThat(Cancelling.judge(owing(JobState.WAITING, Outcome.NONE, 1, false), 7, ANNA, BEGUN)
                        .transition())
                .as("what is in doubt can be looked up")
                .isEqualTo(Transition.CANCEL_OWING);
        var asks = new Outcome(null, null, new Question(1, QuestionKind.IN_DOUBT, BEGUN, "because"));
        assertThat(Cancelling.judge(owing(JobState.PAUSED, asks, 1, false), 7, ANNA, BEGUN)
                        .transition())
                .isEqualTo(Transition.CANCEL_OWING);
        assertThat(Cancelling.judge(owing(JobState.PAUSED, asks, 0, false), 7, ANNA, BEGUN)
                        .transition())
                .as("the question stands")
                .isNull();
        assertThat(Cancelling.judge(owing(JobState.RUNNING, Outcome.NONE, 1, false), 7, ANNA, null)
                        .transition())
                .isNull();
    }

    @Test
    void once_nothing_is_in_doubt_it_ends_or_does_what_it_owes() {
        assertThat(Cancelling.onceSettled(owing(JobState.PAUSED, Outcome.NONE, 0, true), Transition.DECIDE))
                .isEqualTo(Transition.CANCEL);
        assertThat(Cancelling.onceSettled(owing(JobState.PAUSED, Outcome.NONE, 1, true), Transition.DECIDE))
                .isEqualTo(Transition.DECIDE);
        assertThat(Cancelling.onceSettled(owing(JobState.PAUSED, Outcome.NONE, 0, false), Transition.DECIDE))
                .isEqualTo(Transition.DECIDE);
        var later = new Leaving(Transition.TRY_LATER, Outcome.NONE, Duration.ZERO);
        assertThat(later.knowing(new Leaving.Meanwhile(false, true, false, false, 1)))
                .isEqualTo(later);
        assertThat(later.knowing(new Leaving.Meanwhile(false, true, false, false, 0))
                        .transition())
                .isEqualTo(Transition.CANCEL);
        assertThat(later.applied(owing(JobState.RUNNING, Outcome.NONE, 2, false), -1, SampleJobs.NOW)
                        .standing()
                        .owes())
                .isEqualTo(1);
    }

    @Test
    void one_that_failed_ends_it_when_it_is_discarded_and_gives_it_up_when_that_failed_too() {
        var left = owing(JobState.FAILED, Outcome.NONE, 1, false);
        var couldNot = owing(
                JobState.FAILED,
                new Outcome(null, new FailedAt(BEGUN, Failure.notEnded("no such project")), null),
                1,
                true);
        var nothing = owing(JobState.FAILED, Outcome.NONE, 0, false);
        assertThat(Reopening.way(left, Transition.DISCARD)).isEqualTo(Transition.DISCARD_OWING);
        assertThat(Reopening.way(couldNot, Transition.DISCARD)).isEqualTo(Transition.DISCARD);
        assertThat(Reopening.way(owing(JobState.FAILED, Outcome.NONE, 1, true), Transition.DISCARD))
                .as("called off, and failed before an end was tried")
                .isEqualTo(Transition.DISCARD_OWING);
        assertThat(Reopening.owesAfter(left, Transition.DISCARD_OWING)).isEqualTo(1);
        assertThat(Reopening.owesAfter(couldNot, Transition.DISCARD)).isZero();
        assertThat(Reopening.way(nothing, Transition.DISCARD)).isEqualTo(Transition.DISCARD);
        assertThat(Reopening.way(left, Transition.RETRY)).isEqualTo(Transition.RETRY);
        assertThat(Reopening.callsOff(left, Transition.DISCARD_OWING)).isTrue();
        assertThat(Reopening.callsOff(left, Transition.RETRY)).isFalse();
        assertThat(Reopening.callsOff(couldNot, Transition.RETRY)).isTrue();
        assertThat(Reopening.callsOff(couldNot, Transition.DISCARD)).isFalse();
        assertThat(Reopening.callsOff(owing(JobState.FAILED, Outcome.NONE, 0, true), Transition.RETRY))
                .isFalse();
        assertThat(Reopening.entry(left, Transition.DISCARD_OWING, ANNA)).isEqualTo(new Entry.Discarded(ANNA));
        assertThat(String.valueOf(Reopening.objection(left, Transition.RESUBMIT)))
                .contains("left something going on elsewhere");
        assertThat(Reopening.objection(nothing, Transition.RESUBMIT)).isNull();
        assertThat(Reopening.objection(left, Transition.DISCARD)).isNull();
    }
}
