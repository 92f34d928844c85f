package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.retry.Failure;
import dev.pawl.retry.FailureClass;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Answering.Status;
import dev.pawl.store.Change.TakeOver.WorkerEnd;
import dev.pawl.store.Leaving.Meanwhile;
import dev.pawl.store.StoredJob.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What a store decides without looking anything up: the pure part of every change, as tables. */
class JudgingTest {
    private static final Instant NOW = Instant.parse("2026-04-12T02:00:00Z");
    private static final Place PAY = new Place("", "pay", "");
    private static final Audit ANNA = new Audit("anna", "looked");

    private static StoredJob job(JobState state, Outcome outcome) {
        return new StoredJob(
                7,
                new Identity("w", Key.of("k")),
                new StoredJob.Given("1", Handling.usual()),
                new StoredJob.Standing(
                        state, 0, 3, 0, new StoredJob.Suspicion(true, 1), new StoredJob.Times(NOW, NOW, null), true),
                outcome);
    }

    private static Outcome asks(QuestionKind kind) {
        return new Outcome(null, null, new Question(5, kind, PAY, "because"));
    }

    // ---- leaving

    private static Leaving asking(QuestionKind kind) {
        return new Leaving(Transition.ASK, asks(kind), null);
    }

    @Test
    void a_job_that_was_called_off_ends_unless_it_is_in_doubt() {
        var off = new Meanwhile(false, true, false, false);
        assertThat(asking(QuestionKind.IN_DOUBT).knowing(off).transition()).isEqualTo(Transition.CANCEL);
        var inDoubt = new Meanwhile(true, true, true, false);
        assertThat(asking(QuestionKind.CODE_CHANGED).knowing(inDoubt).transition())
                .as("what it asks may no longer matter")
                .isEqualTo(Transition.COME_BACK);
        assertThat(asking(QuestionKind.IN_DOUBT).knowing(inDoubt).transition())
                .as("it comes back, and asks again in other words")
                .isEqualTo(Transition.COME_BACK);
        assertThat(asking(QuestionKind.IN_DOUBT)
                        .knowing(new Meanwhile(false, true, true, false))
                        .transition())
                .as("the question stands")
                .isEqualTo(Transition.ASK);
        var noNews = new Meanwhile(false, true, true, false);
        assertThat(new Leaving(Transition.TRY_LATER, Outcome.NONE, Duration.ZERO)
                        .knowing(noNews)
                        .transition())
                .isEqualTo(Transition.TRY_LATER);
        assertThat(new Leaving(Transition.TRY_LATER, Outcome.NONE, Duration.ZERO)
                        .knowing(inDoubt)
                        .transition())
                .isEqualTo(Transition.COME_BACK);
    }

    @Test
    void whoever_waits_comes_back_when_there_is_news_or_an_answer() {
        var wait = new Leaving(Transition.WAIT, Outcome.NONE, null);
        assertThat(wait.knowing(new Meanwhile(true, false, false, false)).transition())
                .isEqualTo(Transition.COME_BACK);
        assertThat(wait.knowing(new Meanwhile(false, false, false, false))).isEqualTo(wait);
        assertThat(asking(QuestionKind.IN_DOUBT)
                        .knowing(new Meanwhile(false, false, true, true))
                        .transition())
                .isEqualTo(Transition.COME_BACK);
        var later = new Leaving(Transition.TRY_LATER, Outcome.NONE, Duration.ofSeconds(1));
        assertThat(later.knowing(new Meanwhile(true, false, false, false)))
                .as("it comes back anyway")
                .isEqualTo(later);
    }

    @Test
    void a_question_is_about_one_place_and_only_some_are_moot_with_an_answer() {
        assertThat(asking(QuestionKind.IN_DOUBT).asksAbout(PAY)).isTrue();
        assertThat(asking(QuestionKind.IN_DOUBT).asksAbout(Place.WORKFLOW)).isFalse();
        assertThat(asking(QuestionKind.APPROVE).asksAbout(PAY)).isFalse();
        assertThat(new Leaving(Transition.WAIT, Outcome.NONE, null).asksAbout(PAY))
                .isFalse();
    }

