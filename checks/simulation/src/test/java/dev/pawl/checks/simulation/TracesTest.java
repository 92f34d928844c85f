package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Verdict;
import dev.pawl.effect.Verification;
import dev.pawl.event.Event;
import dev.pawl.failure.StepFailed;
import dev.pawl.failure.Thrown;
import dev.pawl.job.Finding;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.retry.Retry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a job's code has thrown is told with its stack, and kept: of a place's first attempt, and of its last. */
class TracesTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger calls = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body).retry(Retry.USUAL.attempts(4)));
        return stage.submit(W, "x", "in");
    }

    private List<Entry.Threw> thrown(Identity job) {
        return stage.journal(job).stream()
                .filter(entry -> entry instanceof Entry.Threw)
                .map(entry -> (Entry.Threw) entry)
                .toList();
    }

    private String breaks() {
        throw new UncheckedIOException(
                "call " + calls.incrementAndGet() + " of https://anna:tulip@shop", new IOException("no route"));
    }

    private static List<Throwable> told(List<Event> events) {
        return events.stream().map(Event::thrown).filter(Objects::nonNull).toList();
    }

    @Test
    void of_a_step_the_first_attempt_and_the_last_are_kept_with_their_causes_and_the_users_frames_alone() {
        var job = run((run, input) -> run.step("s", String.class, this::breaks));
        stage.until(job, JobState.FAILED);
        assertThat(calls).hasValue(4);
        assertThat(thrown(job)).extracting(Entry.Threw::number).containsExactly(1, 4);
        var last = thrown(job).getLast().thrown();
        assertThat(last.type()).isEqualTo("java.io.UncheckedIOException");
        assertThat(last.message()).isEqualTo("call 4 of https://…@shop");
        assertThat(last.frames()).first().asString().contains("TracesTest.breaks(TracesTest.java:");
        assertThat(last.frames())
                .as("where the workflow called the step stands there, and nothing of the engine")
                .anyMatch(frame -> frame.contains("lambda$of_a_step"))
                .noneMatch(frame -> frame.contains("dev.pawl.engine"));
        assertThat(last.cause()).isNotNull().extracting(Thrown::message).isEqualTo("no route");
        assertThat(last.text()).contains("\nCaused by: java.io.IOException: no route\n    at ");
        assertThat(told(stage.events("attempt-failed"))).hasSize(3);
        assertThat(told(stage.events("gave-up"))).hasSize(1);
        assertThat(told(stage.events("failed")))
                .singleElement()
                .satisfies(thrown ->
                        assertThat(thrown).isInstanceOf(StepFailed.class).hasRootCauseMessage("no route"));
        assertThat(stage.job(job).outcome().failure())
                .as("the class says what the message does not")
                .asString()
                .contains("UncheckedIOException: call 4");
    }

    @Test
    void of_the_workflow_itself_too() {
        var job = run((run, input) -> breaks());
        stage.until(job, JobState.FAILED);
        assertThat(thrown(job)).extracting(Entry.Threw::number).containsExactly(1, 4);
        assertThat(thrown(job))
                .extracting(Entry::place)
                .allMatch(place -> place.name().isEmpty());
        assertThat(told(stage.events("failed"))).singleElement().isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void of_an_effect_in_doubt_what_the_attempt_has_thrown_is_there_when_a_person_is_asked() {
        var job = run((run, input) -> run.effect("post", none(), input, String.class, (request, attempt) -> breaks()));
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(() -> calls.get() == 2);
        stage.until(job, JobState.PAUSED);
        assertThat(thrown(job)).extracting(Entry.Threw::number).containsExactly(1, 2);
    }

    @Test
    void an_effect_that_has_given_up_says_so_with_the_first_and_the_last() {
        var job = run((run, input) -> run.effect(
                "post",
                verifiable(attempt -> Verification.didNotHappen()),
                input,
                String.class,
                (request, attempt) -> breaks()));
        stage.until(job, JobState.FAILED);
        assertThat(calls).hasValue(4);
        assertThat(thrown(job)).extracting(Entry.Threw::number).contains(1).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void a_look_that_fails_is_kept_once_for_as_long_as_it_fails() {
        var rhythm = Rhythm.every(Duration.ofSeconds(10), Duration.ofSeconds(10));
        var job = run((run, input) -> run.await("there", String.class, rhythm, () -> {
            if (calls.get() < 5) {
                breaks();
            }
            return Finding.done("found");
        }));
        stage.until(job, JobState.DONE);
        assertThat(thrown(job)).extracting(Entry.Threw::number).containsExactly(Entry.Used.LOOK_UP);
    }

    @Test
    void a_look_up_that_throws_is_kept_with_the_attempt_that_it_asks_about() {
        var job = run((run, input) -> run.effect(
                "post",
                verifiable(attempt -> Verification.happened(breaks())),
                input,
                String.class,
                (request, attempt) -> {
                    throw new IllegalStateException("no answer");
                }));
        stage.until(() -> calls.get() > 2);
        stage.until(job, JobState.PAUSED);
        assertThat(thrown(job))
                .extracting(threw -> threw.number() + " " + threw.thrown().message())
                .containsExactly("1 no answer", "0 call 1 of https://…@shop");
    }

    @Test
    void a_resume_does_not_read_it() {
        var job = run((run, input) -> {
            run.effect("post", none(), input, String.class, (request, attempt) -> breaks());
            return "done";
        });
        stage.until(job, JobState.PAUSED);
        assertThat(thrown(job)).hasSize(1);
        stage.decide(job, Verdict.SKIP, null);
        stage.until(job, JobState.DONE);
    }
}
