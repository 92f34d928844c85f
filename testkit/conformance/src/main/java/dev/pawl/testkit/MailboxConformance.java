package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.ChildEnd;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every store must do with messages, calls and people who call a job off. */
public abstract class MailboxConformance extends StoreHarness {
    private static final Duration LONG = Duration.ofDays(1);

    private static Message signal(String id) {
        return new Message(id, Message.Kind.SIGNAL, "paid", "1");
    }

    private Applied send(StoreDriver.Held held, String id) {
        return driver.apply(new Change.Deliver(held.job().id(), signal(id)));
    }

    private StoreDriver.Held again() {
        return driver.claimed(driver.claim(1, 1).getFirst());
    }

    // ---- messages

    @Test
    void a_message_wakes_a_job_that_waits_and_is_there_when_it_comes_back() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.release(Until.WAIT, LONG));
        assertThat(send(held, "x")).isInstanceOf(Applied.Now.class);
        var claimed = driver.claim(1, 1).getFirst();
        assertThat(claimed.journal()).extracting(line -> line.entry()).contains(new Entry.Delivered(signal("x")));
    }

    @Test
    void a_message_to_a_job_that_nobody_has_started_is_there_when_it_is_claimed() {
        driver.enlist(1);
        var submitted = Objects.requireNonNull(driver.submit("a", "1").stored());
        driver.apply(new Change.Deliver(submitted.id(), signal("x")));
        assertThat(driver.claim(1, 1).getFirst().journal())
                .extracting(line -> line.entry())
                .containsExactly(new Entry.Delivered(signal("x")));
    }

    private Applied hurry(StoreDriver.Held held, String id) {
        return driver.apply(new Change.Deliver(held.job().id(), Message.hurry(id, false, ANNA)));
    }

    @Test
    void a_job_that_waits_to_be_tried_again_goes_on_when_a_person_says_so() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(hurry(held, "x")).as("it runs already").isInstanceOf(Applied.Conflict.class);
        driver.apply(held.release(Until.TRY_LATER, LONG));
        assertThat(driver.claim(1, 1)).isEmpty();
        assertThat(hurry(held, "x")).isInstanceOf(Applied.Now.class);
        assertThat(hurry(held, "x")).isInstanceOf(Applied.Already.class);
        var again = driver.claim(1, 1).getFirst();
        assertThat(again.journal())
                .extracting(line -> line.entry())
                .contains(new Entry.Delivered(Message.hurry("x", false, ANNA)));
        driver.apply(driver.claimed(again).fail());
        assertThat(hurry(held, "y")).as("it is given up").isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void a_job_that_was_not_to_start_yet_starts_when_a_person_says_so() {
        driver.enlist(1);
        var later =
                new StoredJob.Given("1", Handling.usual().notBefore(time.now().plus(LONG)));
        var job = Objects.requireNonNull(
                driver.apply(new Change.SubmitJob(identity("a"), later, null)).stored());
        driver.apply(new Change.Deliver(job.id(), Message.hurry("x", false, ANNA)));
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    @Test
    void a_message_sent_twice_arrives_once() {
        var held = driver.hold("a", driver.enlist(1));
        send(held, "x");
        assertThat(send(held, "x")).isInstanceOf(Applied.Already.class);
        assertThat(send(held, "y")).isInstanceOf(Applied.Now.class);
        assertThat(driver.entries(held)).hasSize(2);
    }

    @Test
    void a_message_that_arrives_while_the_job_runs_brings_it_back_when_it_goes_to_wait() {
        var held = driver.hold("a", driver.enlist(1));
        send(held, "x");
        var left = driver.apply(held.release(Until.WAIT, LONG));
        assertThat(left.stored()).isNotNull();
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        var back = again();
        driver.apply(back.release(Until.WAIT, LONG));
        assertThat(driver.state(back)).as("once is enough").isEqualTo(JobState.WAITING);
    }

    @Test
    void a_decision_that_arrives_while_the_job_runs_brings_it_back_when_it_goes_to_ask() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.askAbout(QuestionKind.APPROVE, LONG));
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
        time.advance(LONG);
        var again = again();
        assertThat(driver.state(again)).isEqualTo(JobState.RUNNING);
        assertThat(driver.apply(held.decide(Verdict.APPROVE, null))).isInstanceOf(Applied.Now.class);
        driver.apply(again.askAbout(QuestionKind.APPROVE, LONG));
        assertThat(driver.state(again)).isEqualTo(JobState.READY);
        assertThat(driver.job(held.job().id()).outcome().question()).isNull();
    }

    @Test
    void a_question_about_an_effect_that_was_answered_meanwhile_is_not_asked() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
    }

    @Test
    void a_paused_job_with_a_time_to_look_again_is_claimed_then_and_a_message_is_that_time() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.askAbout(QuestionKind.APPROVE, LONG));
        assertThat(driver.claim(1, 1)).isEmpty();
        send(held, "x");
        assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    @Test
    void a_paused_job_without_such_a_time_keeps_the_message_and_stays() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
        assertThat(send(held, "x").done()).isTrue();
        assertThat(driver.claim(1, 1)).isEmpty();
    }

    @Test
    void a_finished_job_takes_no_message_and_a_failed_one_does() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.finish("1"));
        assertThat(send(held, "x")).isInstanceOf(Applied.Refused.class);
        var failed = driver.hold("b", 1);
        driver.apply(failed.fail());
        assertThat(send(failed, "x")).isInstanceOf(Applied.Now.class);
        assertThat(driver.state(failed)).isEqualTo(JobState.FAILED);
    }

    // ---- calls

    private Change.CallIfOwned call(StoreDriver.Held parent, String child, boolean detached) {
        return parent.call(
                "c", new Change.CalledJob(identity(child), new StoredJob.Given("1", Handling.usual()), detached));
    }

    @Test
    void a_called_job_is_there_and_its_end_however_it_ends_is_a_message() {
        driver.enlist(1);
        for (var ending : List.of("done", "failed", "called off")) {
            var parent = driver.hold("parent " + ending, 1);
            assertThat(driver.apply(call(parent, ending, false))).isInstanceOf(Applied.Now.class);
            driver.apply(parent.release(Until.WAIT, LONG));
            var child = again();
            switch (ending) {
                case "done" -> driver.apply(child.finish("7"));
                case "failed" -> driver.apply(child.fail());
                default -> driver.apply(new Change.CancelJob(child.job().id(), driver.newId(), ANNA));
            }
            if (ending.equals("called off")) {
                driver.apply(child.release(Until.HAND_BACK, Duration.ZERO));
            }
            var told = driver.claim(1, 1).getFirst().journal().stream()
                    .map(line -> line.entry())
                    .filter(entry -> entry instanceof Entry.Delivered)
                    .map(entry -> ChildEnd.of(((Entry.Delivered) entry).message()))
                    .toList();
            assertThat(told).as(ending).hasSize(1);
            assertThat(told.getFirst().state()).isEqualTo(driver.state(child));
        }
    }

    @Test
    void a_call_asked_again_is_one_call_and_a_child_that_has_ended_answers_at_once() {
        driver.enlist(1);
        var child = driver.hold("child", 1);
        driver.apply(child.finish("7"));
        var parent = driver.hold("parent", 1);
        var call = call(parent, "child", false);
        var applied = driver.apply(call);
        assertThat(driver.apply(call)).isInstanceOf(Applied.Already.class);
        assertThat(applied.stored()).isNotNull();
        assertThat(driver.entries(parent).stream().filter(entry -> entry instanceof Entry.Delivered))
                .hasSize(1);
    }

    @Test
    void those_whose_end_a_run_waits_for_are_told_and_first_who_goes_on_by_himself() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        for (var name : List.of("asks", "ends", "goes-on")) {
            driver.apply(parent.call(
                    name, new Change.CalledJob(identity(name), new StoredJob.Given("1", Handling.usual()), false)));
            if (name.equals("asks")) {
                driver.apply(again().askAbout(QuestionKind.RESULT_NOT_KEPT));
            } else if (name.equals("ends")) {
                driver.apply(again().finish("1"));
            }
        }
        var other = driver.hold("other", 1);
        driver.apply(call(other, "of-another", false));
        var id = parent.job().id();
        assertThat(driver.store().waitedFor(id, 10))
                .extracting(StoredJob::identity)
                .containsExactly(identity("goes-on"), identity("asks"));
        assertThat(driver.store().waitedFor(id, 1))
                .extracting(StoredJob::identity)
                .containsExactly(identity("goes-on"));
        driver.apply(parent.finish("1"));
        driver.apply(new Change.ResubmitJob(id, driver.newId(), ANNA));
        assertThat(driver.store().waitedFor(id, 10)).as("of another run").isEmpty();
    }

    @Test
    void a_call_that_would_wait_for_its_own_caller_is_refused() {
        driver.enlist(1);
        var grandparent = driver.hold("grandparent", 1);
        driver.apply(call(grandparent, "parent", false));
        driver.apply(grandparent.release(Until.WAIT, LONG));
        var parent = again();
        assertThat(driver.apply(call(parent, "grandparent", false))).isInstanceOf(Applied.Refused.class);
        assertThat(driver.apply(call(parent, "parent", false))).isInstanceOf(Applied.Refused.class);
        assertThat(driver.entries(parent)).isEmpty();
    }

    @Test
    void a_call_under_an_old_fence_calls_nobody() {
        var parent = driver.hold("parent", driver.enlist(1));
        driver.apply(parent.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(call(parent, "child", false))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.store().find(identity("child"))).isEmpty();
    }

    @Test
    void a_child_acts_for_whom_its_caller_acts_for() {
        driver.enlist(1);
        driver.apply(new Change.SubmitJob(
                identity("parent"),
                new StoredJob.Given("1", Handling.usual().principal("anna").priority(3)),
                null));
        var parent = again();
        driver.apply(call(parent, "child", false));
        var child = driver.store().find(identity("child")).orElseThrow();
        assertThat(child.given().handling().principal()).isEqualTo("anna");
        assertThat(child.given().handling().priority()).isEqualTo(3);
    }

    // ---- calling off

    private Applied cancel(StoreDriver.Held held) {
        return driver.apply(new Change.CancelJob(held.job().id(), driver.newId(), ANNA));
    }

    @Test
    void a_job_that_rests_is_called_off_at_once() {
        driver.enlist(1);
        for (var until : List.of(Until.WAIT, Until.TRY_LATER)) {
            var held = driver.hold("job " + until, 1);
            driver.apply(held.release(until, LONG));
            cancel(held);
            assertThat(driver.state(held)).isEqualTo(JobState.CANCELLED);
        }
        var asking = driver.hold("asks", 1);
        driver.apply(asking.askAbout(QuestionKind.APPROVE, null));
        cancel(asking);
        assertThat(driver.state(asking)).isEqualTo(JobState.CANCELLED);
        assertThat(driver.claim(1, 10)).isEmpty();
    }

    @Test
    void a_running_job_that_was_called_off_begins_nothing_new_and_ends_when_it_leaves() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(driver.apply(new Change.Beat(1, 1))).isEqualTo(new Applied.Beaten(Set.of()));
        cancel(held);
        assertThat(driver.state(held)).isEqualTo(JobState.RUNNING);
        for (var beat : List.of(2, 2, 3)) {
            assertThat(driver.apply(new Change.Beat(1, beat)))
                    .as("a beat tells what was called off, asked once or twice")
                    .isEqualTo(new Applied.Beaten(Set.of(held.job().id())));
        }
        assertThat(driver.apply(held.intend(1))).isInstanceOf(Applied.CalledOff.class);
        assertThat(driver.apply(call(held, "child", false))).isInstanceOf(Applied.CalledOff.class);
        assertThat(driver.apply(held.step("s", "1")).done())
                .as("what is finished stays finished")
                .isTrue();
        driver.apply(held.release(Until.WAIT, LONG));
        assertThat(driver.state(held)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void a_job_in_doubt_that_was_called_off_asks_and_ends_when_the_answer_has_come() {
        driver.enlist(1);
        var waits = driver.hold("waits", 1);
        driver.apply(waits.intend(1));
        driver.apply(waits.release(Until.WAIT, LONG));
        cancel(waits);
        assertThat(driver.state(waits)).isEqualTo(JobState.PAUSED);
        driver.apply(waits.decide(Verdict.SKIP, null));
        assertThat(driver.state(waits)).isEqualTo(JobState.CANCELLED);

        var runs = driver.hold("runs", 1);
        driver.apply(runs.intend(1));
        cancel(runs);
        driver.apply(runs.release(Until.WAIT, LONG));
        assertThat(driver.state(runs))
                .as("it does not know yet, so it comes back at once")
                .isEqualTo(JobState.READY);
        var knows = again();
        assertThat(knows.job().standing().cancelling()).isTrue();
        driver.apply(knows.release(Until.WAIT, LONG));
        assertThat(driver.state(knows))
                .as("it knows, and waits until nothing can land")
                .isEqualTo(JobState.WAITING);
        time.advance(LONG);
        driver.apply(again().askAbout(QuestionKind.IN_DOUBT));
        assertThat(driver.state(runs)).isEqualTo(JobState.PAUSED);
        driver.apply(runs.happened(1));
        assertThat(driver.state(runs)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void children_end_with_their_caller_unless_detached_or_needed_by_another() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        var other = driver.hold("other", 1);
        driver.apply(call(parent, "bound", false));
        driver.apply(call(parent, "detached", true));
        driver.apply(call(parent, "shared", false));
        driver.apply(call(other, "shared", false));
        driver.apply(parent.release(Until.WAIT, LONG));
        cancel(parent);
        assertThat(driver.store().find(identity("bound")).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        assertThat(driver.store().find(identity("detached")).orElseThrow().state())
                .isEqualTo(JobState.READY);
        assertThat(driver.store().find(identity("shared")).orElseThrow().state())
                .isEqualTo(JobState.READY);
    }

    @Test
    void a_finished_job_cannot_be_called_off_and_asking_twice_does_it_once() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.release(Until.WAIT, LONG));
        var change = new Change.CancelJob(held.job().id(), driver.newId(), ANNA);
        assertThat(driver.apply(change)).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(change)).isInstanceOf(Applied.Already.class);
        assertThat(cancel(held)).isInstanceOf(Applied.Conflict.class);
    }

    @Test
    void a_place_inside_an_item_reads_back() {
        var held = driver.hold("a", driver.enlist(1));
        var place = new Place(new Place("", "map", "x/y@z").inside(), "send", "i/1");
        driver.apply(new Change.RecordStepIfOwned(held.hold(), held.id(1), List.of(new Entry.StepDone(place, "1"))));
        assertThat(driver.entries(held)).containsExactly(new Entry.StepDone(place, "1"));
        assertThat(EFFECT.scope()).isEmpty();
    }
}
