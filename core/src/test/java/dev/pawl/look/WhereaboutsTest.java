package dev.pawl.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
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
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How far a job has come, as its journal tells. */
class WhereaboutsTest {
    private static final Instant NOW = Instant.parse("2026-04-12T02:00:00Z");
    private static final Place PAY = new Place("", "pay", "");
    private static final Place NOTE = new Place("", "pawl.flow", "");
    private static final Place SHIP = new Place("", "ship", "");
    private static final Failure BROKEN = Failure.of(FailureClass.TRANSIENT, "t", "broken");

    private final List<JournalLine> run = new ArrayList<>();

    private void add(Entry entry) {
        run.add(new JournalLine(run.size() + 1L, run.size() + 1L, 0, NOW, entry));
    }

    private Whereabouts of(JobState state) {
        return Whereabouts.of(
                new StoredJob(
                        7,
                        new Identity("w", Key.of("k")),
                        new StoredJob.Given("1", Handling.usual()),
                        new StoredJob.Standing(
                                state,
                                0,
                                1,
                                0,
                                StoredJob.Suspicion.NONE,
                                new StoredJob.Times(NOW, NOW, null),
                                false,
                                0),
                        StoredJob.Outcome.NONE),
                run);
    }

    @Test
    void what_happened_twice_is_what_a_finished_job_is_at() {
        add(new Entry.Noted(NOTE, "1"));
        add(new Entry.Intended(PAY, 1, "f", new Terms(null, false, Duration.ZERO), Duration.ZERO));
        assertThat(Objects.requireNonNull(of(JobState.RUNNING).at()).place()).isEqualTo(PAY);
        add(new Entry.Answered(PAY, 1, Answer.happened("1"), Answer.Source.WORKER));
        assertThat(of(JobState.RUNNING).at()).isNull();
        add(new Entry.StepDone(SHIP, "2"));
        assertThat(of(JobState.DONE).completed()).containsExactly(PAY, SHIP);
        assertThat(Objects.requireNonNull(of(JobState.DONE).at()).place()).isEqualTo(SHIP);
        add(new Entry.Duplicated(PAY, 2, null));
        assertThat(Objects.requireNonNull(of(JobState.DONE).at()).place()).isEqualTo(PAY);
    }

    @Test
    void what_pawl_writes_down_for_itself_is_neither_a_step_nor_what_the_job_is_at() {
        add(new Entry.StepDone(NOTE, "1"));
        add(new Entry.StepDone(Place.WORKFLOW, "1"));
        assertThat(of(JobState.DONE).completed()).isEmpty();
        assertThat(of(JobState.DONE).at()).as("a job that did nothing").isNull();
        add(new Entry.StepTried(new Place("", "pawl.later", ""), 1, BROKEN));
        assertThat(of(JobState.RUNNING).at()).isNull();
        add(new Entry.StepTried(SHIP, 1, BROKEN));
        assertThat(Objects.requireNonNull(of(JobState.RUNNING).at()).place()).isEqualTo(SHIP);
    }

    @Test
    void what_a_person_skipped_is_over_and_what_was_given_up_or_only_waited_for_is_not() {
        var question = new Question(9, QuestionKind.IN_DOUBT, PAY, "because");
        add(new Entry.Decided(question, new Decision(Verdict.SKIP, null, false, new Audit("anna", "not needed"))));
        add(new Entry.Delivered(new Message("s", Message.Kind.SIGNAL, "go", "1")));
        add(new Entry.Received(new Place("", "wait", ""), 2));
        add(new Entry.GaveUp(SHIP, BROKEN));
        add(new Entry.StepDone(SHIP, "\"too late\""));
        assertThat(of(JobState.RUNNING).completed())
                .as("a signal is no step, and what was given up has no result")
                .containsExactly(PAY);
    }

    @Test
    void a_called_job_whose_end_was_heard_is_one_of_the_steps() {
        add(new Entry.Called(SHIP, new Identity("child", Key.of("k"))));
        assertThat(of(JobState.WAITING).completed()).isEmpty();
        run.add(new JournalLine(
                2, -5, 0, NOW, new Entry.Delivered(new Message("c", Message.Kind.CHILD_ENDED, "ship", "1"))));
        add(new Entry.Received(SHIP, -5));
        assertThat(of(JobState.RUNNING).completed()).containsExactly(SHIP);
    }
}