    @Test
    void a_job_stands_as_its_owner_left_it() {
        var handedBack = new Leaving(Transition.HAND_BACK, Outcome.NONE, Duration.ofSeconds(5))
                .applied(job(JobState.RUNNING, Outcome.NONE), NOW);
        assertThat(handedBack.standing())
                .isEqualTo(new StoredJob.Standing(
                        JobState.READY,
                        0,
                        4,
                        0,
                        new StoredJob.Suspicion(true, 1),
                        new StoredJob.Times(NOW, NOW, NOW.plusSeconds(5)),
                        true));
        var done = new Leaving(Transition.FINISH, new Outcome("1", null, null), null)
                .applied(job(JobState.RUNNING, Outcome.NONE), NOW);
        assertThat(done.standing().suspicion()).isEqualTo(StoredJob.Suspicion.NONE);
        assertThat(done.standing().times().due()).isNull();
        assertThat(done.standing().cancelling()).as("it has ended").isFalse();
    }

    // ---- answers

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

    // ---- people

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
                        new Change.Decide(7, -5, 4, Decision.of(Verdict.DONE, "a", "b"))))
                .isInstanceOf(Applied.Conflict.class);
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
            names = {"RETRY", "RESUBMIT", "DISCARD"})
    void only_three_ways_back_are_a_persons_to_make(Transition transition) {
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
        var failedAtPay =
                new Outcome(null, new Change.FailedAt(PAY, Failure.of(FailureClass.PERMANENT, "x", "x")), null);
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

    // ---- calls

    @Test
    void a_child_is_as_urgent_as_its_caller_and_acts_for_the_same_unless_said() {
        var ofParent = new StoredJob.Given("1", Handling.usual().priority(5).principal("anna"));
        assertThat(Calling.inherited(new StoredJob.Given("2", Handling.usual()), ofParent)
                        .handling())
                .isEqualTo(Handling.usual().priority(5).principal("anna"));
        var own = Handling.usual().priority(1).principal("bruno");
        assertThat(Calling.inherited(new StoredJob.Given("2", own), ofParent).handling())
                .isEqualTo(own);
    }

    // ---- gates

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

    // ---- whoever is gone

    private static StoredJob suspected(boolean suspect, int strikes) {
        var job = job(JobState.RUNNING, Outcome.NONE);
        var was = job.standing();
        return new StoredJob(
                job.id(),
                job.identity(),
                job.given(),
                new StoredJob.Standing(
                        was.state(), 0, 3, 1, new StoredJob.Suspicion(suspect, strikes), was.times(), false),
                Outcome.NONE);
    }

    @Test
    void a_job_without_progress_is_a_suspect_and_three_deaths_alone_with_it_are_its_end() {
        var gone = WorkerEnd.PROCESS_GONE;
        var first = Rescuing.judge(suspected(false, 0), false, null, gone);
        assertThat(first.suspicion()).isEqualTo(new StoredJob.Suspicion(true, 0));
        assertThat(first.transition()).isEqualTo(Transition.OWNER_GONE);
        assertThat(first.entries()).containsExactly(new Entry.OwnerGone(3, true, 0));
        assertThat(first.due(suspected(false, 0))).isEqualTo(NOW);
        assertThat(Rescuing.judge(suspected(true, 1), true, null, gone).suspicion())
                .as("it got further")
                .isEqualTo(StoredJob.Suspicion.NONE);
        assertThat(Rescuing.judge(suspected(true, 1), false, null, gone).transition())
                .isEqualTo(Transition.OWNER_GONE);
        var struck = Rescuing.judge(suspected(true, 2), false, null, gone);
        assertThat(struck.transition()).isEqualTo(Transition.STRIKE_OUT);
        assertThat(struck.suspicion().strikes()).isEqualTo(3);
        assertThat(String.valueOf(struck.outcome().failure())).contains("died 3 times");
        assertThat(struck.due(suspected(true, 2))).isNull();
        var inDoubt = Rescuing.judge(suspected(true, 2), false, PAY, gone);
        assertThat(inDoubt.transition()).as("doubt sticks").isEqualTo(Transition.ASK);
        assertThat(inDoubt.outcome().question())
                .isEqualTo(new Question(
                        Rescuing.firstId(3) + 1,
                        QuestionKind.IN_DOUBT,
                        PAY,
                        "its worker died 3 times while it ran this job alone"));
        assertThat(inDoubt.entries()).hasSize(2);
    }

    @Test
    void a_worker_that_gave_up_blames_none_of_its_jobs() {
        var judged = Rescuing.judge(suspected(true, 3), false, null, WorkerEnd.GAVE_UP);
        assertThat(judged.suspicion()).isEqualTo(new StoredJob.Suspicion(true, 3));
        assertThat(judged.transition()).isEqualTo(Transition.OWNER_GONE);
        assertThat(Rescuing.judge(suspected(false, 0), false, null, WorkerEnd.BEAT_STOOD_STILL)
                        .entries())
                .containsExactly(new Entry.OwnerGone(3, false, 0));
        assertThat(Rescuing.firstId(3)).isEqualTo(Changes.owned(3, Changes.FIRST_OF_RESCUER));
    }

    // ---- messages

    @Test
    void a_message_wakes_whoever_may_wait_for_it() {
        assertThat(Delivering.judge(job(JobState.RUNNING, Outcome.NONE))).isEqualTo(Delivering.TELL_LATER);
        assertThat(Delivering.judge(job(JobState.WAITING, Outcome.NONE))).isEqualTo(Delivering.WAKE);
        assertThat(Delivering.judge(job(JobState.PAUSED, Outcome.NONE))).isEqualTo(Delivering.KEEP);
        var alsoWaits = new Leaving(Transition.ASK, asks(QuestionKind.IN_DOUBT), Duration.ofSeconds(1))
                .applied(job(JobState.RUNNING, Outcome.NONE), NOW);
        assertThat(Delivering.judge(alsoWaits)).isEqualTo(Delivering.WAKE);
        assertThat(Delivering.judge(job(JobState.FAILED, Outcome.NONE))).isEqualTo(Delivering.KEEP);
    }

    @Test
    void only_a_job_that_waits_for_a_time_can_be_hurried() {
        var hurry = Message.hurry("h", false, new Audit("anna", "mended"));
        assertThat(Delivering.judge(job(JobState.READY, Outcome.NONE), Message.Kind.HURRY))
                .isEqualTo(Delivering.WAKE);
        assertThat(Delivering.judge(job(JobState.READY, Outcome.NONE), Message.Kind.SIGNAL))
                .isEqualTo(Delivering.KEEP);
        for (var state : List.of(JobState.READY, JobState.WAITING)) {
            assertThat(Delivering.objection(job(state, Outcome.NONE), hurry)).isNull();
        }
        assertThat(String.valueOf(Delivering.objection(job(JobState.WAITING, Outcome.at("account/w")), hurry)))
                .contains("waits at gate account/w");
        assertThat(String.valueOf(Delivering.objection(job(JobState.PAUSED, Outcome.NONE), hurry)))
                .contains("asks a person");
        assertThat(String.valueOf(Delivering.objection(job(JobState.FAILED, Outcome.NONE), hurry)))
                .contains("without --now");
        for (var state : List.of(JobState.RUNNING, JobState.DONE, JobState.CANCELLED)) {
            assertThat(Delivering.objection(job(state, Outcome.NONE), hurry)).isInstanceOf(Applied.Conflict.class);
        }
    }

    @Test
    void a_job_that_has_ended_well_takes_no_message() {
        var signal = new Message("s", Message.Kind.SIGNAL, "paid", "1");
        var child = new Message("c", Message.Kind.CHILD_ENDED, "call", "1");
        assertThat(String.valueOf(Delivering.objection(job(JobState.DONE, Outcome.NONE), signal)))
                .contains("signal paid");
        assertThat(String.valueOf(Delivering.objection(job(JobState.CANCELLED, Outcome.NONE), child)))
                .contains("its child");
        assertThat(Delivering.objection(job(JobState.FAILED, Outcome.NONE), signal))
                .as("it may be retried")
                .isNull();
    }

    // ---- in small

    @Test
    void an_attempt_is_open_when_it_is_intended_and_remembered_as_long_as_its_terms_say() {
        var intent = new Entry.Intended(PAY, 1, "f", new Terms(null, false, Duration.ZERO), Duration.ZERO);
        assertThat(KnownAttempt.of(intent, NOW)).isEqualTo(new KnownAttempt(Status.OPEN, NOW, NOW));
        var day = new Entry.Intended(PAY, 1, "f", new Terms(Duration.ofDays(1), false, Duration.ZERO), Duration.ZERO);
        assertThat(KnownAttempt.of(day, NOW).with(Status.WAIVED))
                .isEqualTo(new KnownAttempt(Status.WAIVED, NOW, NOW.plusSeconds(86_400)));
    }

    @Test
    void how_an_owner_leaves_follows_from_its_change() {
        var hold = new Change.Hold(7, 3);
        assertThat(everyWithEntries(hold, List.of(new Entry.Released(3, "why", Duration.ZERO)))
                        .filter(change -> Leaving.of(change) == null))
                .hasOnlyElementsOfTypes(
                        Change.RecordStepIfOwned.class,
                        Change.IntendEffectIfOwned.class,
                        Change.CallIfOwned.class,
                        Change.KeepArtifactIfOwned.class)
                .hasSize(4);
        assertThat(Leaving.of(new Change.PassGateIfOwned(hold, 1, new Rate("g", 1, Duration.ofSeconds(1)))))
                .isNull();
        var waits = Leaving.of(new Change.WaitAtGateIfOwned(hold, 1, List.of(), wish(null, null, null), null));
        assertThat(waits).isEqualTo(new Leaving(Transition.WAIT, Outcome.NONE, null));
        assertThat(waits).extracting(Leaving::goesOn).isEqualTo(true);
        var done = Leaving.of(new Change.FinishJob(hold, 1, List.of(), new Change.FinishJob.FinalState.Done("1")));
        assertThat(done).isEqualTo(new Leaving(Transition.FINISH, new Outcome("1", null, null), null));
        assertThat(done).extracting(Leaving::goesOn).isEqualTo(false);
        assertThat(Leaving.of(new Change.FinishJob(hold, 1, List.of(), new Change.FinishJob.FinalState.CalledOff())))
                .extracting(Leaving::transition)
                .isEqualTo(Transition.CANCEL);
        var failed = new Change.FailedAt(PAY, Failure.of(FailureClass.PERMANENT, "x", "x"));
        assertThat(Leaving.of(new Change.FinishJob(hold, 1, List.of(), new Change.FinishJob.FinalState.Failed(failed))))
                .isEqualTo(new Leaving(Transition.FAIL, new Outcome(null, failed, null), null));
    }

    @Test
    void a_change_keeps_the_entries_it_was_made_with() {
        var hold = new Change.Hold(7, 3);
        var done = new Entry.StepDone(PAY, "1");
        var entries = new ArrayList<Entry>(List.of(done));
        var changes = everyWithEntries(hold, entries).toList();
        entries.clear();
        assertThat(changes).allMatch(change -> change.entries().equals(List.of(done)));
    }

    private static Stream<Change.Owned> everyWithEntries(Change.Hold hold, List<Entry> entries) {
        return Stream.of(
                new Change.RecordStepIfOwned(hold, 1, entries),
                new Change.IntendEffectIfOwned(hold, 1, entries, null),
                new Change.ReleaseJob(hold, 1, entries, Change.ReleaseJob.Until.WAIT),
                new Change.CallIfOwned(
                        hold,
                        1,
                        entries,
                        new Change.CalledJob(
                                new Identity("w", Key.of("c")), new StoredJob.Given("1", Handling.usual()), false)),
                new Change.WaitAtGateIfOwned(hold, 1, entries, wish(null, null, null), null),
                new Change.FinishJob(hold, 1, entries, new Change.FinishJob.FinalState.CalledOff()),
                new Change.Ask(hold, 1, entries, new Question(5, QuestionKind.APPROVE, PAY, "because"), null),
                new Change.KeepArtifactIfOwned(hold, 1, entries, Bytes.copyOf(new byte[0])));
    }

    @Test
    void a_decision_is_heard_later_by_a_job_that_runs() {
        assertThat(Deciding.hearsLater(job(JobState.RUNNING, Outcome.NONE))).isTrue();
        assertThat(Deciding.hearsLater(job(JobState.PAUSED, Outcome.NONE))).isFalse();
        assertThat(Calling.circle(new Identity("w", Key.of("a")), new Identity("w", Key.of("b"))))
                .contains("w/a", "w/b");
    }

    @Test
    void what_became_of_a_change_tells_whether_it_is_done_and_how_the_job_stands() {
        var job = job(JobState.READY, Outcome.NONE);
        assertThat(Stream.of(
                                new Applied.Now(job),
                                new Applied.Already(job),
                                new Applied.Duplicated(job),
                                new Applied.Conflict("", job))
                        .map(Applied::stored))
                .containsOnly(job);
        assertThat(Stream.of(
                                new Applied.TookOver(List.of(job)),
                                new Applied.Pruned(1),
                                new Applied.LeaseLost(),
                                new Applied.CalledOff(),
                                new Applied.NotYet(Duration.ZERO),
                                new Applied.Refused(""))
                        .map(Applied::stored))
                .containsOnlyNulls();
        assertThat(Stream.of(
                        new Applied.Now(null),
                        new Applied.Already(null),
                        new Applied.Duplicated(job),
                        new Applied.TookOver(List.of()),
                        new Applied.Pruned(0)))
                .allMatch(Applied::done);
        assertThat(Stream.of(new Applied.LeaseLost(), new Applied.Refused(""), new Applied.Conflict("", null)))
                .noneMatch(Applied::done);
    }

    @Test
    void a_wish_needs_room_and_something_to_take() {
        assertThat(new Wanted(1, 1, Taking.of("w"), 1, true).any()).isTrue();
        assertThat(new Wanted(1, 1, Taking.of("w"), 0, true).any()).isFalse();
        assertThat(new Wanted(1, 1, Taking.NOTHING, 1, true).any()).isFalse();
    }

    @Test
    void a_submission_of_what_is_there_already_is_judged_by_its_input_and_state() {
        for (var state : JobState.values()) {
            assertThat(Submitting.judge(job(state, Outcome.NONE), "1"))
                    .as(state.name())
                    .isEqualTo(Submitting.SAME);
            assertThat(Submitting.judge(job(state, Outcome.NONE), "2"))
                    .as(state.name())
                    .isEqualTo(
                            state == JobState.DONE || state == JobState.CANCELLED
                                    ? Submitting.SKIPPED_CHANGED
                                    : Submitting.CONFLICT);
        }
        var fresh = new StoredJob(
                7,
                new Identity("w", Key.of("k")),
                new StoredJob.Given("1", Handling.usual()),
                new StoredJob.Standing(
                        JobState.READY, 0, 0, 0, StoredJob.Suspicion.NONE, new StoredJob.Times(NOW, NOW, NOW), false),
                Outcome.NONE);
        assertThat(Submitting.judge(fresh, "2")).isEqualTo(Submitting.REPLACE);
        assertThat(Submitting.conflict(job(JobState.FAILED, Outcome.NONE)))
                .isEqualTo(
                        "job w/k is FAILED with another input; let it finish, or give the new work a key of its own");
    }
}
