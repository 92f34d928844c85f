package dev.pawl.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Contract;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.look.JobView;
import dev.pawl.look.StoredJob;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever serves people without a command line looks up, answers and undoes with this room alone. */
class DeskTest {
    private static final Workflow<String, String> MAIL = Workflow.named("mail", String.class, String.class);
    private static final Audit ANNA = new Audit("anna", "seen");

    /** A machine on which nobody ever typed anything. */
    private enum Nothing implements BesideTheStore {
        BESIDE;

        @Override
        public Optional<String> lastTyped(JobView job) {
            return Optional.empty();
        }

        @Override
        public boolean isBatch(String name) {
            return false;
        }

        @Override
        public List<Path> commandFolders() {
            return List.of();
        }
    }

    private Pawl pawl;
    private GoingOn goingOn;

    @BeforeEach
    void somebodyWorks() {
        pawl = Pawl.inMemory();
        goingOn = new GoingOn(Nothing.BESIDE, pawl);
        pawl.work(MAIL.implementedBy((job, input) -> {
            if (input.equals("bad")) {
                throw new PermanentFailure("not a mail");
            }
            return job.effect("send", Contract.<String>none().settle(Duration.ZERO), input, String.class, (text, a) -> {
                throw new IllegalStateException("connection reset");
            });
        }));
    }

    @AfterEach
    void close() {
        pawl.close();
    }

    private StoredJob until(String key, JobState state) throws InterruptedException {
        while (JobLookup.find(pawl, "mail/" + key).state() != state) {
            Time.system().await(Duration.ofMillis(5));
        }
        return JobLookup.find(pawl, "mail/" + key);
    }

    @Test
    void what_needs_somebody_is_seen_explained_and_dealt_with() throws IOException, InterruptedException {
        pawl.submit(MAIL, Key.of("x"), "hello");
        pawl.submit(MAIL, Key.of("y"), "hello");
        pawl.submit(MAIL, Key.of("z"), "bad");
        var x = until("x", JobState.PAUSED);
        until("y", JobState.PAUSED);
        var z = until("z", JobState.FAILED);

        var look = MorningLook.at(pawl, Time.system().now().minusSeconds(3_600));
        assertThat(look.need()).isEqualTo(MorningLook.Need.FAILED);
        assertThat(AskingAlike.of(look.needing().asking())).hasSize(1);
        assertThat(new StatusText(pawl, goingOn, line -> line)
                        .of(look, Time.system().now()))
                .contains("asks you: 2", "pawl decide --alike mail/x VERDICT", "pawl retry mail/z --note WHY");
        assertThat(JobText.why(x)).isEqualTo("  asks about send");
        assertThat(JobText.heading(z)).startsWith("mail/z is FAILED");
        assertThat(JobText.movesAfterFailure(z, "")).hasSize(3);
        assertThat(new EvidenceText(Nothing.BESIDE, pawl).of(x)).contains("request", "hello");
        assertThat(pawl.journal(x).stream().map(JournalText::of)).anyMatch(line -> line.contains("contract none"));

        var answer = new PersonsAnswer(Decision.done("sent").by(ANNA));
        assertThat(PersonsAnswer.willHappen(x, Verdict.DONE)).startsWith("mail/x asks about send");
        answer.requireFitting(pawl, List.of(x));
        assertThat(answer.to(pawl, x, goingOn)).containsAnyOf("whoever works mail goes on with it", "it has ended");
        until("x", JobState.DONE);

        var retry = new JobDeed.Retry(false);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> retry.prepare(
                        pawl, List.of(z.identity(), until("x", JobState.DONE).identity()), ANNA))
                .withMessageContaining("Nothing was done to any of the 2");
        assertThat(new JobDeed.Resubmit().prepare(pawl, List.of(x.identity()), ANNA))
                .containsExactly(
                        "mail/x is done again from the start; these effects have happened, and happen again: send");
        var discard = new JobDeed.Discard();
        assertThat(discard.prepare(pawl, List.of(z.identity()), ANNA)).isEmpty();
        assertThat(discard.to(pawl, z.identity(), ANNA, goingOn)).isEmpty();
        assertThat(until("z", JobState.CANCELLED).state()).isEqualTo(JobState.CANCELLED);
        assertThat(new JobDeed.Cancel(null).to(pawl, until("y", JobState.PAUSED).identity(), ANNA, goingOn))
                .contains("ends when its question is answered");
        assertThat(WorkerText.all(pawl))
                .singleElement()
                .extracting(WorkerText::line)
                .asString()
                .contains("takes mail");
    }

    @Test
    void what_is_not_there_is_said_with_the_next_move() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobLookup.find(pawl, "mail/none"))
                .withMessage("there is no job mail/none; \"pawl jobs\" lists them");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClosedGates.open(pawl, "none", ANNA, goingOn))
                .withMessageContaining("\"pawl gates\" lists those that are");
    }
}
