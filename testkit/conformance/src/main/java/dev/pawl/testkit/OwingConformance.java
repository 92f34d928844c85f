package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.testkit.StoreDriver.Held;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that began something which goes on elsewhere: called off or given up they are taken once more, end it there, and only then end themselves. */
public abstract class OwingConformance extends StoreHarness {
    private static final Place AWAITED = new Place("", "awaited", "");
    private static final Place END = new Place("send", "end", "");

    private int owes(Held held) {
        return driver.job(held.job().id()).standing().owes();
    }

    /** Has begun something elsewhere, in the commit of its intent. */
    private Held begun(String key, long worker) {
        var held = driver.hold(key, worker);
        var plain = held.intend(1);
        assertThat(driver.apply(new Change.IntendEffectIfOwned(
                                plain.hold(),
                                held.id(2),
                                List.of(
                                        new Entry.Owes(EFFECT, AWAITED),
                                        plain.entries().getLast()),
                                null))
                        .done())
                .isTrue();
        return held;
    }

    /** Has begun something elsewhere, and knows it. */
    private Held owing(String key, long worker) {
        var held = begun(key, worker);
        driver.apply(held.happened(1));
        return held;
    }

    private Change.IntendEffectIfOwned ends(Held held) {
        var intent = new Entry.Intended(
                END, 1, "f", new Terms(Duration.ofDays(1), false, Duration.ZERO), Duration.ofMinutes(2));
        return new Change.IntendEffectIfOwned(held.hold(), held.id(1), List.of(intent), null, true);
    }

    private Change.FinishJob calledOff(Held held, Entry... entries) {
        return new Change.FinishJob(
                held.hold(), held.id(entries.length), List.of(entries), new Change.FinishJob.FinalState.CalledOff());
    }

    private Applied cancel(Held held) {
        return driver.apply(new Change.CancelJob(held.job().id(), driver.newId(), ANNA));
    }

    /** What it began could not be ended. */
    private Change.FinishJob couldNotEnd(Held held) {
        var why = new FailedAt(END, Failure.notEnded("no such project"));
        return new Change.FinishJob(held.hold(), held.id(0), List.of(), new Change.FinishJob.FinalState.Failed(why));
    }

    private Held claimed() {
        return driver.claimed(driver.claim(1, 1).getFirst());
    }

    @Test
    void what_is_owed_is_counted_with_the_commit_that_begins_it_and_no_more_with_the_one_that_says_so() {
        var held = begun("a", driver.enlist(1));
        assertThat(owes(held)).isEqualTo(1);
        driver.apply(held.happened(1));
        driver.apply(held.record(new Entry.Owes(new Place("", "other", ""), AWAITED)));
        assertThat(owes(held)).isEqualTo(2);
        driver.apply(held.record(new Entry.OwesNoMore(EFFECT)));
        assertThat(owes(held)).isEqualTo(1);
        driver.apply(new Change.ReleaseJob(
                held.hold(),
                held.id(2),
                List.of(
                        new Entry.OwesNoMore(new Place("", "other", "")),
                        new Entry.Released(held.job().standing().fence(), "later", Duration.ZERO)),
                Change.ReleaseJob.Until.HAND_BACK));
        assertThat(owes(held)).isZero();
        assertThat(claimed().job().standing().owes()).isZero();
    }

    @Test
    void a_job_that_owes_is_not_done_and_one_that_has_failed_keeps_what_it_owes() {
        var worker = driver.enlist(1);
        var held = owing("a", worker);
        assertThat(driver.apply(held.finish("1")))
                .isInstanceOfSatisfying(
                        Applied.Conflict.class,
                        conflict -> assertThat(conflict.why()).contains("goes on elsewhere"));
        assertThat(driver.state(held)).isEqualTo(JobState.RUNNING);
        assertThat(driver.apply(new Change.FinishJob(
                                held.hold(),
                                held.id(1),
                                List.of(new Entry.OwesNoMore(EFFECT)),
                                new Change.FinishJob.FinalState.Done("1")))
                        .done())
                .isTrue();
        assertThat(driver.state(held)).isEqualTo(JobState.DONE);
        assertThat(owes(held)).isZero();

        var failed = owing("b", worker);
        assertThat(driver.apply(failed.fail()).done()).isTrue();
        assertThat(driver.state(failed)).isEqualTo(JobState.FAILED);
        assertThat(owes(failed)).isEqualTo(1);
    }

