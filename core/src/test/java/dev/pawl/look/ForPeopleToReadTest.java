package dev.pawl.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Origin;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people read of a job says what its present run did, who touched it, and what is in question. */
class ForPeopleToReadTest {
    private static final Instant NOW = Instant.parse("2026-04-12T02:00:00Z");
    private static final Place PAY = new Place("", "pay", "");
    private static final Place SHIP = new Place("", "ship", "");
    private static final Audit ANNA = new Audit("anna", "looked");
    private static final Failure BROKEN = Failure.of(FailureClass.TRANSIENT, "t", "broken");

    private final List<JournalLine> lines = new ArrayList<>();

    private ForPeopleToReadTest add(int run, Entry entry) {
        lines.add(new JournalLine(lines.size() + 1L, lines.size() + 1L, run, NOW, entry));
        return this;
    }

    private ForPeopleToReadTest add(Entry entry) {
        return add(1, entry);
    }

    private static Entry.Intended intended(int number) {
        return new Entry.Intended(PAY, number, "f", new Terms(null, false, Duration.ZERO), Duration.ZERO);
    }

    private static StoredJob job(JobState state, StoredJob.Outcome outcome) {
        return new StoredJob(
                7,
                new Identity("w", Key.of("k")),
                new StoredJob.Given("1", Handling.usual()),
                new StoredJob.Standing(
                        state, 1, 1, 0, StoredJob.Suspicion.NONE, new StoredJob.Times(NOW, NOW, null), false, 0),
                outcome);
    }

    private Envelope envelope(JobState state) {
        return Envelope.of(job(state, StoredJob.Outcome.NONE), lines, null, 3);
    }

    @Test
    void an_earlier_runs_records_are_no_part_of_what_the_job_has_done() {
        add(0, new Entry.StepDone(SHIP, "1"));
        assertThat(envelope(JobState.RUNNING).completedSteps()).isEmpty();
        assertThat(envelope(JobState.RUNNING).checkpointVersion()).isZero();
        assertThat(AttemptEvidence.of(job(JobState.RUNNING, StoredJob.Outcome.NONE), lines))
                .isEmpty();
        add(new Entry.StepTried(SHIP, 1, BROKEN));
        assertThat(AttemptEvidence.of(job(JobState.RUNNING, StoredJob.Outcome.NONE), lines))
                .hasValueSatisfying(evidence -> assertThat(evidence.place()).isEqualTo(SHIP));
    }

    @Test
    void an_effect_that_is_in_doubt_has_no_next_attempt_and_one_that_may_be_tried_again_has() {
        add(intended(1));
        assertThat(envelope(JobState.WAITING).attempt()).isEqualTo(1);
        assertThat(envelope(JobState.WAITING).failureClass()).isEqualTo("ambiguous");
        add(new Entry.Answered(PAY, 1, new Answer.DidNotHappen(BROKEN), Answer.Source.WORKER));
        assertThat(envelope(JobState.WAITING).attempt()).isEqualTo(2);
        assertThat(envelope(JobState.WAITING).failureClass()).isEqualTo("transient");
        add(intended(2));
        assertThat(envelope(JobState.WAITING).failureClass())
                .as("the second may have happened")
                .isEqualTo("ambiguous");
    }

    @Test
    void an_effect_that_failed_its_job_is_not_tried_again() {
        add(intended(1)).add(new Entry.Answered(PAY, 1, new Answer.DidNotHappen(BROKEN), Answer.Source.WORKER));
        var failed = new StoredJob.Outcome(null, new FailedAt(PAY, BROKEN), null);
        assertThat(Envelope.of(job(JobState.FAILED, failed), lines, null, 1).attempt())
                .isEqualTo(1);
        assertThat(Envelope.of(job(JobState.READY, StoredJob.Outcome.NONE), lines, null, 2)
                        .attempt())
                .isEqualTo(2);
    }

