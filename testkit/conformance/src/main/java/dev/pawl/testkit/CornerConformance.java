package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static dev.pawl.testkit.StoreDriver.decision;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What every store must do in the corners: with what is not there, what is told again, and what others did in between. */
public abstract class CornerConformance extends StoreHarness {
    private static final Duration LONG = Duration.ofDays(1);
    private static final long NOBODY = 999;

    private static Change.CalledJob child(String key, String input) {
        return new Change.CalledJob(identity(key), new StoredJob.Given(input, Handling.usual()), false);
    }

    private StoreDriver.Held again() {
        return driver.claimed(driver.claim(1, 1).getFirst());
    }

    @Test
    void nothing_can_be_done_to_a_job_that_is_not_there() {
        var hold = new Change.Hold(NOBODY, 1);
        assertThat(List.of(
                        driver.apply(new Change.Decide(NOBODY, driver.newId(), 1, decision(Verdict.DONE))),
                        driver.apply(new Change.Deliver(NOBODY, new Message("x", Message.Kind.SIGNAL, "paid", "1"))),
                        driver.apply(new Change.CancelJob(NOBODY, driver.newId(), ANNA)),
                        driver.apply(new Change.RetryJob(NOBODY, driver.newId(), ANNA))))
                .allMatch(applied -> applied instanceof Applied.Refused);
        assertThat(driver.apply(new Change.RecordStepIfOwned(hold, 1, List.of(new Entry.StepDone(EFFECT, "1"))))
                        .done())
                .isFalse();
        assertThat(driver.apply(new Change.CallIfOwned(
                                hold, 1, List.of(new Entry.Called(EFFECT, identity("c"))), child("c", "1")))
                        .done())
                .isFalse();
        assertThat(driver.store().job(NOBODY)).isEmpty();
        assertThat(driver.store().journal(NOBODY)).isEmpty();
    }

