package dev.pawl.store;

import static dev.pawl.store.SampleJobs.NOW;
import static dev.pawl.store.SampleJobs.PAY;
import static dev.pawl.store.SampleJobs.asks;
import static dev.pawl.store.SampleJobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob.Outcome;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Answering.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an answer comes to, given what is known of all attempts of its effect. */
class AnsweringTest {
    private static KnownAttempt attempt(Status status, int secondsLater) {
        var at = NOW.plusSeconds(secondsLater);
        return new KnownAttempt(status, at, at.plusSeconds(60));
    }

    @Test
    void a_second_deed_is_one_only_where_the_destination_did_not_take_it_for_the_first() {
        var attempts = Map.of(1, attempt(Status.HAPPENED, 0), 2, attempt(Status.OPEN, 30), 3, attempt(Status.OPEN, 90));
        assertThat(Answering.judge(attempts, 2, Answer.happened("1"), Answer.Source.WORKER))
                .isEqualTo(new Answering(Status.HAPPENED, false, true, true));
        assertThat(Answering.judge(attempts, 3, Answer.happened("1"), Answer.Source.WORKER))
                .isEqualTo(new Answering(Status.HAPPENED, true, true, true));
        var other = Map.of(1, attempt(Status.OPEN, 0), 2, attempt(Status.HAPPENED, 90));
        assertThat(Answering.judge(other, 1, Answer.happened("1"), Answer.Source.WORKER)
                        .duplicated())
                .as("in whichever order they are told")
                .isTrue();
    }

    @Test
    void an_attempt_that_was_taken_for_not_happened_and_did_is_reported_with_whatever_it_made_room_for() {
        var late = Map.of(1, attempt(Status.DID_NOT_HAPPEN, 0), 2, attempt(Status.OPEN, 90));
        assertThat(Answering.judge(late, 1, Answer.happened("1"), Answer.Source.WORKER))
                .isEqualTo(new Answering(Status.HAPPENED, true, true, true));
        var remembered = Map.of(1, attempt(Status.DID_NOT_HAPPEN, 0), 2, attempt(Status.OPEN, 30));
        assertThat(Answering.judge(remembered, 1, Answer.happened("1"), Answer.Source.WORKER)
                        .duplicated())
                .as("the destination takes both for one")
                .isFalse();
        var nothingElse = Map.of(1, attempt(Status.DID_NOT_HAPPEN, 0), 2, attempt(Status.DID_NOT_HAPPEN, 90));
        assertThat(Answering.judge(nothingElse, 1, Answer.happened("1"), Answer.Source.WORKER)
                        .duplicated())
                .isFalse();
        var beforeIt = Map.of(1, attempt(Status.OPEN, 0), 2, attempt(Status.OPEN, 90));
        assertThat(Answering.judge(beforeIt, 1, Answer.happened("1"), Answer.Source.WORKER)
                        .duplicated())
                .as("nobody took anything for not happened")
                .isFalse();
    }

    @Test
    void who_looked_has_seen_the_effect_and_not_the_attempt() {
        var attempts =
                Map.of(1, attempt(Status.HAPPENED, 0), 2, attempt(Status.OPEN, 90), 3, attempt(Status.WAIVED, 95));
        assertThat(Answering.judge(attempts, 2, Answer.happened("1"), Answer.Source.VERIFY))
                .isEqualTo(new Answering(Status.SETTLED, false, true, true));
        assertThat(Answering.judge(attempts, 3, Answer.happened("1"), Answer.Source.PERSON))
                .isEqualTo(new Answering(Status.WAIVED, false, true, false));
        assertThat(Answering.judge(Map.of(1, attempt(Status.OPEN, 0)), 1, Answer.happened("1"), Answer.Source.VERIFY)
                        .status())
                .isEqualTo(Status.HAPPENED);
        assertThat(Answering.judge(attempts, 1, Answer.happened("1"), Answer.Source.WORKER))
                .as("told twice")
                .isEqualTo(new Answering(Status.HAPPENED, false, true, false));
    }