    @Test
    void one_that_is_called_off_while_it_waits_is_taken_once_more_and_intends_only_what_ends_it() {
        var held = owing("a", driver.enlist(1));
        driver.apply(held.release(Change.ReleaseJob.Until.WAIT, Duration.ofHours(1)));
        cancel(held);
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        var again = claimed();
        assertThat(again.job().standing().cancelling()).isTrue();
        assertThat(again.job().standing().owes()).isEqualTo(1);
        var other = new Change.IntendEffectIfOwned(
                again.hold(),
                again.id(1),
                List.of(new Entry.Intended(
                        AWAITED, 1, "f", new Terms(null, false, Duration.ZERO), Duration.ofMinutes(2))),
                null);
        assertThat(driver.apply(other)).isInstanceOf(Applied.CalledOff.class);
        assertThat(driver.apply(calledOff(again))).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.apply(ends(again)).done()).isTrue();
        driver.apply(new Change.AnswerAttempt(
                again.job().id(),
                driver.newId(),
                new Change.AttemptRef(0, END, 1),
                Answer.happened("null"),
                Answer.Source.WORKER,
                null));
        assertThat(driver.apply(calledOff(again, new Entry.OwesNoMore(EFFECT))).done())
                .isTrue();
        assertThat(driver.state(again)).isEqualTo(JobState.CANCELLED);
        assertThat(owes(again)).isZero();
    }

    @Test
    void one_that_is_called_off_while_it_runs_comes_back_for_what_it_owes_and_ends_when_it_owes_nothing() {
        var worker = driver.enlist(1);
        var held = owing("a", worker);
        cancel(held);
        driver.apply(held.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        var again = claimed();
        driver.apply(new Change.ReleaseJob(
                again.hold(),
                again.id(2),
                List.of(
                        new Entry.OwesNoMore(EFFECT),
                        new Entry.Released(again.job().standing().fence(), "later", Duration.ofHours(1))),
                Change.ReleaseJob.Until.TRY_LATER));
        assertThat(driver.state(again)).as("nothing keeps it any more").isEqualTo(JobState.CANCELLED);
    }

    @Test
    void doubt_sticks_and_once_it_is_settled_it_ends_what_it_owes() {
        var worker = driver.enlist(1);
        for (var verdict : List.of(Verdict.DONE, Verdict.FAIL)) {
            var held = begun("a" + verdict, worker);
            driver.apply(held.askAbout(QuestionKind.IN_DOUBT));
            cancel(held);
            assertThat(driver.state(held)).as("it ends what it can").isEqualTo(JobState.READY);
            var again = claimed();
            assertThat(driver.apply(calledOff(again, new Entry.OwesNoMore(EFFECT))))
                    .as("it is in doubt")
                    .isInstanceOf(Applied.Conflict.class);
            driver.apply(again.askAbout(QuestionKind.IN_DOUBT));
            assertThat(driver.state(held)).isEqualTo(JobState.PAUSED);
            driver.apply(held.decide(verdict, verdict == Verdict.DONE ? "7" : null));
            assertThat(driver.state(held)).isEqualTo(JobState.READY);
            assertThat(driver.apply(calledOff(claimed(), new Entry.OwesNoMore(EFFECT)))
                            .done())
                    .isTrue();
        }
        var late = begun("late", worker);
        cancel(late);
        driver.apply(late.askAbout(QuestionKind.IN_DOUBT));
        driver.apply(late.happened(1));
        assertThat(driver.state(late)).as("an answer came").isEqualTo(JobState.READY);
        driver.apply(calledOff(claimed(), new Entry.OwesNoMore(EFFECT)));
        var asks = begun("asks", worker);
        driver.apply(asks.askAbout(QuestionKind.ELSEWHERE, Duration.ofHours(1)));
        cancel(asks);
        assertThat(driver.state(asks)).as("what it asks matters no more").isEqualTo(JobState.READY);
    }

    @Test
    void one_that_has_failed_is_not_resubmitted_ends_it_when_it_is_discarded_and_gives_it_up_when_that_failed_too() {
        var worker = driver.enlist(1);
        var held = owing("a", worker);
        driver.apply(held.fail());
        var id = held.job().id();
        assertThat(driver.apply(new Change.ResubmitJob(id, driver.newId(), ANNA)))
                .isInstanceOfSatisfying(
                        Applied.Conflict.class,
                        conflict -> assertThat(conflict.why()).contains("left something going on elsewhere"));
        assertThat(driver.apply(new Change.RetryJob(id, driver.newId(), ANNA)).done())
                .isTrue();
        var retried = claimed();
        assertThat(retried.job().standing().cancelling()).isFalse();
        driver.apply(retried.fail());
        assertThat(driver.apply(new Change.DiscardJob(id, driver.newId(), ANNA)).done())
                .isTrue();
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        var ending = claimed();
        assertThat(ending.job().standing().cancelling()).isTrue();
        driver.apply(couldNotEnd(ending));
        assertThat(driver.state(held)).as("an end that fails for good is told").isEqualTo(JobState.FAILED);
        driver.apply(new Change.RetryJob(id, driver.newId(), ANNA));
        var again = claimed();
        assertThat(again.job().standing().cancelling())
                .as("it is tried again, and nothing else")
                .isTrue();
        driver.apply(again.fail());
        driver.apply(new Change.DiscardJob(id, driver.newId(), ANNA));
        assertThat(driver.state(held)).as("no end was tried").isEqualTo(JobState.READY);
        driver.apply(couldNotEnd(claimed()));
        driver.apply(new Change.DiscardJob(id, driver.newId(), ANNA));
        assertThat(driver.state(held)).isEqualTo(JobState.CANCELLED);
        assertThat(owes(held)).isZero();
        assertThat(driver.apply(new Change.ResubmitJob(id, driver.newId(), ANNA))
                        .done())
                .isTrue();
        assertThat(claimed().job().standing().cancelling()).isFalse();
    }

    @Test
    void one_that_owes_nothing_intends_no_end() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(driver.apply(ends(held))).isInstanceOf(Applied.Refused.class);
        cancel(held);
        assertThat(driver.apply(ends(held)).done()).isFalse();
        assertThat(driver.entries(held)).noneMatch(Entry.Intended.class::isInstance);
    }

    @Test
    void whoever_dies_while_it_ends_something_is_followed_by_another() {
        var held = owing("a", driver.enlist(1));
        cancel(held);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        driver.enlist(2);
        var again = driver.claimed(driver.claim(2, 1).getFirst());
        driver.apply(ends(again));
        driver.apply(new Change.TakeOver(2, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(owes(held)).isEqualTo(1);
    }

    @Test
    void children_that_owe_end_what_they_began_when_their_caller_is_called_off() {
        var worker = driver.enlist(1);
        var parent = driver.hold("parent", worker);
        driver.apply(parent.call(
                "child",
                new Change.CalledJob(
                        StoreDriver.identity("child"),
                        new StoredJob.Given("1", Handling.usual().kept()),
                        false)));
        var child = claimed();
        var plain = child.intend(1);
        driver.apply(new Change.IntendEffectIfOwned(
                plain.hold(),
                child.id(2),
                List.of(new Entry.Owes(EFFECT, AWAITED), plain.entries().getLast()),
                null));
        driver.apply(child.happened(1));
        driver.apply(child.release(Change.ReleaseJob.Until.WAIT, Duration.ofHours(1)));
        driver.apply(parent.release(Change.ReleaseJob.Until.WAIT, Duration.ofHours(1)));
        cancel(parent);
        assertThat(driver.state(parent)).isEqualTo(JobState.CANCELLED);
        assertThat(driver.state(child)).isEqualTo(JobState.READY);
        assertThat(driver.job(child.job().id()).standing().cancelling()).isTrue();
    }
}