    @Test
    void a_job_that_was_called_off_in_the_middle_tries_nothing_any_more() {
        add(new Entry.StepDone(PAY, "1")).add(new Entry.Duplicated(SHIP, 1, null));
        assertThat(envelope(JobState.CANCELLED).attempt())
                .as("what happened twice is what it is at")
                .isEqualTo(1);
        assertThat(envelope(JobState.CANCELLED).completedSteps()).containsExactly("pay");
    }

    @Test
    void what_the_workflows_own_code_failed_of_has_no_key_and_no_attempt() {
        add(new Entry.StepTried(Place.WORKFLOW, 1, BROKEN));
        assertThat(envelope(JobState.RUNNING).idempotencyKey()).isNull();
        assertThat(AttemptEvidence.of(job(JobState.RUNNING, StoredJob.Outcome.NONE), lines))
                .isEmpty();
    }

    @Test
    void of_what_attempts_wrote_only_that_one_is_shown_which_is_in_question() {
        add(intended(1))
                .add(new Entry.Logged(PAY, 1, "one"))
                .add(new Entry.Answered(PAY, 1, new Answer.DidNotHappen(BROKEN), Answer.Source.WORKER))
                .add(intended(2))
                .add(new Entry.Logged(SHIP, 2, "elsewhere"))
                .add(new Entry.Logged(PAY, 2, "two"));
        assertThat(AttemptEvidence.of(job(JobState.PAUSED, StoredJob.Outcome.NONE), lines)
                        .orElseThrow()
                        .last())
                .isNotNull()
                .satisfies(last -> {
                    assertThat(last.number()).isEqualTo(2);
                    assertThat(last.log()).isEqualTo("two");
                });
    }

    @Test
    void everything_that_people_did_is_told_in_order_and_nothing_that_others_did() {
        var question = new Question(9, QuestionKind.IN_DOUBT, PAY, "because");
        add(new Entry.StepDone(SHIP, "1"))
                .add(new Entry.Decided(question, new Decision(Verdict.RETRY, null, false, ANNA)))
                .add(new Entry.Retried(PAY, ANNA))
                .add(new Entry.Resubmitted(ANNA, null))
                .add(new Entry.Discarded(ANNA))
                .add(new Entry.CancelAsked(ANNA.at(new Origin("deploy", "build-7"))))
                .add(new Entry.Delivered(Message.hurry("1", false, ANNA)))
                .add(new Entry.Delivered(Message.hurry("2", true, ANNA)))
                .add(new Entry.Delivered(new Message("3", Message.Kind.SIGNAL, "paid", "1")));
        var told = ByHand.of(lines);
        assertThat(told)
                .extracting(ByHand::did)
                .containsExactly(
                        "retry",
                        ByHand.RETRIED,
                        ByHand.RESUBMITTED,
                        ByHand.DISCARDED,
                        ByHand.CALLED_OFF,
                        ByHand.HURRIED,
                        ByHand.INSISTED);
        assertThat(told).extracting(ByHand::user).containsExactly(null, null, null, null, "deploy", null, null);
        assertThat(told).extracting(ByHand::host).containsExactly(null, null, null, null, "build-7", null, null);
    }

    @Test
    void a_job_that_failed_and_of_which_nobody_knows_how_failed_for_good() {
        assertThat(JobSummary.failedAs(JobState.FAILED, StoredJob.Outcome.NONE)).isEqualTo(FailureClass.PERMANENT);
        assertThat(JobSummary.failedAs(JobState.DONE, StoredJob.Outcome.NONE)).isNull();
    }

    @Test
    void somebody_is_asked_where_a_job_asks_or_a_gate_is_closed() {
        var job = job(JobState.PAUSED, StoredJob.Outcome.NONE).summary();
        var gate = Gate.closed("g", Gate.Cause.BUDGET, new Gate.Closing("spent", NOW, null));
        assertThat(new Questions(List.of(), List.of()).none()).isTrue();
        assertThat(new Questions(List.of(job), List.of()).none()).isFalse();
        assertThat(new Questions(List.of(), List.of(gate)).none()).isFalse();
    }
}
