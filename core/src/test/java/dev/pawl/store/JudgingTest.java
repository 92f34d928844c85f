package dev.pawl.store;

import static dev.pawl.store.SampleJobs.NOW;
import static dev.pawl.store.SampleJobs.PAY;
import static dev.pawl.store.SampleJobs.asks;
import static dev.pawl.store.SampleJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Terms;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
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
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Answering.Status;
import dev.pawl.store.Leaving.Meanwhile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a store decides without looking anything up: the pure part of every change, as tables. */
class JudgingTest {
    // ---- leaving

    private static Leaving asking(QuestionKind kind) {
        return new Leaving(Transition.ASK, asks(kind), null);
    }

    @Test
    void a_job_that_was_called_off_ends_unless_it_is_in_doubt() {
        var off = new Meanwhile(false, true, false, false, 0);
        assertThat(asking(QuestionKind.IN_DOUBT).knowing(off).transition()).isEqualTo(Transition.CANCEL);
        var inDoubt = new Meanwhile(true, true, true, false, 0);
        assertThat(asking(QuestionKind.CODE_CHANGED).knowing(inDoubt).transition())
                .as("what it asks may no longer matter")
                .isEqualTo(Transition.COME_BACK);
        assertThat(asking(QuestionKind.IN_DOUBT).knowing(inDoubt).transition())
                .as("it comes back, and asks again in other words")
                .isEqualTo(Transition.COME_BACK);
        assertThat(asking(QuestionKind.IN_DOUBT)
                        .knowing(new Meanwhile(false, true, true, false, 0))
                        .transition())
                .as("the question stands")
                .isEqualTo(Transition.ASK);
        var noNews = new Meanwhile(false, true, true, false, 0);
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
        assertThat(wait.knowing(new Meanwhile(true, false, false, false, 0)).transition())
                .isEqualTo(Transition.COME_BACK);
        assertThat(wait.knowing(new Meanwhile(false, false, false, false, 0))).isEqualTo(wait);
        assertThat(asking(QuestionKind.IN_DOUBT)
                        .knowing(new Meanwhile(false, false, true, true, 0))
                        .transition())
                .isEqualTo(Transition.COME_BACK);
        var later = new Leaving(Transition.TRY_LATER, Outcome.NONE, Duration.ofSeconds(1));
        assertThat(later.knowing(new Meanwhile(true, false, false, false, 0)))
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
                .applied(job(JobState.RUNNING, Outcome.NONE), 0, NOW);
        assertThat(handedBack.standing())
                .isEqualTo(new StoredJob.Standing(
                        JobState.READY,
                        0,
                        4,
                        0,
                        new StoredJob.Suspicion(true, 1),
                        new StoredJob.Times(NOW, NOW, NOW.plusSeconds(5)),
                        true,
                        0));
        var done = new Leaving(Transition.FINISH, new Outcome("1", null, null), null)
                .applied(job(JobState.RUNNING, Outcome.NONE), 0, NOW);
        assertThat(done.standing().suspicion()).isEqualTo(StoredJob.Suspicion.NONE);
        assertThat(done.standing().times().due()).isNull();
        assertThat(done.standing().cancelling()).as("it has ended").isFalse();
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

    // ---- whoever is gone

    private static StoredJob suspected(boolean suspect, int strikes) {
        var job = job(JobState.RUNNING, Outcome.NONE);
        var was = job.standing();
        return new StoredJob(
                job.id(),
                job.identity(),
                job.given(),
                new StoredJob.Standing(
                        was.state(), 0, 3, 1, new StoredJob.Suspicion(suspect, strikes), was.times(), false, 0),
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
                .applied(job(JobState.RUNNING, Outcome.NONE), 0, NOW);
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
        var waits = Leaving.of(new Change.WaitAtGateIfOwned(hold, 1, List.of(), Gate.Wish.toJoin("g"), null));
        assertThat(waits).isEqualTo(new Leaving(Transition.WAIT, Outcome.NONE, null));
        assertThat(waits).extracting(Leaving::goesOn).isEqualTo(true);
        var done = Leaving.of(new Change.FinishJob(hold, 1, List.of(), new Change.FinishJob.FinalState.Done("1")));
        assertThat(done).isEqualTo(new Leaving(Transition.FINISH, new Outcome("1", null, null), null));
        assertThat(done).extracting(Leaving::goesOn).isEqualTo(false);
        assertThat(Leaving.of(new Change.FinishJob(hold, 1, List.of(), new Change.FinishJob.FinalState.CalledOff())))
                .extracting(Leaving::transition)
                .isEqualTo(Transition.CANCEL);
        var failed = new FailedAt(PAY, Failure.of(FailureClass.PERMANENT, "x", "x"));
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
                new Change.ReleaseJob(hold, 1, entries, Change.ReleaseJob.Until.WAIT, Duration.ZERO),
                new Change.CallIfOwned(
                        hold,
                        1,
                        entries,
                        new Change.CalledJob(
                                new Identity("w", Key.of("c")), new StoredJob.Given("1", Handling.usual()), false)),
                new Change.WaitAtGateIfOwned(hold, 1, entries, Gate.Wish.toJoin("g"), null),
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
                                new Applied.TookOver(List.of(job), false),
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
                        new Applied.TookOver(List.of(), false),
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
                        JobState.READY,
                        0,
                        0,
                        0,
                        StoredJob.Suspicion.NONE,
                        new StoredJob.Times(NOW, NOW, NOW),
                        false,
                        0),
                Outcome.NONE);
        assertThat(Submitting.judge(fresh, "2")).isEqualTo(Submitting.REPLACE);
        assertThat(Submitting.conflict(job(JobState.FAILED, Outcome.NONE)))
                .isEqualTo(
                        "job w/k is FAILED with another input; let it finish, or give the new work a key of its own");
    }
}