    @Test
    void no_answer_takes_a_deed_back_and_each_closes_only_its_own_attempt() {
        var not = new Answer.DidNotHappen(Failure.of(FailureClass.TRANSIENT, "x", "x"));
        var attempts =
                Map.of(1, attempt(Status.HAPPENED, 0), 2, attempt(Status.SETTLED, 1), 3, attempt(Status.OPEN, 2));
        assertThat(Answering.judge(attempts, 1, not, Answer.Source.WORKER).status())
                .isEqualTo(Status.HAPPENED);
        assertThat(Answering.judge(attempts, 2, not, Answer.Source.WORKER).status())
                .isEqualTo(Status.SETTLED);
        var two = Map.of(1, attempt(Status.OPEN, 0), 2, attempt(Status.OPEN, 1));
        assertThat(Answering.judge(two, 1, not, Answer.Source.WORKER))
                .isEqualTo(new Answering(Status.DID_NOT_HAPPEN, false, false, true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Answering.judge(two, 3, not, Answer.Source.WORKER))
                .withMessageContaining("no attempt 3");
    }

    private static Answering late(boolean outOfSight, KnownAttempt... attempts) {
        var known = new TreeMap<Integer, KnownAttempt>();
        for (var attempt : attempts) {
            known.put(known.size() + 1, attempt);
        }
        return Answering.judgeLate(known, 1, outOfSight, NOW.plusSeconds(100));
    }

    @Test
    void what_may_have_been_sent_late_is_in_doubt_again_or_told() {
        var inDoubt = new Answering(Status.OPEN, false, false, true);
        var toldOf = new Answering(Status.DID_NOT_HAPPEN, true, false, false);
        var absent = attempt(Status.DID_NOT_HAPPEN, 0);
        assertThat(late(false, attempt(Status.OPEN, 0))).isEqualTo(inDoubt);
        assertThat(late(true, attempt(Status.OPEN, 0)))
                .as("somebody else runs it, with what was known before")
                .isEqualTo(new Answering(Status.OPEN, true, false, true));
        assertThat(late(false, absent)).isEqualTo(inDoubt);
        assertThat(late(false, absent, attempt(Status.DID_NOT_HAPPEN, 90))).isEqualTo(inDoubt);
        assertThat(late(false, absent, attempt(Status.OPEN, 30))).isEqualTo(toldOf);
        assertThat(late(false, absent, attempt(Status.HAPPENED, 30)))
                .as("it was remembered for a minute, and that is over")
                .isEqualTo(toldOf);
        assertThat(late(true, absent)).isEqualTo(toldOf);
        assertThat(late(false, absent, attempt(Status.HAPPENED, 90)).duplicated())
                .as("the destination takes both for one")
                .isFalse();
        assertThat(late(false, attempt(Status.SETTLED, 0), attempt(Status.HAPPENED, 30)))
                .isEqualTo(new Answering(Status.SETTLED, true, false, false));
        for (var known : List.of(Status.HAPPENED, Status.WAIVED)) {
            assertThat(late(true, attempt(known, 0))).isEqualTo(new Answering(known, false, false, false));
        }
    }

    @Test
    void an_answer_wakes_whoever_waits_and_whoever_asks_about_it() {
        assertThat(Answering.wakes(job(JobState.WAITING, Outcome.NONE), PAY)).isTrue();
        assertThat(Answering.wakes(job(JobState.READY, Outcome.NONE), PAY)).isFalse();
        assertThat(Answering.wakes(job(JobState.PAUSED, asks(QuestionKind.DRIFT)), PAY))
                .isTrue();
        assertThat(Answering.wakes(job(JobState.PAUSED, asks(QuestionKind.DRIFT)), Place.WORKFLOW))
                .isFalse();
        assertThat(Answering.wakes(job(JobState.PAUSED, asks(QuestionKind.APPROVE)), PAY))
                .isFalse();
    }

    @Test
    void what_is_late_is_judged_by_when_it_was_told_and_of_an_attempt_that_is_there() {
        var attempts = Map.of(1, attempt(Status.OPEN, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Answering.judge(attempts, 1, new Answer.Late(), Answer.Source.WORKER))
                .withMessageContaining("by when it was told");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Answering.judgeLate(attempts, 2, false, NOW))
                .withMessageContaining("no attempt 2");
    }

    @Test
    void nobody_will_look_at_an_attempt_of_which_the_journal_knows_nothing() {
        var ref = new Change.AttemptRef(0, PAY, 1);
        var waits = job(JobState.WAITING, Outcome.NONE);
        assertThat(Answering.isOutOfSight(waits, ref, List.of())).isTrue();
        var intended = new JournalLine(
                1,
                Changes.owned(3, 0),
                0,
                NOW,
                new Entry.Intended(PAY, 1, "f", new Terms(null, false, Duration.ZERO), Duration.ZERO));
        assertThat(Answering.isOutOfSight(waits, ref, List.of(intended))).isFalse();
        assertThat(Answering.isOutOfSight(job(JobState.DONE, Outcome.NONE), ref, List.of(intended)))
                .isTrue();
    }
}