    @Test
    void a_fence_of_a_job_that_does_not_run_is_nobodys() {
        var job = Objects.requireNonNull(driver.submit("a", "1").stored());
        var hold = new Change.Hold(job.id(), 0);
        assertThat(driver.apply(new Change.RecordStepIfOwned(hold, 1, List.of(new Entry.StepDone(EFFECT, "1")))))
                .isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.apply(new Change.PassGateIfOwned(hold, 2, new Rate("g", 1, LONG))))
                .isInstanceOf(Applied.LeaseLost.class);
    }

    @Test
    void a_child_that_is_in_flight_with_another_input_is_a_conflict_for_its_caller() {
        driver.enlist(1);
        driver.hold("child", 1);
        var parent = driver.hold("parent", 1);
        assertThat(driver.apply(parent.call("call", child("child", "2")))).isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void two_calls_of_one_child_are_told_twice_and_the_same_call_once() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        driver.apply(parent.call("one", child("child", "1")));
        driver.apply(parent.call("two", child("child", "1")));
        driver.apply(parent.call("one", child("child", "1")));
        var child = again();
        driver.apply(child.finish("7"));
        driver.apply(parent.call("two", child("child", "1")));
        assertThat(driver.entries(parent).stream().filter(entry -> entry instanceof Entry.Delivered))
                .hasSize(2);
    }

    @Test
    void a_child_that_two_ways_lead_to_may_call_others_but_not_back() {
        driver.enlist(1);
        var top = driver.hold("top", 1);
        driver.apply(top.call("left", child("left", "1")));
        driver.apply(top.call("right", child("right", "1")));
        var left = again();
        driver.apply(left.call("bottom", child("bottom", "1")));
        var right = again();
        driver.apply(right.call("bottom", child("bottom", "1")));
        var bottom = again();
        assertThat(driver.apply(bottom.call("new", child("new", "1")))).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(bottom.call("again", child("new", "1")))).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(bottom.call("back", child("top", "1")))).isInstanceOf(Applied.Refused.class);
    }

    @Test
    void what_is_called_off_already_is_called_off_no_more() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        driver.apply(parent.call("middle", child("middle", "1")));
        driver.apply(parent.call("child", child("child", "1")));
        var middle = again();
        assertThat(middle.job().identity()).isEqualTo(identity("middle"));
        driver.apply(middle.call("child", child("child", "1")));
        driver.apply(middle.intend(1));
        driver.apply(middle.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(new Change.CancelJob(middle.job().id(), driver.newId(), ANNA));
        assertThat(driver.state(middle)).as("it is in doubt").isEqualTo(JobState.PAUSED);
        driver.apply(new Change.CancelJob(parent.job().id(), driver.newId(), ANNA));
        var child = driver.store().find(identity("child")).orElseThrow();
        assertThat(child.state()).isEqualTo(JobState.CANCELLED);
        for (var job : List.of(middle.job().id(), child.id())) {
            assertThat(driver.store().journal(job).stream().filter(line -> line.entry() instanceof Entry.CancelAsked))
                    .hasSize(1);
        }
    }

    @Test
    void a_job_that_was_called_off_and_is_done_again_goes_on() {
        var job = Objects.requireNonNull(driver.submit("a", "1").stored());
        driver.apply(new Change.CancelJob(job.id(), driver.newId(), ANNA));
        driver.apply(new Change.ResubmitJob(job.id(), driver.newId(), ANNA));
        driver.enlist(1);
        var held = again();
        assertThat(held.job().standing().cancelling()).isFalse();
        assertThat(driver.apply(held.intend(1)).done()).isTrue();
    }

    @Test
    void a_job_that_was_called_off_goes_on_while_another_effect_is_in_doubt() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        var elsewhere = new Place("", "elsewhere", "");
        driver.apply(new Change.IntendEffectIfOwned(
                held.hold(),
                held.id(1),
                List.of(new Entry.Intended(
                        elsewhere, 1, "f", new Terms(null, false, Duration.ZERO), Duration.ofMinutes(2))),
                null));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(new Change.CancelJob(held.job().id(), driver.newId(), ANNA));
        driver.apply(held.happened(1));
        assertThat(driver.state(held)).as("to ask about the other").isEqualTo(JobState.READY);
    }

    @Test
    void a_submission_of_what_another_worker_runs_gives_it_to_nobody_else() {
        driver.enlist(2);
        driver.hold("a", driver.enlist(1));
        var submit = new Change.SubmitJob(identity("a"), "1", new Change.SubmitJob.Claim(2, 9));
        var exchanged = driver.store().exchange(List.of(submit), Wanted.NOTHING);
        assertThat(exchanged.applied().getFirst()).isInstanceOf(Applied.Already.class);
        assertThat(exchanged.claimed()).isEmpty();
        var own = new Change.SubmitJob(identity("a"), "1", new Change.SubmitJob.Claim(1, 99));
        assertThat(driver.store().exchange(List.of(own), Wanted.NOTHING).claimed())
                .as("claimed in another way")
                .isEmpty();
    }

    @Test
    void an_intent_asked_again_is_done_already_whatever_became_of_it() {
        var held = driver.hold("a", driver.enlist(1));
        var first = held.intend(1, time.now().plusSeconds(1));
        driver.apply(first);
        time.advance(LONG);
        assertThat(driver.apply(first)).as("its yes has expired").isInstanceOf(Applied.Already.class);
        driver.apply(held.didNotHappen(1));
        var second = held.intend(2);
        driver.apply(second);
        driver.apply(held.happened(2));
        assertThat(driver.apply(second)).as("it has happened").isInstanceOf(Applied.Already.class);
        assertThat(driver.apply(held.intend(3))).isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void what_has_happened_is_told_before_that_a_yes_to_it_has_expired() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        assertThat(driver.apply(held.intend(2, time.now().minusSeconds(1)))).isInstanceOf(Applied.Conflict.class);
        var other = driver.hold("b", 1);
        driver.apply(other.intend(1));
        driver.apply(other.didNotHappen(1));
        assertThat(driver.apply(other.intend(2, time.now().minusSeconds(1)))).isInstanceOf(Applied.Refused.class);
    }

    @Test
    void a_change_to_a_job_that_is_not_there_is_refused() {
        driver.enlist(1);
        var nowhere = new Change.Hold(4_711, 1);
        var step = List.<Entry>of(new Entry.StepDone(new Place("", "s", ""), "1"));
        assertThat(driver.apply(new Change.RecordStepIfOwned(nowhere, 1L << 40, step)))
                .isInstanceOf(Applied.Refused.class);
    }

    @Test
    void an_intent_asked_again_by_somebody_who_has_lost_the_job_is_not_theirs_to_act_on() {
        var held = driver.hold("a", driver.enlist(1));
        var intent = held.intend(1);
        driver.apply(intent);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        assertThat(driver.apply(intent)).isInstanceOf(Applied.LeaseLost.class);
        driver.enlist(2);
        driver.claim(2, 1);
        assertThat(driver.apply(intent)).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.entries(held).stream().filter(entry -> entry instanceof Entry.Intended))
                .hasSize(1);
    }

    @Test
    void an_intent_under_an_old_fence_is_refused_for_that_reason() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        var expired = held.intend(2, time.now().minusSeconds(1));
        var late = held.intend(3);
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(expired)).isInstanceOf(Applied.LeaseLost.class);
        driver.apply(held.happened(1));
        assertThat(driver.apply(late)).isInstanceOf(Applied.LeaseLost.class);
    }

    @Test
    void whoever_goes_to_wait_at_a_gate_while_news_arrive_comes_back_instead() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(new Change.Deliver(held.job().id(), new Message("x", Message.Kind.SIGNAL, "paid", "1")));
        driver.apply(new Change.WaitAtGateIfOwned(
                held.hold(),
                held.id(0),
                List.of(),
                new Gate.Wish("g", new Gate.Reason(Gate.Cause.ACCOUNT, "why", null, null)),
                null));
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(driver.store().waitingAt("g")).isZero();
    }

    @Test
    void what_a_late_worker_used_counts_once_although_it_is_told_twice() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        var used = new Entry.Used(EFFECT, 1, List.of(Use.of("m")), Duration.ofSeconds(1));
        var late = new Change.AnswerAttempt(
                held.job().id(),
                driver.newId(),
                new Change.AttemptRef(0, EFFECT, 1),
                Answer.happened("1"),
                Answer.Source.WORKER,
                used);
        driver.apply(late);
        driver.apply(late);
        assertThat(driver.entries(held).stream().filter(entry -> entry instanceof Entry.Used))
                .hasSize(1);
    }

    @Test
    void a_caller_that_was_submitted_again_does_not_hear_of_what_it_called_before() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        driver.apply(parent.call("call", child("child", "1")));
        driver.apply(parent.fail());
        driver.apply(new Change.ResubmitJob(parent.job().id(), driver.newId(), ANNA));
        var held = driver.claim(1, 2);
        var child = held.stream()
                .filter(one -> one.job().identity().equals(identity("child")))
                .findFirst()
                .orElseThrow();
        driver.apply(driver.claimed(child).finish("7"));
        assertThat(driver.entries(parent)).noneMatch(entry -> entry instanceof Entry.Delivered);
    }

    @Test
    void a_caller_that_was_called_off_or_is_done_hears_nothing_more() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        driver.apply(parent.call("call", child("child", "1")));
        driver.apply(parent.finish("1"));
        driver.apply(again().finish("7"));
        assertThat(driver.entries(parent)).noneMatch(entry -> entry instanceof Entry.Delivered);
        driver.apply(driver.hold("the newest is never pruned", 1).finish("1"));
        time.advance(LONG);
        driver.apply(new Change.PruneJobs(time.now(), 10));
        assertThat(driver.store().find(identity("child")).orElseThrow().pruned())
                .isTrue();
    }

    @Test
    void a_child_of_two_that_are_called_off_together_is_called_off_once() {
        driver.enlist(1);
        var grandparent = driver.hold("grandparent", 1);
        driver.apply(grandparent.call("a", child("parent", "1")));
        driver.apply(grandparent.call("b", child("child", "1")));
        driver.apply(grandparent.release(Until.WAIT, LONG));
        var parent = driver.claim(1, 2).stream()
                .filter(one -> one.job().identity().equals(identity("parent")))
                .map(driver::claimed)
                .findFirst()
                .orElseThrow();
        driver.apply(parent.call("c", child("child", "1")));
        driver.apply(new Change.CancelJob(grandparent.job().id(), driver.newId(), ANNA));
        var child = driver.store().find(identity("child")).orElseThrow();
        assertThat(driver.store().journal(child.id()).stream()
                        .filter(line -> line.entry() instanceof Entry.CancelAsked))
                .hasSize(1);
        assertThat(child.standing().cancelling()).isTrue();
    }

    @Test
    void what_an_attempt_used_is_kept_once_however_often_its_answer_is_told() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        var used = new Entry.Used(EFFECT, 1, List.of(Use.of("m")), Duration.ofSeconds(1));
        var ref = new Change.AttemptRef(0, EFFECT, 1);
        var id = driver.newId();
        var unclear =
                new Change.AnswerAttempt(held.job().id(), id, ref, Answer.happened("1"), Answer.Source.WORKER, used);
        driver.apply(unclear);
        driver.apply(unclear);
        driver.apply(
                new Change.AnswerAttempt(held.job().id(), id, ref, Answer.happened(null), Answer.Source.WORKER, used));
        assertThat(driver.entries(held).stream().filter(entry -> entry instanceof Entry.Used))
                .hasSize(1);
    }

    @Test
    void an_answer_while_the_job_runs_closes_the_question_that_still_stands() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT, LONG));
        time.advance(LONG);
        var runs = again();
        assertThat(driver.job(held.job().id()).outcome().question()).isNotNull();
        driver.apply(held.happened(1));
        assertThat(driver.state(runs)).isEqualTo(JobState.RUNNING);
        assertThat(driver.job(held.job().id()).outcome().question()).isNull();
    }

    @Test
    void an_answer_to_something_else_leaves_a_question_alone() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.APPROVE));
        driver.apply(held.happened(1));
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
        assertThat(driver.job(held.job().id()).outcome().question()).isNotNull();
    }

    @Test
    void a_job_that_was_called_off_while_two_attempts_are_open_ends_with_the_last_answer() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intendRemembered(1));
        driver.apply(held.intendRemembered(2));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(new Change.CancelJob(held.job().id(), driver.newId(), ANNA));
        driver.apply(held.didNotHappen(1));
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
        driver.apply(held.didNotHappen(2));
        assertThat(driver.state(held)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void only_those_who_wait_at_a_gate_are_counted_and_woken() {
        driver.enlist(1);
        var at = driver.hold("at", 1);
        var elsewhere = driver.hold("elsewhere", 1);
        driver.apply(new Change.WaitAtGateIfOwned(
                at.hold(),
                at.id(0),
                List.of(),
                new Gate.Wish("g", new Gate.Reason(Gate.Cause.ACCOUNT, "why", null, null)),
                null));
        driver.apply(new Change.WaitAtGateIfOwned(
                elsewhere.hold(),
                elsewhere.id(0),
                List.of(),
                new Gate.Wish("h", new Gate.Reason(Gate.Cause.ACCOUNT, "why", null, null)),
                LONG));
        assertThat(driver.store().waitingAt("g")).isEqualTo(1);
        driver.apply(new Change.OpenGate("g", 1, ANNA));
        assertThat(driver.state(at)).isEqualTo(JobState.READY);
        assertThat(driver.state(elsewhere)).isEqualTo(JobState.WAITING);
        assertThat(driver.apply(new Change.OpenGate("g", 1, ANNA))).isInstanceOf(Applied.Already.class);
        assertThat(driver.apply(new Change.OpenGate("none", 1, ANNA))).isInstanceOf(Applied.Refused.class);
    }

    @Test
    void what_is_asked_again_after_the_job_was_left_is_done_already() {
        var held = driver.hold("a", driver.enlist(1));
        var artifact =
                new Entry.ArtifactKept(EFFECT, new dev.pawl.journal.Artifact("text/plain", 1, "0".repeat(64), null));
        var keep = new Change.KeepArtifactIfOwned(
                held.hold(), held.id(1), List.of(artifact), Bytes.copyOf(new byte[] {1}));
        var call = held.call("call", child("child", "1"));
        driver.apply(keep);
        driver.apply(call);
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(keep)).isInstanceOf(Applied.Already.class);
        assertThat(driver.apply(call)).isInstanceOf(Applied.Already.class);
        assertThat(driver.store().artifact(held.job().id(), EFFECT)).isPresent();
    }

    @Test
    void who_has_no_number_claims_nothing_and_two_who_submit_at_once_claim_each_their_own() {
        driver.enlist(1);
        driver.enlist(2);
        driver.submit("there", "1");
        var nobody = new Change.SubmitJob(identity("there"), "1", new Change.SubmitJob.Claim(77, 1));
        var exchanged = driver.store().exchange(List.of(nobody), Wanted.NOTHING);
        assertThat(exchanged.applied().getFirst()).isInstanceOf(Applied.Already.class);
        assertThat(exchanged.claimed()).isEmpty();

        var one = new Change.SubmitJob(identity("one"), "1", new Change.SubmitJob.Claim(1, 90));
        var two = new Change.SubmitJob(identity("two"), "1", new Change.SubmitJob.Claim(2, 91));
        assertThat(driver.store().exchange(List.of(one, two), Wanted.NOTHING).applied())
                .allMatch(Applied::done);
        for (var job : List.of("one", "two")) {
            var standing = driver.store().find(identity(job)).orElseThrow().standing();
            assertThat(standing.owner()).as(job).isIn(0L, job.equals("one") ? 1L : 2L);
        }
        var limited = Handling.usual().atMost(1, "customer-7");
        var first = new Change.SubmitJob(
                identity("first"), new StoredJob.Given("1", limited), new Change.SubmitJob.Claim(1, 92));
        var second = new Change.SubmitJob(
                identity("second"), new StoredJob.Given("1", limited), new Change.SubmitJob.Claim(1, 93));
        var claimed =
                driver.store().exchange(List.of(first, second), Wanted.NOTHING).claimed();
        assertThat(claimed).as("one at once").hasSizeLessThanOrEqualTo(1);
        assertThat(driver.store().find(identity("second")).orElseThrow().state())
                .isEqualTo(JobState.READY);
    }
}
