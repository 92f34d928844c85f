package dev.pawl.store;

import static dev.pawl.store.SampleJobs.ANNA;
import static dev.pawl.store.SampleJobs.PAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Decision;
import dev.pawl.effect.Answer;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Artifact;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change.FinishJob.FinalState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that keeps no longer values refuses a change that brings one, wherever it stands in the change. */
class AbilitiesTest {
    private static final int MOST = 1_000;
    private static final Abilities SMALL = Abilities.PLAIN.upTo(MOST);
    private static final String LONG = "x".repeat(MOST + 1);
    private static final Change.Hold HOLD = new Change.Hold(7, 3);
    private static final Identity CHILD = new Identity("c", Key.of("k"));
    private static final Failure BROKEN = Failure.of(FailureClass.TRANSIENT, "t", "broken");

    static List<Change> tooLong() {
        return List.of(
                new Change.SubmitJob(CHILD, LONG, null),
                new Change.RecordStepIfOwned(
                        HOLD, 1, List.of(new Entry.StepDone(PAY, "1"), new Entry.StepDone(PAY, LONG))),
                new Change.FinishJob(HOLD, 1, List.of(), new FinalState.Done(LONG)),
                new Change.CallIfOwned(
                        HOLD,
                        1,
                        List.of(new Entry.Called(PAY, CHILD)),
                        new Change.CalledJob(CHILD, new StoredJob.Given(LONG, Handling.usual()), false)),
                new Change.KeepArtifactIfOwned(
                        HOLD,
                        1,
                        List.of(new Entry.ArtifactKept(
                                PAY, new Artifact("text/plain", MOST + 1, "0".repeat(64), null))),
                        Bytes.copyOf(new byte[MOST + 1])),
                answered(Answer.happened(LONG)),
                new Change.Decide(7, -5, 5, Decision.done(LONG).by(ANNA)),
                new Change.Deliver(7, new Message("1", Message.Kind.SIGNAL, "s", LONG)),
                new Change.EnrolRows("c", List.of(NewRow.of(Key.of("a"), "1"), NewRow.of(Key.of("b"), LONG)), false),
                new Change.ReconcileRows(
                        "c", List.of(new RowAnswer("a", 1, 1, new RowEnding.RowSucceeded(LONG), null)), 1));
    }

    static List<Change> shortEnough() {
        return List.of(
                new Change.SubmitJob(CHILD, "1", null),
                new Change.RecordStepIfOwned(HOLD, 1, List.of(new Entry.StepDone(PAY, "1"))),
                new Change.FinishJob(HOLD, 1, List.of(), new FinalState.Done("1")),
                new Change.FinishJob(HOLD, 1, List.of(), new FinalState.Failed(new FailedAt(PAY, BROKEN))),
                answered(Answer.happened(null)),
                answered(new Answer.DidNotHappen(BROKEN)),
                decided(null),
                new Change.SayOfRows("c", List.of(new RowRef("a", 1)), new RowWord.Drop(), ANNA),
                new Change.Retire(5),
                new Change.CancelJob(7, -5, ANNA));
    }

    private static Change answered(Answer answer) {
        return new Change.AnswerAttempt(7, -5, new Change.AttemptRef(0, PAY, 1), answer, Answer.Source.WORKER, null);
    }

    private static Change decided(@Nullable String result) {
        return new Change.Decide(7, -5, 5, Decision.done(result).by(ANNA));
    }

    @ParameterizedTest
    @MethodSource("tooLong")
    void a_value_that_is_too_long_is_refused_wherever_it_stands(Change change) {
        assertThat(SMALL.objection(change))
                .isInstanceOfSatisfying(
                        Applied.Refused.class,
                        refused -> assertThat(refused.why()).contains("longer than this store keeps, which is 1000"));
        assertThat(Abilities.PLAIN.objection(change)).isNull();
    }

    @ParameterizedTest
    @MethodSource("shortEnough")
    void a_change_without_a_long_value_is_made(Change change) {
        assertThat(SMALL.objection(change)).isNull();
    }

    @Test
    void only_what_a_store_has_done_is_done_and_only_some_of_it_tells_of_a_job() {
        var job = SampleJobs.job(JobState.READY, StoredJob.Outcome.NONE);
        for (var tells : List.of(
                new Applied.Now(job),
                new Applied.Already(job),
                new Applied.Replaced(job),
                new Applied.Duplicated(job),
                new Applied.Conflict("no", job))) {
            assertThat(tells.stored()).as(tells.toString()).isEqualTo(job);
            assertThat(tells.done()).as(tells.toString()).isEqualTo(!(tells instanceof Applied.Conflict));
        }
        for (var done : List.of(
                new Applied.Pruned(1),
                new Applied.TookOver(List.of(job), false),
                new Applied.Beaten(Set.of()),
                new Applied.OfRows(List.of()),
                new Applied.Mended(1, Duration.ZERO, false))) {
            assertThat(done.stored()).as(done.toString()).isNull();
            assertThat(done.done()).as(done.toString()).isTrue();
        }
        for (var not : List.of(
                new Applied.LeaseLost(),
                new Applied.CalledOff(),
                new Applied.NotYet(Duration.ZERO),
                new Applied.Refused("no"))) {
            assertThat(not.stored()).as(not.toString()).isNull();
            assertThat(not.done()).as(not.toString()).isFalse();
        }
    }

    @Test
    void a_word_of_a_person_that_brings_a_value_that_is_too_long_is_refused_as_any_other() {
        var word = new Change.SayOfRows("c", List.of(new RowRef("a", 1)), new RowWord.Accept("x".repeat(1_001)), ANNA);
        assertThat(Abilities.PLAIN.upTo(1_000).objection(word)).isInstanceOf(Applied.Refused.class);
        var note = new Change.NotePart("c", "p", "x".repeat(1_001));
        assertThat(Abilities.PLAIN.upTo(1_000).objection(note)).isInstanceOf(Applied.Refused.class);
    }
}
